import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import * as fc from 'fast-check'
import { sql } from '../../platform/db/sql.ts'
import { addDays } from '../../platform/kernel/time/calendar.ts'
import { clockTimeAt } from '../../platform/kernel/time/written-time.ts'
import { setRules } from '../../test/open-rules.ts'
import { rowsOf } from '../../test/rows.ts'
import { type TestService, type TestVenue, startService } from '../../test/service.ts'

/*
 * The picker, the check and the request cannot differ: times drawn at venues of every sort are shown, checked and then
 * really asked for over HTTP. What is taken gives up its place again, so that each is asked of the same book.
 */

/** A service on every day, under the names and hours given. */
const daily = (...services: readonly object[]) =>
  [1, 2, 3, 4, 5, 6, 7].flatMap((weekday) =>
    services.map((one) => ({ weekday, name: 'Dinner', opens: '17:00', closes: '22:00', ...one })),
  )
const pacing = (intervalMinutes: number, maxCovers: number | null, maxParties: number | null = null) => ({
  intervalMinutes,
  maxCovers,
  maxParties,
})
const weekend = [5, 6].map((weekday) => ({ weekday, name: 'Late', opens: '18:00', closes: '03:30' }))

/** Each with what the rules are about. */
const houses: Readonly<Record<string, { timezone?: string; rules: object }>> = {
  'a slot that fills': { rules: { periods: daily({}), pacing: pacing(15, 6) } },
  'few parties, any minute': {
    rules: {
      periods: daily({ opens: '11:30', closes: '14:00', name: 'Lunch' }, { lastArrival: '21:10' }),
      slotStepMinutes: 25,
      pacing: pacing(30, null, 2),
      maxParty: 6,
      minParty: 2,
    },
  },
  'seatings and a special day': {
    rules: {
      periods: daily({ seatings: ['17:30', '19:45', '21:30'], maxParty: 5 }),
      pacing: pacing(20, 8, 3),
      specialDays: [
        { date: '2026-10-09', name: 'Private night', periods: [] },
        { date: '2026-10-12', name: 'Columbus Day', periods: [{ opens: '10:00', closes: '13:00' }] },
      ],
    },
  },
  'nights when the clocks change': {
    rules: { periods: weekend, pacing: pacing(30, 4), slotStepMinutes: 30 },
  },
  'half an hour of summer time': {
    timezone: 'Australia/Lord_Howe',
    rules: { periods: daily({ closes: '02:45' }), pacing: pacing(45, 5), slotStepMinutes: 45 },
  },
  'notice, cut-off and days ahead': {
    rules: {
      periods: daily({ opens: '12:00', closes: '23:00', sameDayCutoff: '17:00' }),
      minNoticeMinutes: 180,
      maxDaysAhead: 10,
      slotStepMinutes: 30,
      pacing: pacing(60, 12),
    },
  },
  'closures and blocks': {
    rules: {
      periods: daily({}),
      closures: [{ from: '2026-10-14', to: '2026-10-17', name: 'Refit' }],
      blocks: [
        { serviceDate: '2026-10-08', from: '18:00', to: '19:30', scope: 'online', publicNote: 'Tasting' },
        { serviceDate: '2026-10-10', from: '17:00', to: '22:00', scope: 'all' },
      ],
      pacing: pacing(15, 5),
    },
  },
  'booking paused': { rules: { periods: daily({}), onlinePaused: true } },
}

const today = '2026-10-06'
const draw = { seed: 20261006 }
const dates = fc.integer({ min: -2, max: 30 }).map((days) => addDays(today, days))
const sizes = fc.oneof(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 9 }))
const part = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })

type Slot = {
  date: string
  time: string
  startsAt: string
  open: boolean
  reason: string | null
  sentence: string | null
}

describe('the picker', () => {
  let service: TestService
  let venues: TestVenue[]

  const get = async (venue: TestVenue, path: string) => {
    const answer = await service.call('GET', `/api/v1/availability${path}`, { key: venue.key })
    assert.equal(answer.status, 200, answer.text)
    return answer.body
  }
  /** Asks for a table, and gives it up again. */
  const tried = async (venue: TestVenue, asked: object) => {
    const { status, body, text } = await service.call('POST', '/api/v1/reservations', {
      key: venue.key,
      body: { guestName: 'Maya', ...asked },
    })
    if (status === 409) return { reason: body.reason, sentence: body.error }
    assert.equal(status, 201, text)
    await service.db.run(
      sql()`delete from reservation where venue_id = ${venue.id} and id = ${body.reservation.id as number}`,
    )
    return { reason: null, sentence: null }
  }
  /** The same number of cases at each venue, the venues in parallel. */
  const atEach = async <Case>(
    cases: fc.Arbitrary<Case>,
    number: number,
    check: (venue: TestVenue, one: Case) => Promise<void>,
  ): Promise<void> => {
    const drawn = fc.sample(cases, { ...draw, numRuns: number })
    await Promise.all(
      venues.map(async (venue, place) => {
        for (let i = place; i < drawn.length; i += venues.length) await check(venue, drawn[i] as Case)
      }),
    )
  }

  before(async () => {
    service = await startService()
    venues = await Promise.all(
      Object.values(houses).map(async ({ timezone, rules }) => {
        const venue = await service.venue({ phone: '+1 212 555 0100', ...(timezone && { timezone }) })
        await setRules(service, venue, rules)
        return venue
      }),
    )
    // Parties at every hour, in statuses that count and in those that do not.
    await rowsOf(
      service,
      `insert into reservation (venue_id, guest_name, party_size, date, time, service_date, service_minute, starts_at,
         status, source, created_at, updated_at)
       select v.id, 'x', 1 + (n * 7 + d) % 4, day, '19:00', day, 600 + (n * 97 + d * 13) % 1000, day::timestamptz,
              (array['Requested', 'Confirmed', 'Seated', 'Completed', 'Cancelled', 'No-show'])[1 + (n + d) % 6], 'staff',
              '2026-10-01Z', '2026-10-01Z'
         from venue v, generate_series(0, 33) d, generate_series(1, 70) n, lateral (select date '2026-10-04' + d as day) x`,
    )
  })
  after(() => service.stop())

  it('what is open is taken, and what is not is refused in the same words, at many dates, times and sizes', async () => {
    let taken = 0
    let refused = 0
    await atEach(
      fc.record({ date: dates, partySize: sizes, one: part, other: part }),
      500,
      async (venue, { date, partySize, one, other }) => {
        const { days } = await get(venue, `?date=${date}&partySize=${partySize}&show=all`)
        const [{ slots, closed }] = days as [{ slots: Slot[]; closed: object | null }]
        if (closed) {
          const { reason } = await tried(venue, { date, time: '19:00', partySize })
          assert.equal(reason, date < today ? 'in-the-past' : 'closed')
          return
        }
        // One that is open and one that is not, where there are both.
        const { open = [], not = [] } = Object.groupBy(slots, (slot) => (slot.open ? 'open' : 'not'))
        for (const slot of [open[Math.floor(one * open.length)], not[Math.floor(other * not.length)]]) {
          if (!slot) continue
          const { reason, sentence, startsAt } = slot
          assert.equal(slot.open, reason === null)
          assert.deepEqual(await tried(venue, { startsAt, partySize }), { reason, sentence })
          if (slot.open) taken++
          else refused++
        }
      },
    )
    assert.ok(taken > 150 && refused > 150, `${taken} taken, ${refused} refused`)
  })

  it("the first rule that says no in a check of any minute is the request's own answer", async () => {
    const reasons = new Set<string | null>()
    await atEach(
      fc.record({ date: dates, minute: fc.integer({ min: 0, max: 1439 }), partySize: sizes }),
      200,
      async (venue, { date, minute, partySize }) => {
        const asked = { date, time: clockTimeAt(minute), partySize }
        const { ok, verdicts, reason, sentence } = await get(
          venue,
          `/check?date=${date}&time=${asked.time}&partySize=${partySize}`,
        )
        const first = verdicts.find((verdict: { ok: boolean | null }) => verdict.ok === false)
        assert.deepEqual([ok, reason, sentence], [!first, first?.reason ?? null, first?.sentence ?? null])
        assert.deepEqual(await tried(venue, asked), { reason, sentence })
        reasons.add(reason)
      },
    )
    assert.ok(reasons.size > 6, [...reasons].join(', '))
  })

  it('what is offered in the place of a refused time is taken, in the order of nearness', async () => {
    let offered = 0
    await atEach(
      fc.record({ date: dates, minute: fc.integer({ min: 0, max: 95 }), partySize: sizes }),
      60,
      async (venue, { date, minute, partySize }) => {
        const time = clockTimeAt(minute * 15)
        const { alternatives } = await get(venue, `/check?date=${date}&time=${time}&partySize=${partySize}`)
        for (const { startsAt } of alternatives as Slot[]) {
          assert.equal((await tried(venue, { startsAt, partySize })).reason, null, startsAt)
          offered++
        }
      },
    )
    assert.ok(offered > 60, String(offered))
  })
})
