import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { type Claim, claims } from '../../../release/claims.ts'
import { ownSettings } from '../../../release/commands.ts'
import { coveredBy, namesIn } from '../../../release/names.ts'
import { type Outcomes, withStep } from '../../../release/outcomes.ts'
import { checkedPage } from '../../../release/page.ts'
import { steps } from '../../../release/steps.ts'

/* What our pages promise of other people's programs is in the list of claims, and somebody checks it. */

const root = join(import.meta.dirname, '../../..')

/** What strangers read before they choose; docs/bench.md and docs/checked.md say what was measured and checked. */
const pages = globSync(
  [
    '{README,SECURITY}.md',
    'docs/*.md',
    '{sdk,sdk-python,cli,mcp,conformance,examples,connectors}/{,*/}README.md',
  ],
  { cwd: root, exclude: ['**/node_modules', 'docs/bench.md', 'docs/checked.md'] },
)
const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ')
const read = (page: string): string => readFileSync(join(root, page), 'utf8')

describe('a claim', () => {
  for (const [id, { page, says, by, untried }] of Object.entries(claims)) {
    it(`${id} is word for word in ${page}, and says who checks it or why nobody does`, () => {
      assert.ok(oneLine(read(page)).includes(says), `${page} no longer says: ${says}`)
      assert.ok(by.length > 0 || untried !== undefined)
      for (const one of by)
        assert.ok(one.endsWith('.test.ts') ? existsSync(join(root, one)) : Object.hasOwn(steps, one), one)
    })
  }

  it('is made for each page that names a database, a runtime, a system or a client', () => {
    const covered = new Set(Object.values(claims).flatMap(({ says }) => coveredBy(says)))
    assert.ok(pages.length > 30, pages.join(' '))
    const missing = pages.flatMap((page) =>
      namesIn(read(page))
        .filter((name) => !covered.has(name))
        .map((name) => `${page}: ${name}`),
    )
    assert.deepEqual(missing, [], 'add a claim to release/claims.ts')
  })

  it('is the reason for every step', () => {
    const used = new Set(Object.values(claims).flatMap(({ by }): readonly string[] => by))
    assert.deepEqual(
      Object.keys(steps).filter((step) => !used.has(step)),
      [],
    )
  })
})

describe('names', () => {
  for (const [text, named] of [
    ['You need PostgreSQL 15 or later, or MySQL.', ['PostgreSQL 15', 'MySQL']],
    ['It runs on Node 20.12, Bun and Cloudflare Workers.', ['Node 20.12', 'Bun', 'Cloudflare Workers']],
    ['with npm 10.8 and curl 7.82', ['npm 10.8', 'curl 7.82']],
    ['On Debian, in Docker, from Go and C#', ['Debian', 'Docker', 'Go', 'C#']],
    ['`npm ci`, curl, Go live, node_modules, /usr/lib/PostgreSQL, Next year', []],
  ] as const)
    it(`in "${text}"`, () => assert.deepEqual(namesIn(text), named))

  it('with a version are covered by the same version only, and by any version without one', () => {
    assert.deepEqual(coveredBy('PostgreSQL 15'), ['PostgreSQL 15', 'PostgreSQL'])
  })
})

describe('the outcomes of a step', () => {
  const now = { version: '2.0.0', on: '2026-11-28' }
  const before: Outcomes = {
    version: '2.0.0',
    steps: {
      start: [
        { what: 'macOS arm64, Node 26', version: '26.1', outcome: 'held', on: '2026-11-01' },
        {
          what: 'Linux x64, Node 26',
          version: '26.1',
          outcome: 'failed',
          why: 'It stopped.',
          on: '2026-11-01',
        },
        { what: 'Linux arm64', version: '', outcome: 'not tried', why: 'no such machine', on: '2026-11-01' },
      ],
      docker: [{ what: 'Docker', version: '28.2', outcome: 'held', on: '2026-11-01' }],
    },
  }
  const again = [
    { what: 'Linux x64, Node 26', version: '26.2', outcome: 'held' },
    { what: 'macOS arm64', version: '', outcome: 'not tried', why: 'no such machine' },
    { what: 'Linux arm64', version: '', outcome: 'not tried', why: 'no such machine' },
  ] as const

  it('replace what was tried again, and keep what another machine tried of the same version', () => {
    const after = withStep(before, now, 'start', again)
    assert.deepEqual(
      after.steps.start?.map(({ what, version, outcome, on }) => [what, version, outcome, on]),
      [
        ['Linux x64, Node 26', '26.2', 'held', '2026-11-28'],
        ['macOS arm64, Node 26', '26.1', 'held', '2026-11-01'],
        ['Linux arm64', '', 'not tried', '2026-11-28'],
      ],
    )
    assert.deepEqual(after.steps.docker, before.steps.docker)
  })

  it('keep nothing of another version', () => {
    const after = withStep(before, { ...now, version: '2.1.0' }, 'start', again)
    assert.deepEqual(Object.keys(after.steps), ['start'])
    assert.deepEqual(
      after.steps.start?.map(({ what }) => what),
      again.map(({ what }) => what),
    )
  })
})

describe('docs/checked.md', () => {
  const promise: Claim = {
    page: 'docs/production.md',
    says: 'It runs in [Docker](https://docker.example) | here.',
    by: ['docker', 'server/test/tree/claims.test.ts'],
    untried: 'Podman: nobody has it.',
  }

  it('says of each claim how it was checked, when, on which version and with what outcome', () => {
    const on = '2026-11-28'
    const page = checkedPage(
      { promise },
      {
        version: '2.0.0',
        steps: {
          docker: [{ what: 'Docker', version: '28.2', outcome: 'failed', why: 'no | such\nimage', on }],
        },
      },
      ['An address.'],
    )
    const sentence = '“It runs in Docker \\| here.” ([docs/production.md](production.md))'
    assert.ok(page.includes('for version 2.0.0'))
    assert.ok(
      page.includes(`- ${sentence}\n\n${steps.docker.how}\n\n| On | Version | When | Outcome |\n`),
      page,
    )
    assert.ok(page.includes(`| Docker | 28.2 | ${on} | failed: no \\| such image |\n`), page)
    assert.ok(page.includes(`| ${sentence} | \`server/test/tree/claims.test.ts\` |`))
    assert.ok(page.includes(`| ${sentence} | Podman: nobody has it. |`))
    assert.ok(page.includes('- An address.'))
  })

  it('says "not tried" of a step that nobody has run', () => {
    const page = checkedPage({ promise }, { version: '2.0.0', steps: {} }, [])
    assert.ok(
      page.includes(
        `${steps.docker.how}\n\n| On | Version | When | Outcome |\n|---|---|---|---|\n| | | | not tried |`,
      ),
    )
  })
})

describe('what is tried before a release', () => {
  it('starts no service on the database of the person who runs it', () => {
    const mine = { PATH: '/usr/bin', DATABASE_URL: 'postgres://me@127.0.0.1/mine', DATA_DIR: '/srv/mine' }
    assert.deepEqual(ownSettings(mine), { PATH: '/usr/bin' })
  })
})
