import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import type { BookingReason } from '@venue-data/contract/reasons.ts'
import { everyEvening, setRules } from '../../test/open-rules.ts'
import { tablesOf, turnTablesOn } from '../tables/test/floor.ts'
import { countOf } from '../../test/rows.ts'
import { type TestService, type TestVenue, startService } from '../../test/service.ts'

/**
 * It is Tuesday 6 October 2026, 15:00 at the venue; a request is for Friday 9 October at 19:00 unless stated
 * otherwise.
 */
const cases: Record<
  Exclude<BookingReason, 'experience-full'>,
  { rules: object; ask?: object; first?: object; sentence: string }
> = {
  'in-the-past': {
    rules: everyEvening(),
    ask: { date: '2026-10-06', time: '14:59' },
    sentence: 'It is already 15:00 on Tuesday 6 October at the venue, so 14:59 has passed.',
  },
  closed: {
    rules: everyEvening({ closures: [{ from: '2026-10-08', to: '2026-10-10', name: 'Autumn break' }] }),
    sentence: 'The venue is closed on Friday 9 October 2026 (Autumn break).',
  },
  'outside-hours': {
    rules: everyEvening(),
    ask: { time: '22:00' },
    sentence: 'On Friday 9 October the venue takes arrivals between 17:00 and 22:00.',
  },
  blocked: {
    rules: everyEvening({
      blocks: [{ serviceDate: '2026-10-09', from: '18:00', to: '19:30', scope: 'online' }],
    }),
    sentence: 'The venue takes no bookings between 18:00 and 19:30 on Friday 9 October.',
  },
  'same-day-cutoff': {
    rules: everyEvening({ sameDayCutoff: '15:00' }),
    ask: { date: '2026-10-06' },
    sentence: 'Bookings for today closed at 15:00.',
  },
  'party-too-small': {
    rules: everyEvening({ minParty: 3 }),
    sentence: 'parties of 3 or more',
  },
  'party-too-large': {
    rules: everyEvening({ maxParty: 8 }),
    ask: { partySize: 9 },
    sentence: 'The venue takes parties of up to 8 here; please call +1 212 555 0100.',
  },
  'too-short-notice': {
    rules: everyEvening({ minNoticeMinutes: 241 }),
    ask: { date: '2026-10-06' },
    sentence: "Bookings need at least 241 minutes' notice; the earliest time now is 19:01.",
  },
  'too-far-ahead': {
    rules: everyEvening({ maxDaysAhead: 2 }),
    sentence: 'Bookings open 2 days ahead; the last date now is Thursday 8 October 2026.',
  },
  'after-last-arrival': {
    rules: {
      periods: [{ weekday: 5, name: 'Dinner', opens: '17:00', closes: '22:00', lastArrival: '18:59' }],
    },
    sentence: 'The last arrival on Friday 9 October is 18:59.',
  },
  'not-a-seating-time': {
    rules: {
      periods: [
        { weekday: 5, name: 'Dinner', opens: '17:00', closes: '22:00', seatings: ['18:00', '20:30'] },
      ],
    },
    sentence: 'On Friday 9 October the seatings are 18:00 and 20:30.',
  },
  'pacing-covers-full': {
    rules: everyEvening({ pacing: { intervalMinutes: 15, maxCovers: 5, maxParties: null } }),
    first: { partySize: 4, time: '19:05' },
    sentence: 'There is only 1 place left at 19:00.',
  },
  'pacing-parties-full': {
    rules: everyEvening({ pacing: { intervalMinutes: 15, maxCovers: null, maxParties: 1 } }),
    first: { partySize: 1, time: '19:14' },
    sentence: '19:00',
  },
  'tables-full': {
    rules: everyEvening(tablesOf([{ label: '1', most: 4 }])),
    first: { partySize: 3, time: '18:00' },
    sentence: 'There is no table for 2 at 19:00.',
  },
}

describe('POST /reservations is refused', () => {
  let service: TestService
  let venue: TestVenue
  let people = 0
  const book = (more: object = {}) =>
    service.call('POST', '/api/v1/reservations', {
      key: venue.key,
      body: {
        guestName: 'Maya',
        partySize: 2,
        email: `maya${++people}@example.com`,
        phone: '2125550147',
        date: '2026-10-09',
        time: '19:00',
        ...more,
      },
      headers: { 'idempotency-key': `try-${people}` },
    })
  const left = () =>
    Promise.all(
      ['reservation', 'guest', 'event', 'idempotency', 'activity'].map((table) =>
        countOf(service, table, venue.id),
      ),
    )

  before(async () => {
    service = await startService()
  })
  beforeEach(async () => {
    venue = await service.venue({ phone: '+1 212 555 0100' })
  })
  after(() => service.stop())

  for (const reason of Object.keys(cases) as (keyof typeof cases)[]) {
    it(`${reason}: 409 with a sentence that names the fact, and nothing stays behind`, async () => {
      const { rules, ask, first, sentence } = cases[reason]
      await setRules(service, venue, rules)
      if (reason === 'tables-full') await turnTablesOn(service, venue)
      if (first) assert.equal((await book(first)).status, 201)
      const before = await left()
      const answer = await book(ask)
      assert.equal(answer.status, 409, answer.text)
      assert.deepEqual(Object.keys(answer.body), ['error', 'reason'])
      assert.equal(answer.body.reason, reason)
      assert.ok(answer.body.error.includes(sentence), answer.body.error)
      assert.deepEqual(await left(), before)
    })
  }

  it('the name of a closure that ends in a period does not end the sentence twice', async () => {
    await setRules(
      service,
      venue,
      everyEvening({ closures: [{ from: '2026-10-09', to: '2026-10-09', name: 'Works.' }] }),
    )
    assert.equal((await book()).body.error, 'The venue is closed on Friday 9 October 2026 (Works).')
  })

  it('a weekday without hours, and a venue without any, are closed, each for its own reason', async () => {
    await setRules(service, venue, { periods: [{ weekday: 1, opens: '17:00', closes: '22:00' }] })
    const friday = await book()
    assert.equal(friday.body.reason, 'closed')
    assert.equal(friday.body.error, 'The venue is closed on Fridays.')
    venue = await service.venue()
    const unset = await book()
    assert.equal(unset.body.reason, 'closed')
    assert.equal(
      unset.body.error,
      'The venue has not set its weekly opening hours yet, so it takes no bookings for Friday 9 October 2026.',
    )
  })

  it('never with text from staff notes or about another party', async () => {
    await setRules(
      service,
      venue,
      everyEvening({ blocks: [{ serviceDate: '2026-10-09', from: '18:00', to: '20:00', scope: 'all' }] }),
    )
    await service.db.session((client) =>
      client.query(`update block set staff_note = 'Okafor buyout' where venue_id = $1`, [venue.id]),
    )
    const answer = await book()
    assert.equal(answer.body.reason, 'blocked')
    assert.ok(!answer.text.includes('Okafor'))
  })

  it('a booking without an email or a usable phone is still made, without a guest', async () => {
    await setRules(service, venue)
    const answer = await book({ email: null, phone: 'at the bar' })
    assert.equal(answer.status, 201)
    assert.equal(answer.body.reservation.phone, 'at the bar')
    assert.equal(await countOf(service, 'guest', venue.id), 0)
  })

  it('startsAt picks its moment on the venue’s clock; both readings of one time share a slot', async () => {
    await setRules(service, venue, {
      periods: [{ weekday: 6, name: 'Late', opens: '22:00', closes: '03:00' }],
      pacing: { intervalMinutes: 60, maxCovers: 4, maxParties: null },
    })
    // 1 November 2026, 01:30 happens twice in New York; both belong to Saturday's service.
    const at = (startsAt: string) => book({ date: null, time: null, startsAt })
    const [earlier, later] = [await at('2026-11-01T01:30:00-04:00'), await at('2026-11-01T01:30:59-05:00')]
    for (const answer of [earlier, later]) {
      assert.equal(answer.status, 201, answer.text)
      assert.deepEqual([answer.body.reservation.date, answer.body.reservation.time], ['2026-11-01', '01:30'])
    }
    assert.equal((await at('2026-11-01T05:30:00Z')).body.reason, 'pacing-covers-full')
  })
})
