import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { addDays, httpDate, listInWords, weekdayOf } from './calendar.ts'

describe('calendar', () => {
  it('numbers weekdays from Monday 1 to Sunday 7', () => {
    const week = [
      '2026-10-05',
      '2026-10-06',
      '2026-10-07',
      '2026-10-08',
      '2026-10-09',
      '2026-10-10',
      '2026-10-11',
    ]
    assert.deepEqual(week.map(weekdayOf), [1, 2, 3, 4, 5, 6, 7])
  })

  it('writes a moment as HTTP does', () => {
    assert.equal(httpDate(Temporal.Instant.from('2026-10-06T19:00:00.999Z')), 'Tue, 06 Oct 2026 19:00:00 GMT')
    assert.equal(
      httpDate(Temporal.Instant.from('2027-01-03T00:05:09-05:00')),
      'Sun, 03 Jan 2027 05:05:09 GMT',
    )
  })

  it('counts days on the calendar, across months, years and leap days', () => {
    assert.equal(addDays('2026-10-06', 60), '2026-12-05')
    assert.equal(addDays('2027-01-01', -1), '2026-12-31')
    assert.equal(addDays('2028-02-28', 1), '2028-02-29')
  })

  it('counts as Temporal does, on every day of the calendar', () => {
    const first = Temporal.PlainDate.from('0001-01-01')
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 3_652_058 }),
        fc.integer({ min: -800, max: 800 }),
        (day, days) => {
          const date = first.add({ days: day })
          assert.equal(weekdayOf(date.toString()), date.dayOfWeek)
          const to = date.add({ days })
          if (to.year < 1 || to.year > 9999) return
          assert.equal(addDays(date.toString(), days), to.toString())
        },
      ),
      { numRuns: 3000 },
    )
  })

  it('stops at the first and the last date that can be written', () => {
    assert.equal(addDays('0001-01-01', -1), '0001-01-01')
    assert.equal(addDays('9999-12-31', 1), '9999-12-31')
    assert.equal(addDays('2026-10-06', Number.MAX_SAFE_INTEGER), '9999-12-31')
    assert.equal(addDays('2026-10-06', -2_147_483_648), '0001-01-01')
  })

  it('joins a list with commas and one "and"', () => {
    assert.equal(listInWords([]), '')
    assert.equal(listInWords(['10:00']), '10:00')
    assert.equal(listInWords(['10:00', '12:00']), '10:00 and 12:00')
    assert.equal(listInWords(['10:00', '12:00', '13:30']), '10:00, 12:00 and 13:30')
  })
})
