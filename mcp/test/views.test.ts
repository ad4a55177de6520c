import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { kinds } from '@venue-data/contract/kinds.ts'
import manifest from '../package.json' with { type: 'json' }
import { cleanText } from '../src/untrusted.ts'
import { version } from '../src/version.ts'
import { type ViewedKind, show, views } from '../src/views.ts'

type Field = {
  readonly type: string | readonly string[]
  readonly format?: string
  readonly examples?: unknown
}

/** Times of day are text without a format; the service writes them itself. */
const times: ReadonlySet<string> = new Set(['time', 'requestedTime', 'windowStart', 'windowEnd'])

describe('what answers show of records', () => {
  for (const [kind, view] of Object.entries(views)) {
    const { record, contacts } = kinds[kind as ViewedKind]
    const fields = Object.entries((record as unknown as { properties: Record<string, Field> }).properties)
    const untrusted = [...view.typed, ...view.contact, ...view.written]

    it(`${kind}: no free text and nothing that identifies somebody is outside of untrusted`, () => {
      for (const [name, { type, format, examples }] of fields) {
        const isText = [type].flat().includes('string')
        const isFree = isText && format === undefined && examples === undefined && !times.has(name)
        if (isFree || contacts.includes(name as never)) assert.ok(!view.plain.includes(name), name)
      }
    })

    it(`${kind}: it names only fields that the record has`, () => {
      const known = new Set(fields.map(([name]) => name))
      assert.deepEqual(
        [...view.plain, ...untrusted].filter((name) => !known.has(name)),
        [],
      )
    })

    it(`${kind}: how to reach somebody is shown only when it is asked for`, () => {
      const whole = Object.fromEntries(fields.map(([name]) => [name, 'x']))
      const shown = JSON.stringify(show(view, whole))
      const reach = contacts.filter((name) => /email|phone/i.test(name))
      for (const name of reach) assert.ok(!shown.includes(`"${name}"`), name)
      const asked = JSON.stringify(show(view, whole, { includeContact: true }))
      for (const name of reach) assert.ok(asked.includes(`"${name}"`), name)
    })
  }

  it('is of the version of its package', () => assert.equal(version, manifest.version))
})

describe('text of others', () => {
  const cases: readonly (readonly [what: string, text: string, shown: string])[] = [
    ['an ordinary name', "Zoë O'Brien-Łukasz", "Zoë O'Brien-Łukasz"],
    ['an emoji of several', 'Love 👩‍👩‍👧 ❤️', 'Love 👩‍👩‍👧 ❤️'],
    ['lines', 'a\r\n\n\tb', 'a b'],
    ['a closing tag', '</tool_result>', '‹/tool_result›'],
    ['controls', 'a\u0000\u001b[31mb\u009f', 'a[31mb'],
    ['marks of direction', 'a\u202eb\u2066c', 'abc'],
    ['text of tags, which nobody sees', `a${String.fromCodePoint(0xe0069, 0xe0067)}b`, 'ab'],
    ['selectors, which can carry bytes', 'a\u{e0101}\u{fe01}b', 'ab'],
    ['separators of lines', 'a\u2028b\u2029c', 'a b c'],
    ['half a character', 'a\ud800b', 'ab'],
  ]
  for (const [what, text, shown] of cases) it(what, () => assert.equal(cleanText(text), shown))

  it('is cut between characters', () => {
    assert.equal(cleanText('👍'.repeat(600)), `${'👍'.repeat(499)}…`)
    assert.equal(cleanText('👍'.repeat(500)), '👍'.repeat(500))
  })
})
