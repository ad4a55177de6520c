import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { limits } from '@venue-data/contract/limits.ts'
import { daysToSettle } from '../../data/reports/came-back.ts'
import { daysToReturn } from '../../data/reports/figures-of-day.ts'
import { fewestCases } from '../../data/reports/in-words.ts'
import { recentDays } from '../../doors/office/reports/picture.ts'
import { daysAway } from '../../doors/office/reports/pictures/guests.ts'
import { mostRowsOnPaper } from '../../doors/office/reports/shown-page.ts'

const { made, page, grace } = limits.checkoutMinutes
const { tombstoneDays, eventsDays, changesMost } = limits

/** How a sentence goes, with # for each of its numbers, and what they are. */
const sentences: Readonly<Record<string, readonly (readonly [sentence: string, ...numbers: number[]])[]>> = {
  'docs/keep-a-copy.md': [
    ['deletions are remembered for # days', tombstoneDays],
    ['by its id tells you for # days what happened', tombstoneDays],
    ['| `limit` | 1 to #, default #; more counts as # |', changesMost, limits.changesDefault, changesMost],
    ['A list has at most # records in an answer, the feed #', limits.listMost, changesMost],
    ["run into a key's # a minute", limits.requestsPerMinute],
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
    ['`POST /holds` holds one for # minutes', limits.holdMinutes],
    ['from yesterday to # days ahead, or', limits.searchDaysAhead],
    ['one date `to` another, at most # days', limits.searchDays],
    ['A key may make # requests per minute', limits.requestsPerMinute],
    ['made more than # requests in a minute', limits.requestsPerMinute],
  ],
  'docs/book-from-your-site.md': [
    ['holds a time for # minutes', limits.holdMinutes],
    ['After # minutes its places are free', limits.holdMinutes],
    ['from up to # days away', limits.alternativesFarDays],
  ],
  'docs/reasons.md': [
    ['holds # times already, or has # open checkouts', limits.holdsOfKey, limits.checkoutsOfKey],
    ['a hold ends after # minutes', limits.holdMinutes],
    ['More than # of these records have changed', limits.digestChanged],
    ['Remembered for # days; afterwards', tombstoneDays],
    ['is remembered for # days; afterwards', tombstoneDays],
  ],
  'docs/go-live.md': [
    ['for # hours, `GET /events` for # days', limits.deliveryHours, eventsDays],
    ['within # requests a minute with each key', limits.requestsPerMinute],
  ],
  'docs/webhooks.md': [
    ['which has the last # days', eventsDays],
    ['events from the meantime are kept for # hours', limits.deliveryHours],
  ],
  'docs/office.md': [
    ['for # minutes before that page opens, and for # minutes after', made, page + grace],
    ['for # minutes before that page opens and for # minutes after', made, page + grace],
    ['or days of your own (up to #)', limits.figuresDays],
    ['A percentage is shown from # cases up', fewestCases],
    ['have not visited in # days', daysAway],
    ['Of a report that ended over # days ago', recentDays],
    ['tables of more than # rows', mostRowsOnPaper],
    ['In the first # days of a book', daysToReturn],
    ['Of the sources of # guests or more', fewestCases],
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
