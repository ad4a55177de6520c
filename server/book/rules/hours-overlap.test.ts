import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ServicePeriod, SpecialDay, WeeklyPeriod } from './booking-rules.ts'
import { overlapMistakes } from './hours-overlap.ts'

const period = (startMinute: number, endMinute: number, name: string | null = 'Dinner'): ServicePeriod => ({
  name,
  startMinute,
  endMinute,
  lastArrivalMinute: null,
  seatingMinutes: [],
  sameDayCutoffMinute: null,
  minParty: null,
  maxParty: null,
  pacing: { intervalMinutes: null, maxCovers: null, maxParties: null },
})

const weekly = (weekday: number, ...span: Parameters<typeof period>): WeeklyPeriod => ({
  weekday,
  ...period(...span),
})
const special = (date: string, ...periods: readonly ServicePeriod[]): SpecialDay => ({
  date,
  name: 'Holiday',
  periods,
})

const mistakes = (periods: readonly WeeklyPeriod[], specialDays: readonly SpecialDay[] = []) =>
  overlapMistakes({ periods, specialDays })

describe('hours when they are saved', () => {
  it('no two services of a day overlap; they may touch', () => {
    assert.deepEqual(mistakes([weekly(2, 1020, 1320), weekly(2, 720, 1020, 'Lunch')]), [])
    assert.deepEqual(mistakes([weekly(2, 1020, 1320), weekly(2, 720, 1021, 'Lunch')]), [
      'On Tuesday, Lunch (12:00–17:01) and Dinner (17:00–22:00) overlap.',
    ])
    assert.deepEqual(mistakes([weekly(2, 1020, 1320), weekly(3, 720, 1021, 'Lunch')]), [])
  })

  it("no service runs past midnight into the next day's first, Sunday into Monday included", () => {
    assert.deepEqual(mistakes([weekly(5, 1020, 1560), weekly(6, 120, 300, null)]), [])
    assert.deepEqual(mistakes([weekly(5, 1020, 1560), weekly(6, 119, 300, null)]), [
      'Dinner (17:00–02:00) on Friday runs into the service (01:59–05:00) on Saturday.',
    ])
    assert.deepEqual(mistakes([weekly(7, 1020, 1560), weekly(1, 0, 300, 'Breakfast')]), [
      'Dinner (17:00–02:00) on Sunday runs into Breakfast (00:00–05:00) on Monday.',
    ])
  })

  it('every day round the clock is no overlap', () => {
    assert.deepEqual(mistakes([1, 2, 3, 4, 5, 6, 7].map((weekday) => weekly(weekday, 600, 2040))), [])
  })

  it('a special day is held against itself, the day before and the day after', () => {
    const friday = weekly(5, 1020, 1560)
    const sunday = weekly(7, 60, 900, 'Brunch')
    const saturday = (...periods: readonly ServicePeriod[]) =>
      mistakes([friday, sunday], [special('2026-10-10', ...periods)])
    assert.deepEqual(saturday(period(120, 1500)), [])
    assert.deepEqual(saturday(period(119, 1440, 'Party')), [
      'Dinner (17:00–02:00) on Friday 9 October 2026 runs into Party (01:59–00:00) on Saturday 10 October 2026.',
    ])
    assert.deepEqual(saturday(period(1200, 1501, 'Party')), [
      'Party (20:00–01:01) on Saturday 10 October 2026 runs into Brunch (01:00–15:00) on Sunday 11 October 2026.',
    ])
    assert.equal(saturday(period(600, 700), period(690, 800)).length, 1)
  })

  it('two special days in a row are compared with each other, once', () => {
    const row = [special('2026-10-10', period(1200, 1600)), special('2026-10-11', period(100, 300))]
    assert.equal(mistakes([weekly(6, 1020, 1320), weekly(7, 0, 50)], row).length, 1)
  })

  it('a special day without services has nothing to overlap', () => {
    assert.deepEqual(mistakes([weekly(5, 1020, 1560)], [special('2026-10-10')]), [])
  })
})
