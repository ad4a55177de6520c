import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { addDays, weekdayOf } from '../../platform/kernel/time/calendar.ts'
import { differenceInWords } from './difference-in-words.ts'

/* Weeks that begin on Monday, September 28 and 21, 2026. */
type Came = Readonly<Record<string, number>>
const openOn = (came: Came, closed?: Readonly<Record<string, string>>, all = weekOf(came)) => ({
  covers: Object.entries(came).map(([date, n]) => ({ key: { date }, n, d: null, value: n })),
  dates: Object.keys(came),
  all,
  ...(closed && { closed: new Map(Object.entries(closed)) }),
})
/** The seven days from Monday on. */
const weekOf = (came: Came): string[] => {
  const [any = ''] = Object.keys(came)
  return Array.from({ length: 7 }, (_, at) => addDays(any, 1 - weekdayOf(any) + at))
}
const said = (now: Came, before: Came, { closed = {}, firstWeekday = 1 } = {}): string =>
  differenceInWords(openOn(now, closed), openOn(before), { firstWeekday }).replace(
    'What made the difference: ',
    '',
  )

describe('what made the difference', () => {
  it('is nothing where one weekday alone changed, or all of them together did not', () => {
    assert.equal(said({ '2026-09-28': 40 }, { '2026-09-21': 30 }), '')
    assert.equal(said({ '2026-09-28': 40, '2026-09-29': 20 }, { '2026-09-21': 30, '2026-09-22': 30 }), '')
  })

  it('names three weekdays, of equal changes those that come first in the week', () => {
    const now = { '2026-09-28': 11, '2026-09-29': 21, '2026-10-03': 31, '2026-10-04': 41 }
    const before = { '2026-09-21': 10, '2026-09-22': 20, '2026-09-26': 30, '2026-09-27': 40 }
    assert.equal(weekdayOf('2026-10-04'), 7)
    assert.equal(said(now, before), 'Monday +1, Tuesday +1, Saturday +1; the other days together +1.')
    assert.equal(
      said(now, before, { firstWeekday: 7 }),
      'Sunday +1, Monday +1, Tuesday +1; the other days together +1.',
    )
  })

  it('says of a day closed for a part why it had fewer, of no day that had more, and of none the reason of another', () => {
    const before = { '2026-09-21': 20, '2026-09-24': 50 }
    const closed = { '2026-10-01': 'fair' }
    assert.equal(
      said({ '2026-09-28': 10, '2026-10-01': 30 }, before, { closed }),
      'Thursday −20 (partly closed because of “fair”), Monday −10.',
    )
    assert.equal(
      said({ '2026-09-28': 10, '2026-10-01': 80 }, before, { closed }),
      'Thursday +30, Monday −10.',
    )
    assert.equal(
      said({ '2026-09-28': 10, '2026-10-01': 30 }, before, { closed: { '2026-10-01': '' } }),
      'Thursday −20 (partly closed), Monday −10.',
    )
  })

  it('says which of several days was closed, and why, and gives no reason that was there before as well', () => {
    const days = (first: string): string[] => Array.from({ length: 14 }, (_, at) => addDays(first, at))
    const came = (first: string, open: Came) =>
      Object.fromEntries(Object.entries(open).map(([at, n]) => [addDays(first, Number(at)), n]))
    const [now, before] = ['2026-11-16', '2026-11-02'] as const
    const weeks = (
      open: Came,
      openBefore: Came,
      closed: Readonly<Record<string, string>>,
      closedBefore: Readonly<Record<string, string>> = {},
    ): string =>
      differenceInWords(
        openOn(came(now, open), closed, days(now)),
        openOn(came(before, openBefore), closedBefore, days(before)),
        { firstWeekday: 1 },
      ).replace('What made the difference: ', '')
    const usual = { 0: 20, 3: 70, 7: 20, 10: 70 }
    const feast = { '2026-11-26': 'Thanksgiving' }
    assert.equal(
      weeks({ 0: 20, 3: 60, 7: 21 }, usual, feast),
      'Thursdays −80 (1 open day against 2 because of “Thanksgiving”), Mondays +1.',
    )
    assert.equal(
      weeks({ 0: 20, 3: 60, 7: 21, 10: 30 }, usual, feast),
      'Thursdays −50 (1 of them partly closed because of “Thanksgiving”), Mondays +1.',
    )
    const asBefore = { '2026-11-05': 'Founders’ Day' }
    assert.equal(
      weeks({ 0: 20, 3: 60, 7: 21 }, { 0: 20, 7: 20, 10: 70 }, feast, asBefore),
      'Thursdays −10, Mondays +1.',
      'one of them was closed both times',
    )
    assert.equal(
      weeks({ 0: 20, 3: 60, 7: 21, 10: 30 }, usual, feast, asBefore),
      'Thursdays −50, Mondays +1.',
      'one of them was partly closed both times',
    )
  })

  it('says that nobody came before on a day that was open, and that one was closed then', () => {
    assert.equal(
      said({ '2026-09-28': 10, '2026-09-29': 30, '2026-09-30': 5 }, { '2026-09-21': 0, '2026-09-22': 8 }),
      'Tuesday +22, Monday +10 (nobody before), Wednesday +5 (closed in the earlier period).',
    )
  })

  it('says the closed ones first, and why, by how many fewer came', () => {
    const before = { '2026-09-21': 90, '2026-09-24': 50, '2026-09-25': 8 }
    assert.equal(
      said({ '2026-09-28': 20 }, before, { closed: { '2026-10-01': 'fair' } }),
      'closed on Thursday (fair): 50 fewer; closed on Friday: 8 fewer; Monday −70.',
    )
  })

  it('says no loss of a closed day to which more came than to an open one before', () => {
    const now = { ...openOn({ '2026-09-28': 30, '2026-10-01': 80 }, { '2026-10-01': 'private party' }) }
    const open = { ...now, dates: ['2026-09-28'] }
    const before = openOn({ '2026-09-21': 20, '2026-09-24': 50 })
    assert.equal(
      differenceInWords(open, before, { firstWeekday: 1 }),
      'What made the difference: Thursday +30 (private party), Monday +10.',
    )
  })

  it('calls no weekday closed or new that only one of two periods has, and says so first', () => {
    const days = (from: string, count: number): string[] =>
      Array.from({ length: count }, (_, at) => addDays(from, at))
    const between = (now: Came, before: Came, [first, last]: readonly [string, string], length: number) =>
      differenceInWords(
        openOn(now, undefined, days(first, length)),
        openOn(before, undefined, days(last, length)),
        { firstWeekday: 7 },
      ).replace('What made the difference: ', '')
    // Tuesday to Friday, against Friday to Monday.
    const now = { '2026-09-29': 60, '2026-09-30': 100, '2026-10-01': 90, '2026-10-02': 150 }
    const before = { '2026-09-25': 160, '2026-09-26': 253, '2026-09-27': 145 }
    assert.equal(
      between(now, before, ['2026-09-29', '2026-09-25'], 4),
      'Sunday and Saturday were among the days before alone: 398 fewer; Tuesday, Wednesday and Thursday were among these days alone: 250 more; Friday −10.',
    )
    // Friday to Sunday, against Tuesday to Thursday: a closed day of both is still closed.
    const weekend = { '2026-10-02': 130, '2026-10-03': 253 }
    assert.equal(
      between(weekend, { '2026-09-29': 40 }, ['2026-10-02', '2026-09-29'], 3),
      'Tuesday was among the days before alone: 40 fewer; Friday and Saturday were among these days alone: 383 more.',
    )
  })
})
