import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { bookingReasons } from '@venue-data/contract/reasons.ts'
import { addDays } from '../../../platform/kernel/time/calendar.ts'
import { wallTimeOf } from '../../../platform/kernel/time/venue-clock.ts'
import { clockTimeAt, readTime } from '../../../platform/kernel/time/written-time.ts'
import { type BookingRules, type ServicePeriod, blockScopes } from '../../rules/booking-rules.ts'
import type { BookingRequest } from '../../day/facts.ts'
import { openTimes } from './open-times.ts'
import { resolveService } from '../../rules/resolve-service.ts'
import { aPeriod, aRequest, at, judge, judgeAll, loadOf, someRules } from '../test/venue.ts'

const zones = [
  'America/New_York',
  'Australia/Lord_Howe',
  'America/Santiago',
  'Pacific/Kiritimati',
  'UTC',
] as const
const first = '2026-10-01'
const days = fc.integer({ min: 0, max: 45 }).map((day) => addDays(first, day))
const orNull = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null })
const limit = (max: number) => orNull(fc.integer({ min: 0, max }))

/** At most one service a day, so that no two overlap; the long ones run past midnight. */
const periods = fc
  .array(
    fc.record({
      weekday: fc.integer({ min: 1, max: 7 }),
      startMinute: fc.integer({ min: 600, max: 1439 }),
      length: fc.integer({ min: 1, max: 600 }),
      last: orNull(fc.integer({ min: 0, max: 600 })),
      seatings: fc.uniqueArray(fc.integer({ min: 0, max: 599 }), { maxLength: 3 }),
      sameDayCutoffMinute: limit(1439),
      maxParty: orNull(fc.integer({ min: 1, max: 9 })),
      maxCovers: limit(12),
    }),
    { maxLength: 7 },
  )
  .map((list) =>
    [...new Map(list.map((period) => [period.weekday, period])).values()].map((drawn) => ({
      weekday: drawn.weekday,
      ...aPeriod({
        startMinute: drawn.startMinute,
        endMinute: drawn.startMinute + drawn.length,
        lastArrivalMinute: drawn.last === null ? null : drawn.startMinute + drawn.last,
        seatingMinutes: drawn.seatings
          .filter((offset) => offset < drawn.length)
          .map((offset) => drawn.startMinute + offset),
        sameDayCutoffMinute: drawn.sameDayCutoffMinute,
        maxParty: drawn.maxParty,
        pacing: { intervalMinutes: null, maxCovers: drawn.maxCovers, maxParties: null },
      }),
    })),
  )

const someVenue: fc.Arbitrary<BookingRules> = fc
  .record({
    timezone: fc.constantFrom(...zones),
    periods,
    minParty: fc.integer({ min: 1, max: 3 }),
    maxParty: orNull(fc.integer({ min: 3, max: 9 })),
    minNoticeMinutes: fc.constantFrom(0, 1, 60, 1440),
    maxDaysAhead: limit(40),
    sameDayCutoffMinute: limit(1439),
    slotStepMinutes: fc.constantFrom(7, 15, 30),
    onlinePaused: fc.boolean(),
    pacing: fc.record({
      intervalMinutes: fc.integer({ min: 1, max: 90 }),
      maxCovers: limit(12),
      maxParties: limit(4),
    }),
    closures: fc.array(fc.record({ from: days, to: days, name: fc.constant('Refit') }), { maxLength: 2 }),
    specialDays: fc.array(
      fc.record({
        date: days,
        name: fc.constant('Holiday'),
        periods: fc.constantFrom<readonly ServicePeriod[]>([], [aPeriod({ endMinute: 1500 })]),
      }),
      { maxLength: 2 },
    ),
    blocks: fc.array(
      fc.record({
        serviceDate: days,
        fromMinute: fc.integer({ min: 0, max: 1200 }),
        toMinute: fc.integer({ min: 1201, max: 2879 }),
        scope: fc.constantFrom(...blockScopes),
        publicNote: fc.constant(null),
      }),
      { maxLength: 3 },
    ),
  })
  .map((changes) => someRules(changes))

const start = at(first, '00:00').epochMilliseconds
const minuteOfAutumn = fc.integer({ min: 0, max: 45 * 1440 })
const moment = (minute: number) => Temporal.Instant.fromEpochMilliseconds(start + minute * 60_000)

/** A venue, a moment now, and a request from a few hours ago to weeks ahead. */
const asked = fc
  .record({
    rules: someVenue,
    now: minuteOfAutumn,
    ahead: fc.oneof(fc.integer({ min: -600, max: 3000 }), fc.integer({ min: 0, max: 60 * 1440 })),
    partySize: fc.integer({ min: 1, max: 10 }),
    door: fc.constantFrom<BookingRequest['door']>('online', 'staff'),
    load: fc.record({ covers: fc.integer({ min: 0, max: 14 }), parties: fc.integer({ min: 0, max: 5 }) }),
  })
  .map(({ rules, now, ahead, partySize, door, load }) => {
    const startsAt = moment(now + ahead)
    const request: BookingRequest = { ...wallTimeOf(startsAt, rules.timezone), startsAt, partySize, door }
    return { rules, clock: moment(now), request, load }
  })

const manyRuns = { numRuns: 2000 }

const neverAsked = () => assert.fail('queried a load')

describe('evaluate', () => {
  it('the first failure is the only answer, and staff see every one in the same order', () => {
    const rules = someRules({ maxParty: 1, minNoticeMinutes: 60, maxDaysAhead: 0, onlinePaused: true })
    const clock = at('2026-10-06', '16:30')
    const request = aRequest('2026-10-07', '17:00')
    const reasons = judgeAll(rules, clock, request, loadOf({})).map(({ reason }) => reason)
    assert.deepEqual(reasons, ['blocked', 'party-too-large', 'too-far-ahead'])
    const answer = judge(rules, clock, request, loadOf({}))
    assert.equal(!answer.ok && answer.refusal.reason, 'blocked')
  })

  it('every rule that can refuse at once does so in the published order', () => {
    const rules = someRules({
      onlinePaused: true,
      sameDayCutoffMinute: 0,
      maxParty: 1,
      minNoticeMinutes: 60,
      periods: [{ weekday: 2, ...aPeriod({ lastArrivalMinute: 1030, seatingMinutes: [1020] }) }],
      pacing: { intervalMinutes: 15, maxCovers: 0, maxParties: 0 },
    })
    const request = aRequest('2026-10-06', '19:00')
    const reasons = (venue: BookingRules, now: string) =>
      judgeAll(venue, at('2026-10-06', now), request, loadOf({})).map(({ reason }) => reason)
    const held = [
      'blocked',
      'same-day-cutoff',
      'party-too-large',
      'too-short-notice',
      'after-last-arrival',
      'not-a-seating-time',
      'pacing-covers-full',
      'pacing-parties-full',
    ]
    assert.deepEqual(reasons(rules, '18:30'), held)
    assert.deepEqual(reasons(rules, '19:01'), ['in-the-past', ...held])
    const published = Object.keys(bookingReasons).filter((reason) => held.includes(reason))
    assert.deepEqual(held, published)
  })

  it('outside every service the load is not queried, and the venue-wide rules still answer staff', () => {
    const rules = someRules({ maxParty: 1, pacing: { intervalMinutes: 15, maxCovers: 0, maxParties: 0 } })
    const refusals = judgeAll(rules, at('2026-10-06', '12:00'), aRequest('2026-10-07', '16:00'), neverAsked)
    assert.deepEqual(
      refusals.map(({ reason }) => reason),
      ['outside-hours', 'party-too-large'],
    )
  })

  it('is deterministic, and its refusal is the first of collectAll', () => {
    fc.assert(
      fc.property(asked, ({ rules, clock, request, load }) => {
        const answer = judge(rules, clock, request, loadOf(load))
        assert.deepEqual(judge(rules, clock, request, loadOf(load)), answer)
        const all = judgeAll(rules, clock, request, loadOf(load))
        assert.deepEqual(answer.ok ? undefined : answer.refusal, all[0])
      }),
      manyRuns,
    )
  })

  it('seconds of the clock never change the answer', () => {
    fc.assert(
      fc.property(
        asked,
        fc.integer({ min: 0, max: 59_999 }),
        ({ rules, clock, request, load }, milliseconds) => {
          const later = clock.add({ milliseconds })
          assert.deepEqual(
            judge(rules, later, request, loadOf(load)),
            judge(rules, clock, request, loadOf(load)),
          )
        },
      ),
    )
  })

  it('what is accepted at a load is accepted at any smaller load', () => {
    fc.assert(
      fc.property(
        asked,
        fc.double({ min: 0, max: 1, noNaN: true }),
        ({ rules, clock, request, load }, part) => {
          if (!judge(rules, clock, request, loadOf(load)).ok) return
          const smaller = { covers: Math.floor(load.covers * part), parties: Math.floor(load.parties * part) }
          assert.equal(judge(rules, clock, request, loadOf(smaller)).ok, true)
        },
      ),
      manyRuns,
    )
  })

  it('every accepted time lies in its period and its bucket, and is not past', () => {
    fc.assert(
      fc.property(asked, ({ rules, clock, request, load }) => {
        const answer = judge(rules, clock, request, loadOf(load))
        if (!answer.ok) return
        const { serviceMinute, bucketStartMinute } = answer.placement
        const { period } = resolveService(rules, request)
        assert.ok(period && bucketStartMinute !== null)
        assert.ok(period.startMinute <= serviceMinute && serviceMinute < period.endMinute)
        assert.ok(period.startMinute <= bucketStartMinute && bucketStartMinute <= serviceMinute)
        assert.ok(serviceMinute < bucketStartMinute + rules.pacing.intervalMinutes)
        assert.ok(Temporal.Instant.compare(request.startsAt, clock) >= 0)
      }),
      manyRuns,
    )
  })

  it('in any zone, on any night, the service minute maps back to the requested time and date', () => {
    fc.assert(
      fc.property(asked, ({ rules, request }) => {
        const { serviceDate, serviceMinute } = resolveService(rules, request)
        assert.ok(serviceMinute >= 0 && serviceMinute < 2880)
        assert.equal(clockTimeAt(serviceMinute), request.time)
        assert.equal(readTime(clockTimeAt(serviceMinute)), request.time)
        assert.equal(addDays(serviceDate, Math.floor(serviceMinute / 1440)), request.date)
      }),
      manyRuns,
    )
  })

  it('the picker agrees with evaluate: a slot shown is the answer its request gets', () => {
    fc.assert(
      fc.property(asked, ({ rules, clock, request, load }) => {
        const { partySize, door } = request
        const serviceDate = request.date
        const { closed, slots } = openTimes(rules, clock, { serviceDate, partySize, door }, loadOf(load))
        assert.ok(closed === null || slots.length === 0)
        for (const { evaluation, ...when } of slots) {
          assert.deepEqual(wallTimeOf(when.startsAt, rules.timezone), { date: when.date, time: when.time })
          assert.deepEqual(judge(rules, clock, { ...when, partySize, door }, loadOf(load)), evaluation)
          assert.equal(resolveService(rules, when).serviceDate, serviceDate)
        }
      }),
    )
  })

  it('a sentence is one or two plain sentences', () => {
    fc.assert(
      fc.property(asked, ({ rules, clock, request, load }) => {
        for (const { sentence } of judgeAll(rules, clock, request, loadOf(load))) {
          assert.match(sentence, /^[A-Z0-9][^\n]*\.$/)
          assert.doesNotMatch(sentence, /undefined|null|NaN| {2}|-\d|\d{4}-\d/)
        }
      }),
      manyRuns,
    )
  })
})
