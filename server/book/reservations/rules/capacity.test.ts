import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type BookingRules, type WeeklyPeriod, defaultRules } from '../../rules/booking-rules.ts'
import { coversOfEvening } from './capacity.ts'

const period = (more: Partial<WeeklyPeriod> = {}): WeeklyPeriod => ({
  weekday: 2,
  name: 'Dinner',
  startMinute: 1_080,
  endMinute: 1_320,
  lastArrivalMinute: null,
  seatingMinutes: [],
  sameDayCutoffMinute: null,
  minParty: null,
  maxParty: null,
  pacing: { intervalMinutes: null, maxCovers: null, maxParties: null },
  ...more,
})
const rules = (more: Partial<BookingRules>): BookingRules => ({
  ...defaultRules,
  timezone: 'America/New_York',
  phone: null,
  floor: null,
  ...more,
})
const pacing = { intervalMinutes: 30, maxCovers: 10, maxParties: null }

describe('what an evening takes', () => {
  for (const [name, given, covers] of [
    ['the caps of its slots', { pacing, periods: [period()] }, 80],
    ['only slots before the last arrival', { pacing, periods: [period({ lastArrivalMinute: 1_200 })] }, 50],
    ['only slots with a seating', { pacing, periods: [period({ seatingMinutes: [1_080, 1_230] })] }, 20],
    [
      'all services together',
      { pacing, periods: [period({ startMinute: 720, endMinute: 780 }), period()] },
      100,
    ],
    [
      'what was set for one slot',
      {
        pacing,
        periods: [period()],
        pacingExceptions: [{ serviceDate: '2026-10-06', fromMinute: 1_110, maxCovers: 30, maxParties: null }],
      },
      100,
    ],
    ['nothing that is known', { periods: [period()] }, null],
    ['nobody on a day without hours', { pacing, periods: [period({ weekday: 3 })] }, 0],
  ] as const)
    it(name, () => assert.equal(coversOfEvening(rules(given as Partial<BookingRules>), '2026-10-06'), covers))
})
