import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { BookingRules } from '../../rules/booking-rules.ts'
import { type Arrivals, loadFromArrivals } from '../../day/load.ts'
import { nearestOpen } from './nearest-open.ts'
import { aRequest, at, nobody, onWeekday, someRules } from '../test/venue.ts'

const tuesday = at('2026-10-06', '12:00')

const nearest = (
  rules: Partial<BookingRules>,
  asked: readonly [date: string, time: string, partySize?: number],
  { most = 3, days = 3, load = nobody } = {},
): string[] => {
  const [date, time, partySize = 2] = asked
  const request = aRequest(date, time, { partySize })
  return nearestOpen(someRules(rules), tuesday, request, load, { days, most }).map(
    (slot) => `${slot.date} ${slot.time}`,
  )
}

const lunch = onWeekday(3, { name: 'Lunch', startMinute: 720, endMinute: 780 })
const dinner = onWeekday(3, { startMinute: 1020, endMinute: 1080 })

/** So many guests at these minutes of Wednesday. */
const arriving = (covers: number, minutes: readonly number[]): readonly Arrivals[] =>
  minutes.map((serviceMinute) => ({ serviceDate: '2026-10-07', serviceMinute, covers, parties: 1 }))

describe('the nearest open times', () => {
  it('are those of the same service by distance; of two equally near the earlier', () => {
    assert.deepEqual(nearest({}, ['2026-10-07', '19:00']), [
      '2026-10-07 19:00',
      '2026-10-07 18:45',
      '2026-10-07 19:15',
    ])
  })

  it('of the same service come before nearer ones of another, and those before another day', () => {
    const pacing = { intervalMinutes: 15, maxCovers: 4, maxParties: null }
    const rules = { periods: [lunch, dinner, onWeekday(4)], pacing }
    const load = loadFromArrivals(arriving(4, [720, 735, 750, 1020, 1035]))
    assert.deepEqual(nearest(rules, ['2026-10-07', '12:45'], { load, most: 5 }), [
      '2026-10-07 12:45',
      '2026-10-07 17:30',
      '2026-10-07 17:45',
      '2026-10-08 17:00',
      '2026-10-08 17:15',
    ])
    assert.deepEqual(nearest(rules, ['2026-10-07', '17:00'], { load, most: 3 }), [
      '2026-10-07 17:30',
      '2026-10-07 17:45',
      '2026-10-07 12:45',
    ])
  })

  it('of other days come nearest day first, by the time of day', () => {
    const periods = [onWeekday(4, { seatingMinutes: [1020, 1140] }), onWeekday(7, { seatingMinutes: [1140] })]
    const asked = ['2026-10-09', '19:00'] as const
    assert.deepEqual(nearest({ periods }, asked), [
      '2026-10-08 19:00',
      '2026-10-08 17:00',
      '2026-10-11 19:00',
    ])
    assert.deepEqual(nearest({ periods }, asked, { days: 0 }), [])
  })

  it('of an arrival after midnight are those of its evening', () => {
    const rules = { closures: [], periods: [onWeekday(5, { startMinute: 1380, endMinute: 1500 })] }
    assert.deepEqual(nearest(rules, ['2026-10-10', '00:10']), [
      '2026-10-10 00:15',
      '2026-10-10 00:00',
      '2026-10-10 00:30',
    ])
  })

  it('are never ones that are past, or that the rules refuse', () => {
    assert.deepEqual(nearest({ maxParty: 2 }, ['2026-10-07', '19:00', 3]), [])
    assert.deepEqual(nearest({}, ['2026-10-05', '19:00'], { most: 1 }), ['2026-10-06 19:00'])
    assert.deepEqual(nearest({ onlinePaused: true }, ['2026-10-07', '19:00']), [])
  })
})
