import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { keyClash } from '@venue-data/contract/webhooks/endpoint.ts'
import { brokenReferencesIn, readTree } from './references.ts'

describe('references', () => {
  it('lead to pages and headings that are there, and never to the number of a section', () => {
    const tree = readTree()
    for (const path of ['README.md', 'docs/api.md', '.ci/run', 'server/app.ts', 'contract/limits.ts']) {
      assert.ok(tree.has(path), `${path} is read`)
    }
    assert.deepEqual(brokenReferencesIn(tree), [])
  })

  const page =
    '# Guide\n\n## Errors\n\n## Test, send, cancel\n\n## `blocked`\n\n## Errors\n\n```\n# Not one\n```\n'
  const among = (path: string, text: string): string[] =>
    brokenReferencesIn(
      new Map([
        ['docs/guide.md', page],
        ['docs/decisions/0001-why.md', '# 1. Why\n'],
        ['server/app.ts', ''],
        [path, text],
      ]),
    )

  for (const [path, text] of [
    ['server/a.ts', '/** What is refused (docs/guide.md#errors). */'],
    ['server/a.ts', '// See docs/guide.md, guide.md#errors-1 and docs/decisions.'],
    ['server/a.ts', "service.get('/docs/nothing') // https://example.com/docs/nothing.md"],
    ['server/a.ts', '// RFC 5322, section 3.3; TLS 1.2; 20 campaigns; the 2 rules below'],
    ['server/a.ts', '/*\n * 1. One.\n * 2. Two.\n */\n/** Rules 1 and 2. */'],
    ['server/core/a.ts', "// What app.ts and core/a.ts do (server/app.ts).\nimport './gone.ts'"],
    ['docs/b.md', '[guide](guide.md#test-send-cancel), [above](#b), `server/app.ts`\n\n# B\n'],
    ['docs/decisions/0002-b.md', '[decision 1](0001-why.md), [guide](../guide.md#blocked)'],
    ['README.md', '[guide](docs/guide.md#guide), https://example.com/x.html, [x](https://example.com/)'],
  ] as const) {
    it(`take ${JSON.stringify(text)}`, () => {
      assert.deepEqual(among(path, text), [])
    })
  }

  for (const [path, text, said] of [
    ['server/a.ts', '// See docs/gone.md.', 'names docs/gone.md, which is not there'],
    ['server/a.ts', '// Why: docs/decisions/0001.', 'names docs/decisions/0001, which is not there'],
    ['server/a.ts', '/** (gone.md) */', 'names gone.md, which is not there'],
    [
      'server/a.ts',
      '/** (docs/guide.md#error) */',
      'names docs/guide.md#error, and there is no such heading',
    ],
    [
      'server/a.ts',
      '// Written by its event (events/record.ts).',
      'names events/record.ts, which is not there',
    ],
    ['server/core/a.ts', '/** The numbers are in gone.ts. */', 'names gone.ts, which is not there'],
    ['docs/b.md', '[x](guide.md#not-one)', 'names docs/guide.md#not-one, and there is no such heading'],
    ['docs/b.md', '[x](#c)\n\n# B\n', 'names docs/b.md#c, and there is no such heading'],
    ['README.md', '[x](guide.md)', 'names guide.md, which is not there'],
    ['docs/b.md', '[x](gone.png)', 'names gone.png, which is not there'],
    ['CONTRIBUTING.md', 'A row in `server/gone/table.ts`.', 'names server/gone/table.ts, which is not there'],
  ] as const) {
    it(`the check fires on ${JSON.stringify(text)}`, () => {
      assert.ok(among(path, text).includes(`${path} ${said}`), among(path, text).join('\n'))
    })
  }

  for (const [text, cited] of [
    ['/** Claims copies (campaigns 3.1). */', 'campaigns 3.1'],
    ['/** One row of booking rules 2.4. */', 'booking rules 2.4'],
    ['/*\n * Matched by keys, as in booking-rules\n * 5.2 to 5.4.\n */', 'booking-rules 5.2'],
    ["describe('the waitlist (booking-rules 4.2)', () => {})", 'booking-rules 4.2'],
    ['// Nothing starts after a revoke (guide.md 3.5).', 'guide.md 3.5'],
    ['-- The rules of webhooks 3 and 4.', 'webhooks 3'],
    ['# As decision 7 says.', 'decision 7'],
    ['/** Nine tries (contract, "Delivery" 2). */', 'contract, "Delivery" 2'],
    ['/** Contract, "Errors". */', 'Contract, "Errors"'],
    ['/** The first that refuses is the answer (2.4). */', '(2.4)'],
    ['// Cheaper than values (rule 10).', 'rule 10'],
    ['// See section 4.', 'section 4'],
    ["it('4.2: the list', () => {})", "it('4.2: "],
    ["it('E7: a block refuses', () => {})", "it('E7: "],
    ["it('tables 6.5: a combination', () => {})", "it('tables 6"],
    ["const name = 'service 8.2: without script'", "'service 8.2: "],
    ["it('guest pages, check 12: two offers', () => {})", "it('guest pages, check 1"],
    ['// See § 4.', '§ 4'],
  ] as const) {
    it(`the check fires on ${JSON.stringify(text)}`, () => {
      const found = among('server/a.ts', text)
      assert.ok(found.includes(`server/a.ts cites a section by its number: ${cited}`), found.join('\n'))
    })
  }
})

describe('the guide to trying again', () => {
  it('says what to do at every clash of an Idempotency-Key', () => {
    const page = readTree().get('docs/api.md') ?? ''
    const table = page.slice(page.indexOf('| You got | What to do |'), page.indexOf('## Trying a write'))
    for (const reason of [...keyClash, 'outcome-unknown']) {
      assert.equal(table.match(new RegExp(`^\\| 409, \`${reason}\` \\|`, 'gm'))?.length, 1, reason)
    }
  })
})
