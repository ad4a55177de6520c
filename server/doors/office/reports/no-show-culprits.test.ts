import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { randomFrom } from '../../../demo/random.ts'
import type { Row } from '../../../data/reports/in-words.ts'
import { noShowsPicture } from './pictures/no-shows.ts'
import { type Rows, shownBy } from './test/shown-by.ts'

const groups = {
  weekday: [1, 2, 3, 4, 5, 6, 7],
  size: ['1', '2', '3', '4', '5', '6', '7-8', '9-12'],
  days: ['0', '1', '2-3', '4-7', '8-14', '15-30', '31+'],
  source: ['public', 'staff', 'api', 'automation', 'waitlist'],
} as const

type Party = Record<keyof typeof groups, string | number>

/** No-shows of a venue: each party is of one weekday, size, lead and source, of which the first are the most. */
const noShowsOf = (parties: number, random: () => number, rateOf: (party: Party) => number): Rows => {
  const counted = Object.entries(groups).map(([word, of]) => ({
    ...{ word, of },
    counts: of.map((part) => [{ measure: 'parties', [word]: part }, 0, 0] as [Row['key'], number, number]),
  }))
  let all = 0
  for (let at = 0; at < parties; at++) {
    const places = counted.map(({ of }) => Math.floor(random() ** 1.7 * of.length))
    const party = Object.fromEntries(counted.map(({ word, of }, nth) => [word, of[places[nth] ?? 0]]))
    const missed = random() < rateOf(party as Party) ? 1 : 0
    all += missed
    for (const [nth, { counts }] of counted.entries()) {
      const row = counts[places[nth] ?? 0]
      if (!row) continue
      row[1] += missed
      row[2]++
    }
  }
  return { no_shows: [[{ measure: 'parties' }, all, parties], ...counted.flatMap(({ counts }) => counts)] }
}

const isNamed = (rows: Rows): boolean => /most often/.test(noShowsPicture(shownBy(rows)).sentence)

describe('the kind of bookings that is named for its no-shows', () => {
  for (const [parties, rate] of [
    [300, 0.1],
    [2000, 0.03],
    [5000, 0.02],
  ] as const)
    it(`is named in at most one of twenty periods where all are alike: ${parties} parties, ${rate * 100} % of them`, () => {
      const random = randomFrom(28).draw
      const periods = 400
      let named = 0
      for (let period = 0; period < periods; period++)
        if (isNamed(noShowsOf(parties, random, () => rate))) named++
      assert.ok(named <= 0.05 * periods, `named in ${named} of ${periods}`)
    })

  it('is named where it stands out', () => {
    const random = randomFrom(28).draw
    const rows = noShowsOf(3000, random, ({ source }) => (source === 'api' ? 0.12 : 0.03))
    assert.match(noShowsPicture(shownBy(rows)).sentence, /Of the sources, most often: .*, 1\d% of \d+\.$/)
  })

  it('has its weekdays in the order of the week of the country', () => {
    const rows: Rows = {
      no_shows: [1, 6, 7].map((weekday) => [{ measure: 'parties', weekday }, 1, 30]),
    }
    const days = (firstWeekday: number) =>
      noShowsPicture({ ...shownBy(rows), firstWeekday })
        .rows.filter(([by]) => by === 'weekday')
        .map(([, name]) => name)
    assert.deepEqual(days(7), ['Sunday', 'Monday', 'Saturday'])
    assert.deepEqual(days(1), ['Monday', 'Saturday', 'Sunday'])
  })
})
