import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { bookingRuleNames } from '@venue-data/contract/reasons.ts'
import { noting } from '../../../test/statements/noting.ts'
import { everyEvening, setRules } from '../../../test/open-rules.ts'
import { eventually } from '../../../test/eventually.ts'
import { countOf, rowsOf } from '../../../test/rows.ts'
import {
  type Answer,
  type TestService,
  type TestVenue,
  callService,
  startService,
} from '../../../test/service.ts'
import { startBeside } from '../../../test/wire.ts'
import { timesOfDays } from './availability.ts'

/*
 * What `GET /availability`, its check and the alternatives of a refusal promise, over HTTP. It is Tuesday 6 October 2026,
 * 15:00 at the venue. That none of them ever differs from the request itself is in picker.test.ts.
 */

type Slot = { date: string; time: string; open: boolean; reason: string | null; sentence: string | null }

const pacing = (maxCovers: number) => ({ intervalMinutes: 15, maxCovers, maxParties: null })
const opens = (weekday: number, more: object = {}) => ({
  weekday,
  name: 'Dinner',
  opens: '17:00',
  closes: '22:00',
  ...more,
})

/** The rules of a venue where tables decide nothing. */
const withoutTables = bookingRuleNames.filter((rule) => rule !== 'tables')

describe('availability', () => {
  let service: TestService
  let venue: TestVenue
  let people = 0
  const get = (path: string, headers: Record<string, string> = {}, key = venue.key): Promise<Answer> =>
    service.call('GET', `/api/v1/availability${path}`, { key, headers })
  const times = async (query: string): Promise<Slot[]> => {
    const { status, body, text } = await get(`?${query}`)
    assert.equal(status, 200, text)
    return body.days.flatMap(({ slots }: { slots: Slot[] }) => slots)
  }
  const shown = async (query: string): Promise<string[]> =>
    (await times(query)).map(({ date, time }) => `${date} ${time}`)
  const book = (when: object, { query = '', headers = {} } = {}): Promise<Answer> =>
    service.call('POST', `/api/v1/reservations${query}`, {
      key: venue.key,
      body: { guestName: 'Maya', email: `maya${++people}@example.com`, partySize: 2, ...when },
      headers,
    })
  const booked = async (when: object): Promise<number> => {
    const { status, body, text } = await book(when)
    assert.equal(status, 201, text)
    return body.reservation.id
  }

  before(async () => {
    service = await startService()
  })
  beforeEach(async () => {
    service.setClock('2026-10-06T19:00:00Z')
    venue = await service.venue({ phone: '+1 212 555 0100' })
  })
  after(() => service.stop())

  it('shows the times of a day as a request would find them', async () => {
    const turnMinutes = [{ upTo: 8, minutes: 105 }]
    await setRules(service, venue, everyEvening({ slotStepMinutes: 150, pacing: pacing(4), turnMinutes }))
    await booked({ date: '2026-10-09', time: '19:40' })
    const { status, body } = await get('?date=2026-10-09&partySize=4&show=all')
    assert.equal(status, 200)
    const slot = { service: 'Dinner', durationMinutes: 105, guarantee: null, experiences: [] }
    assert.deepEqual(body, {
      partySize: 4,
      timezone: 'America/New_York',
      asOf: '2026-10-06T19:00:00.000Z',
      days: [
        {
          date: '2026-10-09',
          closed: null,
          anyOpen: true,
          slots: [
            {
              date: '2026-10-09',
              time: '17:00',
              startsAt: '2026-10-09T17:00:00-04:00',
              ...slot,
              open: true,
              reason: null,
              sentence: null,
            },
            {
              date: '2026-10-09',
              time: '19:30',
              startsAt: '2026-10-09T19:30:00-04:00',
              ...slot,
              open: false,
              reason: 'pacing-covers-full',
              sentence: 'There are only 2 places left at 19:30.',
            },
          ],
        },
      ],
    })
    assert.deepEqual(await shown('date=2026-10-09&partySize=4'), ['2026-10-09 17:00'])
    assert.deepEqual(await shown('date=2026-10-09&partySize=4&show=open'), ['2026-10-09 17:00'])
  })

  it('two statements, for any range of days', async () => {
    await setRules(service, venue)
    const counting = async (days: number): Promise<number> => {
      let statements = 0
      const db = noting(service.db, () => void statements++).within(venue.id)
      const reading = { db, venue: { ...venue, plan: 'pro' }, now: service.context.clock } as const
      await timesOfDays(reading, { from: '2026-10-09', days, partySize: 2 })
      return statements
    }
    assert.deepEqual([await counting(1), await counting(14)], [2, 2])
  })

  it('after the last place is booked the slot is refused in the next call, of another process too', async () => {
    await setRules(service, venue, everyEvening({ slotStepMinutes: 150, pacing: pacing(4) }))
    const beside = await startBeside(service)
    const path = '/api/v1/availability?date=2026-10-09&partySize=3'
    const open = async () =>
      Promise.all(
        [service.url, beside.url].map(async (url) =>
          (await callService(url, 'GET', path, { key: venue.key })).body.days[0].slots.map(
            ({ time }: Slot) => time,
          ),
        ),
      )
    assert.deepEqual(await open(), [
      ['17:00', '19:30'],
      ['17:00', '19:30'],
    ])
    await booked({ date: '2026-10-09', time: '19:30' })
    assert.deepEqual(await open(), [['17:00'], ['17:00']])
    await beside.stop()
  })

  it('a closure is named, and a weekday without hours is closed', async () => {
    await setRules(service, venue, {
      periods: [2, 3, 4, 5, 6, 7].map((weekday) => opens(weekday)),
      closures: [{ from: '2026-10-10', to: '2026-10-10', name: 'Autumn break' }],
    })
    const { body } = await get('?date=2026-10-10&partySize=2&days=3')
    assert.deepEqual(
      body.days.map(({ date, closed, anyOpen, slots }: Record<string, unknown>) => ({
        date,
        closed,
        anyOpen,
        slots: (slots as Slot[]).length,
      })),
      [
        {
          date: '2026-10-10',
          closed: {
            reason: 'closed',
            sentence: 'The venue is closed on Saturday 10 October 2026 (Autumn break).',
          },
          anyOpen: false,
          slots: 0,
        },
        { date: '2026-10-11', closed: null, anyOpen: true, slots: 20 },
        {
          date: '2026-10-12',
          closed: { reason: 'closed', sentence: 'The venue is closed on Mondays.' },
          anyOpen: false,
          slots: 0,
        },
      ],
    )
  })

  it("Friday's slot at 00:30 is under Friday, with Saturday's date", async () => {
    await setRules(service, venue, { periods: [opens(5, { closes: '02:00' })], slotStepMinutes: 30 })
    const { body } = await get('?date=2026-10-09&partySize=2')
    const slot = body.days[0].slots.find(({ time }: Slot) => time === '00:30')
    assert.equal(body.days[0].date, '2026-10-09')
    assert.equal(slot.date, '2026-10-10')
    assert.equal(slot.startsAt, '2026-10-10T00:30:00-04:00')
    assert.deepEqual(await shown('date=2026-10-10&partySize=2'), [])
    await booked({ startsAt: slot.startsAt })
  })

  it('in spring the skipped times are absent, in autumn the doubled ones come once', async () => {
    await setRules(service, venue, { periods: [opens(6, { closes: '04:00' })], slotStepMinutes: 30 })
    const night = async (date: string) =>
      (await shown(`date=${date}&partySize=2`)).map((one) => one.slice(11)).filter((time) => time < '05:00')
    assert.deepEqual(await night('2027-03-13'), ['00:00', '00:30', '01:00', '01:30', '03:00', '03:30'])
    assert.deepEqual(await night('2026-10-31'), [
      '00:00',
      '00:30',
      '01:00',
      '01:30',
      '02:00',
      '02:30',
      '03:00',
      '03:30',
    ])
  })

  it('where the service has seatings they are the only times', async () => {
    await setRules(service, venue, { periods: [opens(5, { seatings: ['18:00', '20:30'] })] })
    assert.deepEqual(await shown('date=2026-10-09&partySize=2&show=all'), [
      '2026-10-09 18:00',
      '2026-10-09 20:30',
    ])
  })

  it('a block refuses whether it is of all or of online bookings, with its public note and no other', async () => {
    const span = { serviceDate: '2026-10-09', from: '18:00', to: '18:15' }
    const late = { serviceDate: '2026-10-09', from: '20:00', to: '20:15' }
    await setRules(
      service,
      venue,
      everyEvening({
        blocks: [
          { ...span, scope: 'all', publicNote: 'Private party' },
          { ...late, scope: 'online' },
        ],
      }),
    )
    await rowsOf(service, `update block set staff_note = 'The Whitakers' where venue_id = $1`, [venue.id])
    const { body, text } = await get('?date=2026-10-09&partySize=2&show=all')
    const refused = body.days[0].slots.filter(({ open }: Slot) => !open)
    assert.deepEqual(
      refused.map(({ time, reason, sentence }: Slot) => [time, reason, sentence]),
      [
        [
          '18:00',
          'blocked',
          'The venue takes no bookings between 18:00 and 18:15 on Friday 9 October (Private party).',
        ],
        ['20:00', 'blocked', 'The venue takes no bookings between 20:00 and 20:15 on Friday 9 October.'],
      ],
    )
    assert.ok(!text.includes('Whitakers'))
  })

  it('while online booking is paused every slot is refused', async () => {
    await setRules(service, venue, everyEvening({ onlinePaused: true }))
    const { body } = await get('?date=2026-10-09&partySize=2&show=all')
    assert.equal(body.days[0].anyOpen, false)
    assert.deepEqual([...new Set(body.days[0].slots.map(({ reason }: Slot) => reason))], ['blocked'])
    assert.deepEqual(await shown('date=2026-10-09&partySize=2'), [])
  })

  it('what is missing, out of its limits or cannot be read is 400', async () => {
    await setRules(service, venue)
    const good = 'date=2026-10-09&partySize=2'
    for (const bad of [
      '',
      'date=2026-10-09',
      'partySize=2',
      `${good}&days=15`,
      `${good}&days=0`,
      `${good}&days=`,
      `${good}&days=1.0`,
      `${good}&days=1&days=1`,
      'date=2026-10-09&partySize=0',
      'date=2026-10-09&partySize=10001',
      'date=2026-10-09&partySize=-2',
      'date=2026-10-09&partySize=two',
      'date=2026-10-09&partySize=',
      'date=2026-10-32&partySize=2',
      'date=2026-02-29&partySize=2',
      'date=tomorrow&partySize=2',
      'date=&partySize=2',
      `${good}&show=closed`,
      `${good}&show=`,
      `${good}&date=2026-10-09`,
    ]) {
      const { status, body } = await get(`?${bad}`)
      assert.equal(status, 400, bad)
      assert.deepEqual(Object.keys(body), ['error'], bad)
    }
    for (const fine of [`${good}&days=14`, `${good}&days=014`, 'date=2026-10-09&partySize=10000']) {
      assert.equal((await get(`?${fine}`)).status, 200, fine)
    }
    for (const edge of ['0001-01-01', '9999-12-31']) {
      const { status, body } = await get(`?date=${edge}&partySize=2&days=14`)
      assert.equal(status, 200, edge)
      assert.equal(body.days.length, edge === '9999-12-31' ? 1 : 14)
    }
    for (const bad of [
      '',
      '?partySize=2',
      '?date=2026-10-09&partySize=2',
      '?time=19:00&partySize=2',
      '?date=2026-10-09&time=19:00',
      '?date=2026-10-09&time=7&partySize=2',
      '?date=2026-10-09&time=19:00&partySize=0',
      '?startsAt=2026-10-09T19:00:00&partySize=2',
      '?date=2026-10-09&time=20:00&startsAt=2026-10-09T19:00:00-04:00&partySize=2',
      '?date=2027-03-14&time=02:30&partySize=2',
    ]) {
      assert.equal((await get(`/check${bad}`)).status, 400, bad)
    }
  })

  it('a refusal names the nearest open times where it is asked to, each bookable; else its bytes are the old ones', async () => {
    await setRules(service, venue, everyEvening({ pacing: pacing(4), maxParty: 8 }))
    await booked({ date: '2026-10-09', time: '19:00', partySize: 4 })
    const full = { date: '2026-10-09', time: '19:00' }
    const plain = await book(full)
    assert.equal(plain.status, 409)
    assert.equal(plain.text, '{"error":"19:00 is fully booked.","reason":"pacing-covers-full"}')
    const asking = await book(full, { query: '?alternatives=3' })
    assert.equal(asking.status, 409)
    assert.deepEqual(asking.body, {
      error: '19:00 is fully booked.',
      reason: 'pacing-covers-full',
      alternatives: [
        { date: '2026-10-09', time: '18:45', startsAt: '2026-10-09T18:45:00-04:00' },
        { date: '2026-10-09', time: '19:15', startsAt: '2026-10-09T19:15:00-04:00' },
        { date: '2026-10-09', time: '18:30', startsAt: '2026-10-09T18:30:00-04:00' },
      ],
    })
    for (const { startsAt } of asking.body.alternatives) await booked({ startsAt, partySize: 4 })
    const { body } = await get('/check?date=2026-10-09&time=19:00&partySize=4')
    assert.deepEqual(
      body.alternatives.map(({ time }: Slot) => time),
      ['19:30', '18:15', '19:45'],
    )
    assert.equal((await book(full, { query: '?alternatives=5' })).body.alternatives.length, 5)

    const large = await book({ ...full, partySize: 9 }, { query: '?alternatives=3' })
    assert.deepEqual([large.body.reason, large.body.alternatives], ['party-too-large', []])
    for (const ignored of ['0', '6', '9', '03', '3.0', '', 'three', '3&alternatives=3']) {
      assert.equal((await book(full, { query: `?alternatives=${ignored}` })).text, plain.text, ignored)
    }
    const unreadable = await book({ ...full, time: '7' }, { query: '?alternatives=3' })
    assert.deepEqual([unreadable.status, Object.keys(unreadable.body)], [400, ['error']])
    assert.equal((await book({ ...full, time: '21:00' }, { query: '?alternatives=3' })).status, 201)
  })

  it('where no day near has an open time they are looked for up to 14 days away', async () => {
    await setRules(service, venue, {
      periods: [opens(3, { seatings: ['18:00'] })],
      closures: [{ from: '2026-10-07', to: '2026-10-08', name: 'Refit' }],
    })
    // They are left out where looking takes too long, as it may on a busy machine: who asks again gets them.
    const dates = async (date: string) => {
      const found: readonly Slot[] = await eventually(
        async () => (await book({ date, time: '18:00' }, { query: '?alternatives=2' })).body.alternatives,
      )
      return found.map((one) => one.date)
    }
    assert.deepEqual(await dates('2026-10-07'), ['2026-10-14', '2026-10-21'])
    assert.deepEqual(await dates('2026-10-13'), ['2026-10-14'])
    await setRules(service, venue, everyEvening({ maxDaysAhead: 2 }))
    assert.deepEqual(await dates('2026-12-13'), [])
  })

  it('a refused request that asked for alternatives leaves nothing behind and is not kept', async () => {
    await setRules(service, venue, everyEvening({ pacing: pacing(2) }))
    const first = await booked({ date: '2026-10-09', time: '19:00' })
    const tables = ['reservation', 'guest', 'event', 'idempotency', 'activity', 'record_change']
    const left = () => Promise.all(tables.map((table) => countOf(service, table, venue.id)))
    const before = await left()
    const again = {
      query: '?alternatives=3',
      headers: { 'idempotency-key': 'try' },
    }
    const body = { date: '2026-10-09', time: '19:00', email: 'ines@example.com' }
    const refused = await book(body, again)
    assert.deepEqual([refused.status, refused.body.alternatives.length], [409, 3])
    assert.deepEqual(await left(), before)
    await rowsOf(service, `update reservation set status = 'Cancelled' where venue_id = $1 and id = $2`, [
      venue.id,
      first,
    ])
    const taken = await book(body, again)
    assert.deepEqual([taken.status, taken.headers.get('idempotent-replayed')], [201, null])
    const replayed = await book(body, again)
    assert.deepEqual([replayed.status, replayed.text], [201, taken.text])
    const other = await book({ ...body, time: '20:00' }, again)
    assert.deepEqual([other.body.reason, other.body.alternatives], ['different-body', undefined])
  })

  it('a refusal does not wait for alternatives that take too long', async () => {
    await setRules(service, venue)
    await service.db.session(async (client) => {
      // Nothing is asked of the book about a time outside all services; about the times to offer it is.
      await client.query('begin')
      await client.query('lock table reservation in access exclusive mode')
      const refused = await book({ date: '2026-10-09', time: '16:00' }, { query: '?alternatives=3' })
      await client.query('rollback')
      assert.equal(refused.status, 409)
      assert.deepEqual(Object.keys(refused.body), ['error', 'reason'])
    })
  })

  it("a read key may ask, and another venue's book makes no difference", async () => {
    const rules = everyEvening({ slotStepMinutes: 150, pacing: pacing(2) })
    await setRules(service, venue, rules)
    const other = await service.venue()
    await setRules(service, other, rules)
    await booked({ date: '2026-10-09', time: '17:00' })
    const { key } = await other.makeKey('read')
    for (const path of ['?date=2026-10-09&partySize=2', '/check?date=2026-10-09&time=17:00&partySize=2']) {
      const answer = await get(path, { 'if-none-match': '"x"' }, key)
      assert.equal(answer.status, 200)
      const { days, ok } = answer.body
      if (days)
        assert.deepEqual(
          days[0].slots.map(({ time }: Slot) => time),
          ['17:00', '19:30'],
        )
      else assert.equal(ok, true)
    }
    assert.deepEqual(await shown('date=2026-10-09&partySize=2'), ['2026-10-09 19:30'])
  })

  it('says that nothing has changed until something has, however the clock moves, such as by a cancellation', async () => {
    await setRules(service, venue, everyEvening({ pacing: pacing(2) }))
    const id = await booked({ date: '2026-10-09', time: '17:00' })
    for (const path of [
      '?date=2026-10-09&partySize=2&days=2',
      '/check?date=2026-10-09&time=17:00&partySize=2',
    ]) {
      const first = await get(path)
      const tag = { 'if-none-match': first.headers.get('etag') ?? '' }
      assert.match(tag['if-none-match'], /^W\/"[\w-]{22}"$/)
      service.setClock('2026-10-06T19:00:30Z')
      const again = await get(path, tag)
      assert.deepEqual([again.status, again.text], [304, ''])
      assert.equal(again.headers.get('etag'), first.headers.get('etag'))
      assert.ok(again.headers.get('ratelimit-remaining'))
      const status = (to: string) =>
        rowsOf(service, `update reservation set status = $3 where venue_id = $1 and id = $2`, [
          venue.id,
          id,
          to,
        ])
      await status('Cancelled')
      const now = await get(path, tag)
      assert.equal(now.status, 200)
      assert.notEqual(now.headers.get('etag'), first.headers.get('etag'))
      await status('Requested')
    }
  })

  it('a check says what every rule says, in the published order, and the first refusal as the answer', async () => {
    await setRules(
      service,
      venue,
      everyEvening({ pacing: pacing(4), maxParty: 3, maxDaysAhead: 2, slotStepMinutes: 150 }),
    )
    const { body } = await get('/check?date=2026-10-09&time=7:05pm&partySize=5')
    assert.deepEqual(Object.keys(body), [
      'ok',
      'verdicts',
      'reason',
      'sentence',
      'durationMinutes',
      'service',
      'alternatives',
    ])
    assert.deepEqual(
      body.verdicts.map(({ rule, ok }: { rule: string; ok: boolean }) => [rule, ok]),
      withoutTables.map((rule) => [rule, !['party-size', 'days-ahead', 'pacing-covers'].includes(rule)]),
    )
    assert.deepEqual(
      [body.ok, body.reason, body.sentence],
      [false, 'party-too-large', 'The venue takes parties of up to 3 here; please call +1 212 555 0100.'],
    )
    assert.deepEqual([body.durationMinutes, body.service, body.alternatives], [120, 'Dinner', []])

    const fine = await get('/check?startsAt=2026-10-08T19:05:00-04:00&partySize=2')
    assert.deepEqual(
      [fine.body.ok, fine.body.reason, fine.body.sentence, fine.body.alternatives],
      [true, null, null, []],
    )
    const plus = await get('/check?startsAt=2026-10-09T01:05:00+02:00&partySize=2')
    assert.equal(plus.body.ok, true)
  })

  it('a check leaves open what cannot be judged where there is no service', async () => {
    await setRules(service, venue, { periods: [opens(5)], maxParty: 3 })
    const unjudged = async (when: string) => {
      const { body } = await get(`/check?${when}&partySize=4`)
      return Object.groupBy(
        body.verdicts as { rule: string; ok: boolean | null }[],
        ({ ok }) => String(ok) as 'true' | 'false' | 'null',
      )
    }
    const rulesOf = (list: { rule: string }[] = []) => list.map(({ rule }) => rule)
    const closed = await unjudged('date=2026-10-10&time=19:00')
    assert.deepEqual(rulesOf(closed.false), ['closed-day', 'party-size'])
    assert.deepEqual(rulesOf(closed.null), [
      'hours',
      'last-arrival',
      'seatings',
      'pacing-covers',
      'pacing-parties',
    ])
    const outside = await unjudged('date=2026-10-09&time=12:00')
    assert.deepEqual(rulesOf(outside.false), ['hours', 'party-size'])
    assert.deepEqual(rulesOf(outside.null), ['last-arrival', 'seatings', 'pacing-covers', 'pacing-parties'])
  })
})
