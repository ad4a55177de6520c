import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { readRulesDocument } from '../../../book/rules/rules-document.ts'
import { ruleChanges } from '../activity/rules-in-words.ts'
import { inFormWords } from './mistake-words.ts'

/* A setting of the rules is one more word for people in three places that nothing in its type reminds of. */

/** The fields of a part of the rules document, as its reader names them when it meets one that it does not know. */
const fieldsOf = (document: object): string[] => {
  const read = readRulesDocument({ periods: [], ...document })
  const said = (read.ok ? [] : read.mistakes).find((one) => one.includes('known here are')) ?? ''
  return /known here are ([^.]*)/.exec(said)?.[1]?.split(', ') ?? []
}
const whole = fieldsOf({ nothing: 1 })
const entry = [{ nothing: 1 }]
const inside = [
  'periods',
  'specialDays',
  'closures',
  'turnMinutes',
  'shortestStays',
  'guarantees',
  'experiences',
]
const lists = [...inside, 'blocks', 'pacingExceptions']
const ofEntries = lists.flatMap((list) => fieldsOf({ [list]: entry }))

describe('each setting of the booking rules', () => {
  it('is known by the reader of the document, and so are those of its lists', () => {
    assert.ok(whole.length >= 20, whole.join())
    for (const list of lists) assert.ok(fieldsOf({ [list]: entry }).length >= 2, list)
  })

  /** No form sends these with a mistake in them. */
  const neverMistaken = new Map(
    Object.entries({
      pacing: 'a mistake is in one of its fields',
      pacingExceptions: 'a mistake is in one of its fields',
      tables: 'its forms have words of their own',
      onlinePaused: 'a box to tick',
      nextDay: 'made by the form',
      weekday: 'the page of the day',
      scope: 'a choice',
      asks: 'a choice',
      per: 'a choice',
      at: 'a choice',
    }),
  )

  it('has words of its own where a form says what is wrong with it', () => {
    const fields = [...new Set([...whole, ...ofEntries, ...fieldsOf({ pacing: { nothing: 1 } })])]
    const bare = fields.filter((field) => inFormWords(`${field} must be right.`).startsWith(field))
    assert.deepEqual(bare.toSorted(), [...neverMistaken.keys()].toSorted())
  })

  it('is said in words in the trail of changes', () => {
    const shown = whole.filter((field) => ruleChanges(field, '[]', '[]') === undefined)
    assert.deepEqual(shown, ['tables'], 'only tables have a trail of their own')
  })

  it('has a row in docs/operator.md', () => {
    const page = readFileSync(new URL('../../../../docs/operator.md', import.meta.url), 'utf8')
    const [, rules = ''] = /^## Booking rules\n([^]*?)^### Tables/m.exec(page) ?? []
    assert.deepEqual(
      whole.filter((field) => !rules.includes(`| \`${field}\` |`)),
      [],
    )
  })
})
