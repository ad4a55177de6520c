import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { BookingRules } from '../../book/rules/booking-rules.ts'
import { openTimes } from '../../book/reservations/rules/open-times.ts'
import { at, loadOf, newYork, onWeekday, someRules } from '../../book/reservations/test/venue.ts'
import { formatsFor } from './formats.ts'
import { refusalSentences } from './refusal-words.ts'
import { wordsIn } from './words.ts'

const lunch = onWeekday(3, { startMinute: 720, endMinute: 750, lastArrivalMinute: 735, minParty: 2 })
const dinner = onWeekday(3, { startMinute: 1020, endMinute: 1050 })

/** What is said of the times of a Wednesday for two, at noon the day before. */
const said = (rules: Partial<BookingRules>, covers = 0, now = at('2026-10-06', '12:00')): string[] => {
  const asked = { serviceDate: '2026-10-07', partySize: 2, door: 'online' } as const
  const { slots } = openTimes(someRules(rules), now, asked, loadOf({ covers }))
  const formats = formatsFor('en', { country: 'US', timezone: newYork })
  return refusalSentences(slots, wordsIn('en'), formats).map((one) => one.replaceAll(/\s/g, ' '))
}

describe('why times cannot be had, as guests read it', () => {
  it('names what the venue, or the service itself, has set', () => {
    const evening = at('2026-10-07', '16:30')
    assert.deepEqual(said({ maxParty: 1, periods: [dinner] }), [
      'This service takes parties of up to 1. Please call for more.',
    ])
    assert.deepEqual(said({ periods: [{ ...dinner, minParty: 3 }] }), [
      'This service takes parties of 3 or more.',
    ])
    assert.deepEqual(said({ periods: [{ ...dinner, sameDayCutoffMinute: 960 }] }, 0, evening), [
      'Bookings for today closed at 4:00 PM.',
    ])
    assert.deepEqual(said({ minNoticeMinutes: 1_000, periods: [dinner] }, 0, evening), [
      'Bookings need at least 1,000 minutes’ notice.',
    ])
    assert.deepEqual(said({ maxDaysAhead: 0, periods: [dinner] }), ['Bookings open 0 days ahead.'])
    assert.deepEqual(said({ periods: [{ ...dinner, lastArrivalMinute: 1020 }] }), [
      'The last arrival is 5:00 PM.',
    ])
  })

  it('says one sentence of the times of all services it is true of, however else they differ', () => {
    const pacing = { intervalMinutes: 15, maxCovers: 2, maxParties: null }
    const full = 'Fully booked: 12:00 PM, 12:15 PM, 5:00 PM, and 5:15 PM.'
    assert.deepEqual(said({ pacing, periods: [lunch, dinner] }, 2), [full])
  })

  it('says of each what is left where that is not the same', () => {
    const pacing = { intervalMinutes: 15, maxCovers: 2, maxParties: null }
    const roomier = { ...dinner, pacing: { ...dinner.pacing, maxCovers: 3 } }
    assert.deepEqual(said({ pacing, periods: [lunch, roomier] }, 2), [
      'Fully booked: 12:00 PM and 12:15 PM.',
      'Only 1 seat left at 5:00 PM and 5:15 PM.',
    ])
  })
})
