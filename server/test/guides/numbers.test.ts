import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { limits } from '@venue-data/contract/limits.ts'
import { daysToSettle } from '../../data/reports/came-back.ts'
import { daysToReturn } from '../../data/reports/figures-of-day.ts'

const { made, page, grace } = limits.checkoutMinutes
const { tombstoneDays, eventsDays } = limits

/** How a sentence goes, with # for each of its numbers, and what they are. */
const sentences: Readonly<Record<string, readonly (readonly [sentence: string, ...numbers: number[]])[]>> = {
  'docs/keep-a-copy.md': [
    ['deletions are remembered for # days', tombstoneDays],
    ['by its id tells you for # days what happened', tombstoneDays],
  ],
  'docs/api.md': [
    ['A record that is gone answers 410 for # days', tombstoneDays],
    ['or `erased`, for # days, then 404', tombstoneDays],
    ['Every event of the last # days', eventsDays],
    ['Events are kept for # days', eventsDays],
    ['`GET /events`, up to # days ago', eventsDays],
    ['both included, at most # days', limits.figuresDays],
    ['and are kept for # days. A dry run', 2 * limits.figuresDays],
    ['Results are kept for # days', limits.batchResultsDays],
    ['kept for # minutes, and for # more from the press', made, page + grace],
  ],
  'docs/reasons.md': [
    ['Remembered for # days; afterwards', tombstoneDays],
    ['is remembered for # days; afterwards', tombstoneDays],
  ],
  'docs/go-live.md': [['`GET /events` for # days', eventsDays]],
  'docs/webhooks.md': [['which has the last # days', eventsDays]],
  'docs/office.md': [
    ['for # minutes before that page opens, and for # minutes after', made, page + grace],
    ['for # minutes before that page opens and for # minutes after', made, page + grace],
    ['served again on a later service date within\n# days', daysToReturn],
    ['Where the period ends less than # days ago', daysToSettle],
    ['it takes as many days that end # days ago', daysToSettle],
  ],
  'docs/sell-tickets-online.md': [['theirs for # minutes, and for # more', made, page + grace]],
  'docs/take-a-deposit.md': [['for # minutes, and for # more', made, page + grace]],
  'docs/operator.md': [
    [
      'offers up to # guests where it is not set, and never more than #',
      limits.sizesUnlessSet,
      limits.sizesMost,
    ],
  ],
}

describe('numbers that the pages say', () => {
  for (const [file, said] of Object.entries(sentences))
    it(`are those of the program: ${file}`, () => {
      const text = readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8')
      for (const [sentence, ...numbers] of said) {
        const pattern = sentence
          .split('#')
          .map((words) => RegExp.escape(words))
          .join(String.raw`([\d,]+)`)
        const found = [...text.matchAll(new RegExp(pattern, 'g'))]
        assert.ok(found.length > 0, `not there anymore: ${sentence}`)
        for (const [words, ...written] of found)
          assert.deepEqual(
            written.map((one) => Number(one.replaceAll(',', ''))),
            numbers,
            words,
          )
      }
    })
})
