import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Guest } from '@venue-data/contract/records/guest.ts'
import { Lead } from '@venue-data/contract/records/lead.ts'
import { Reservation } from '@venue-data/contract/records/reservation.ts'
import { Subscriber } from '@venue-data/contract/records/subscriber.ts'
import { TicketOrder } from '@venue-data/contract/records/ticket-order.ts'
import { WaitlistEntry } from '@venue-data/contract/records/waitlist-entry.ts'
import { Value } from 'typebox/value'
import { sql } from '../platform/db/sql.ts'
import { wholeFloor } from '../book/rules/floor/floor-reads.ts'
import { type EveningFloor, eveningFloor } from '../book/tables/reads.ts'
import { tableClashes } from '../book/tables/to-settle.ts'
import { allBookingRules, bookingRulesAround } from '../book/rules/rules-store.ts'
import { allVenues } from '../core/venue/venues.ts'
import { quoteFor } from '../book/waitlist/quote.ts'
import { rowsOf } from '../test/rows.ts'
import { type TestService, startService } from '../test/service.ts'
import { linesOfStart } from './first-start.ts'
import { type Demo, makeDemo } from './make-demo.ts'
import { openSlotOnFriday } from './open-slot.ts'

const scale = 0.1

describe('the demo venue', () => {
  let service: TestService
  let demo: Demo
  const count = async (table: 'venue' | 'guest' | 'reservation' | 'event' | 'api_key'): Promise<number> => {
    const { rows } = await service.db.session((client) =>
      client.query(`select count(*)::int as n from ${table}`),
    )
    return rows[0].n
  }

  before(async () => {
    service = await startService()
  })
  after(() => service.stop())

  it('leaves nothing behind when it breaks off', async () => {
    let draws = 0
    const random = (size: number): Buffer => {
      // The records and the first keys are written by then.
      if (++draws > 2) throw new Error('no more random bytes')
      return service.context.random(size)
    }
    await assert.rejects(makeDemo({ ...service.context, random }, { scale }), /no more random bytes/)
    for (const table of ['venue', 'guest', 'reservation', 'api_key'] as const)
      assert.equal(await count(table), 0)
  })

  it('is made completely, with three keys that work and three sign-ins', async () => {
    demo = await makeDemo(service.context, { scale })
    assert.equal(await count('reservation'), demo.records.reservations)
    assert.equal(await count('guest'), demo.records.guests)
    assert.equal(await count('event'), 0, 'a year of history emits no events')
    const me = async (key: string) => (await service.call('GET', '/api/v1/me', { key })).body
    const venue = { slug: 'blue-door', name: 'The Blue Door', timezone: 'America/New_York' }
    const { readWrite, readOnly, automation } = demo.keys
    for (const [given, kind, scope] of [
      [readWrite, 'api', 'read_write'],
      [readOnly, 'api', 'read'],
      [automation, 'automation', 'read_write'],
    ] as const) {
      const { key, ...account } = await me(given)
      assert.deepEqual([account, key.kind, key.scope], [{ venue, plan: 'pro' }, kind, scope])
    }
    assert.deepEqual(
      demo.signIns.map(({ role }) => role),
      ['owner', 'manager', 'host'],
    )
    assert.ok(demo.signIns.every(({ password }) => /^[a-z2-9]{4}(-[a-z2-9]{4}){4}$/.test(password)))
  })

  it('has views of its pages that add up, by each kind, to all of them', async () => {
    const uneven = await rowsOf(
      service,
      `select day::text, step from visit_day where door = 'book'
        group by day, step having count(distinct dimension) <> 4 or
          4 * sum(n) filter (where dimension = 'all') <> sum(n)`,
    )
    assert.deepEqual(uneven, [])
    assert.notDeepEqual(await rowsOf(service, `select 1 as one from visit_day limit 1`), [])
  })

  it('is made once', async () => {
    await assert.rejects(makeDemo(service.context, { scale }), { name: 'Refusal', status: 409 })
  })

  it('has campaigns whose figures are those of their copies, and none that would go out by itself', async () => {
    const { rows } = await service.db.session((client) =>
      client.query(`select c.status, c.row_count, c.sent_count, c.failed_count, c.skipped_count,
                           count(r.*)::int as copies,
                           (count(*) filter (where r.state = 'sent'))::int as sent,
                           (count(*) filter (where r.state = 'failed'))::int as failed,
                           (count(*) filter (where r.state = 'skipped'))::int as skipped
                      from campaign c left join recipient r on r.venue_id = c.venue_id and r.campaign_id = c.id
                     group by c.venue_id, c.id order by c.id`),
    )
    assert.deepEqual(new Set(rows.map(({ status }) => status)), new Set(['sent', 'cancelled', 'draft']))
    for (const row of rows) {
      const { row_count, sent_count, failed_count, skipped_count, copies, sent, failed, skipped } = row
      assert.deepEqual([row_count, sent_count, failed_count, skipped_count], [copies, sent, failed, skipped])
    }
    assert.ok(rows.some(({ sent_count }) => sent_count > 20))
  })

  it('has hours, a service past midnight, closures, blocks and pacing', async () => {
    const rules = await allBookingRules(service.db, demo.venue.id)
    assert.deepEqual(new Set(rules.periods.map(({ name }) => name)), new Set(['Dinner', 'Brunch']))
    assert.ok(rules.periods.some(({ endMinute }) => endMinute === 26 * 60))
    assert.ok(rules.closures.some(({ name }) => name === 'Thanksgiving'))
    assert.ok(rules.blocks.length > 0 && rules.specialDays.length > 0)
    assert.equal(rules.pacing.maxCovers, 14)
  })

  it('has guests whose counters are the sum of their reservations', async () => {
    const wrong = await service.db.many(sql({ id: 'int8' })`
      select g.id from guest g
        left join reservation r on r.venue_id = g.venue_id and r.guest_id = g.id
       where g.venue_id = ${demo.venue.id}
       group by g.venue_id, g.id
      having g.visit_count <> count(*) filter (where r.status in ('Seated', 'Completed'))
          or g.no_show_count <> count(*) filter (where r.status = 'No-show')
          or g.cancellation_count <> count(*) filter (where r.status = 'Cancelled' and r.cancelled_by = 'guest')
          or g.last_visit_date is distinct from max(r.service_date) filter (where r.status in ('Seated', 'Completed'))`)
    assert.deepEqual(wrong, [])
    const { visits } = await service.db.one(sql({ visits: 'int8' })`
      select coalesce(sum(visit_count), 0)::bigint as visits from guest where venue_id = ${demo.venue.id}`)
    assert.ok(visits > 500)
  })

  it('has servers with sections, a line-up for each service of the last days and tonight, and who served whom', async () => {
    const [figures] = await rowsOf(
      service,
      `select (select count(*)::int from server where venue_id = $1) as servers,
              (select count(distinct service_date)::int from shift where venue_id = $1) as days,
              (select count(distinct server_id)::int from reservation_server where venue_id = $1) as served`,
      [demo.venue.id],
    )
    assert.equal(figures?.['servers'], 7)
    // But for days that are closed.
    assert.ok(Number(figures?.['days']) >= 6 && Number(figures?.['served']) >= 5, JSON.stringify(figures))
  })

  it('has 32 tables in 3 rooms and 9 combinations, with parties at them from four weeks back to two ahead', async () => {
    const db = service.db.within(demo.venue.id)
    const floor = await wholeFloor(db, demo.venue.id)
    assert.deepEqual([floor?.rooms.length, floor?.tables.length, floor?.combinations.length], [3, 32, 9])
    const [row] = await rowsOf<Record<string, number>>(
      service,
      `select count(*)::int as parties, count(t.tables)::int as seated,
              min(r.service_date - date '2026-10-06')::int as first, max(r.service_date - date '2026-10-06')::int as last
         from reservation r
         left join (select venue_id, reservation_id, count(*) as tables from reservation_table group by 1, 2) t
           on t.venue_id = r.venue_id and t.reservation_id = r.id
        where r.venue_id = $1 and r.status in ('Confirmed', 'Seated', 'Completed') and r.party_size <= 8
          and r.service_date between date '2026-10-06' - 28 and date '2026-10-06' + 14`,
      [demo.venue.id],
    )
    assert.ok(row)
    const { parties = 0, seated = 0, first = 0, last = 0 } = row
    assert.ok(parties > 20 && seated >= parties * 0.95, `${seated} of ${parties}`)
    assert.ok(first >= -28 && first < -14 && last <= 14 && last > 0, `${first} to ${last}`)
    assert.deepEqual(await tableClashes(db, demo.venue, '2026-10-06', '2026-10-20'), [])
  })

  it('gives every subscriber their evidence and every waitlist table its reservation', async () => {
    const unproven = await service.db.many(sql({ id: 'int8' })`
      select s.id from subscriber s
        left join consent c on c.venue_id = s.venue_id and c.subscriber_id = s.id and c.agreed_at = s.consent_at
       where s.venue_id = ${demo.venue.id} and c.id is null`)
    assert.deepEqual(unproven, [])
    const unseated = await service.db.many(sql({ id: 'int8' })`
      select w.id from waitlist_entry w
        left join reservation r on r.venue_id = w.venue_id and r.id = w.reservation_id and r.source = 'waitlist'
          and r.seated_at = w.seated_at and r.guest_name = w.guest_name
       where w.venue_id = ${demo.venue.id} and (w.status = 'booked') <> (r.id is not null)`)
    assert.deepEqual(unseated, [])
  })

  it('answers every list with records of the contract, newest first', async () => {
    const lists = {
      reservations: Reservation,
      guests: Guest,
      subscribers: Subscriber,
      'ticket-orders': TicketOrder,
      waitlist: WaitlistEntry,
      leads: Lead,
    }
    for (const [list, shape] of Object.entries(lists)) {
      const { status, body } = await service.call('GET', `/api/v1/${list}?limit=100`, {
        key: demo.keys.readOnly,
      })
      assert.equal(status, 200)
      assert.ok(body.length >= 20, list)
      for (const record of body) assert.ok(Value.Check(shape, record), JSON.stringify(record))
      const order = body.map((record: { createdAt: string; id: number }) => record.createdAt)
      assert.deepEqual(order, order.toSorted().toReversed())
      const ids = body.map(({ id }: { id: number }) => id)
      assert.deepEqual(
        ids,
        ids.toSorted((a: number, b: number) => b - a),
        'ids grow with time',
      )
    }
  })

  it('says in which currency each order of tickets is', async () => {
    const { body } = await service.call('GET', '/api/v1/ticket-orders?limit=100', { key: demo.keys.readOnly })
    assert.deepEqual(
      new Set(body.map(({ currency }: { currency: string | null }) => currency)),
      new Set(['USD']),
    )
  })

  it('finds a table on a Friday that a guest can then have', async () => {
    const slot = await openSlotOnFriday(service.db, demo.venue, service.context.clock())
    assert.ok(slot)
    const { key, body } = { key: demo.keys.readWrite, body: { guestName: 'Maya Okafor', ...slot } }
    const answer = await service.call('POST', '/api/v1/reservations', { key, body })
    assert.equal(answer.status, 201, answer.text)
  })
})

describe('the demo venue on a Saturday at 19:40', () => {
  let service: TestService
  let demo: Demo
  let floor: EveningFloor
  const work = () => ({
    db: service.db.within(demo.venue.id),
    venue: { ...demo.venue, plan: 'pro' } as const,
    now: service.context.clock,
  })
  before(async () => {
    service = await startService()
    service.setClock('2026-10-10T19:40:00-04:00')
    demo = await makeDemo(service.context)
    floor = await eveningFloor(work(), '2026-10-10')
  })
  after(() => service.stop())

  it('lets tables decide, and nine in ten have somebody at them or coming within the hour', async () => {
    const rules = await bookingRulesAround(service.db, demo.venue, '2026-10-10')
    assert.ok(rules.floor)
    const hour = service.context.clock().add({ hours: 1 })
    const busy = floor.tables.filter(
      ({ now, next }) => now.length > 0 || (next && Temporal.Instant.compare(next.from, hour) < 0),
    )
    const share = busy.length / floor.tables.length
    assert.ok(share >= 0.85 && share <= 1, `${busy.length} of ${floor.tables.length}`)
    assert.ok(floor.tables.every(({ now }) => now.length <= 1))
    const late = floor.tables.filter(({ now, next }) => now.length > 0 && next)
    assert.ok(late.length > 5, 'parties are expected at tables that others have now')
    assert.ok(floor.withoutTable.length < 6, `${floor.withoutTable.length} without a table`)
  })

  it('has a line with guests who joined by themselves, and a place held for one on the list of another day', async () => {
    const line = await rowsOf<{ source: string; coming: boolean }>(
      service,
      `select source, coming_at is not null as coming from waitlist_entry
        where venue_id = $1 and status = 'waiting' and service_date = '2026-10-10' order by id`,
      [demo.venue.id],
    )
    assert.ok(line.filter(({ source }) => source === 'public').length >= 3, JSON.stringify(line))
    assert.ok(line.some(({ source }) => source === 'staff') && line.some(({ coming }) => coming))
    const offers = await rowsOf<{ held: number }>(
      service,
      `select extract(epoch from h.expires_at - $2::timestamptz)::int / 60 as held
         from waitlist_entry e
         join booking_hold h on h.venue_id = e.venue_id and h.waitlist_entry_id = e.id and h.expires_at = e.offered_until
          and h.service_date = e.service_date
        where e.venue_id = $1 and e.status = 'offered' and e.for_later`,
      [demo.venue.id, service.context.clock().toString()],
    )
    assert.ok(offers.length >= 1 && offers.every(({ held }) => held > 200), JSON.stringify(offers))
  })

  it('quotes a walk-in for two a wait that comes from the tables', async () => {
    const asked = { serviceDate: '2026-10-10', partySize: 2 } as const
    const { table, minutes } = await quoteFor(work(), asked)
    assert.ok(table && minutes >= 5 && minutes <= 90, `${minutes}`)
  })
})

describe('the first start on the embedded database', () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.stop())
  const start = (changes: object = {}) =>
    linesOfStart(
      { ...service.context, config: { ...service.context.config, databaseUrl: undefined, ...changes } },
      { scale: 0.05 },
    )

  it('makes no demo with DEMO=off, and none in a database of the operator', async () => {
    const addresses = [/^Office {6}http.*\/office$/, /^API {9}http.*\/api\/v1 /]
    for (const lines of [await start({ demo: false }), await linesOfStart(service.context)]) {
      assert.equal(lines.length, addresses.length)
      addresses.forEach((address, at) => assert.match(lines[at] ?? '', address))
    }
    assert.deepEqual(await allVenues(service.db), [])
  })

  it('says so where it could not be made, and leaves nothing', async () => {
    const random = (): Buffer => {
      throw new Error('no random bytes')
    }
    const config = { ...service.context.config, databaseUrl: undefined }
    const [line, ...more] = await linesOfStart({ ...service.context, config, random }, { scale: 0.05 })
    assert.match(line ?? '', /^The demo venue could not be created; .* bin\/venue demo$/)
    assert.deepEqual(more, [])
    assert.deepEqual(await allVenues(service.db), [])
  })

  it('retries on an overloaded machine, and prints each key once', async () => {
    const other = await startService()
    try {
      let draws = 0
      const random = (size: number): Buffer => {
        // As a statement that took longer than it may, with most of the demo written.
        if (++draws === 2) throw Object.assign(new Error('canceling statement'), { code: '57014' })
        return other.context.random(size)
      }
      const config = { ...other.context.config, databaseUrl: undefined }
      const told = (await linesOfStart({ ...other.context, config, random }, { scale: 0.05 })).join('\n')
      assert.equal(new Set(told.match(/service_sk_[0-9A-Za-z]{40}/g)).size, 3)
      assert.equal((await allVenues(other.db)).length, 1)
    } finally {
      await other.stop()
    }
  })

  it('announces the demo, then prints the office, the guest page and the API with what each logs in with; later how to make another key', async () => {
    const announced: string[] = []
    const lines = await linesOfStart(
      { ...service.context, config: { ...service.context.config, databaseUrl: undefined } },
      { scale: 0.05, announce: (line) => announced.push(line) },
    )
    assert.deepEqual(announced, ['Making the demo venue (about 10 s)…'])
    const text = lines.join('\n')
    assert.match(
      text,
      /\nOffice .*\/office\n {2}owner .*\n[^]*\nGuest page .*\/v\/blue-door\nAPI .*\n {2}read and write +service_sk_/,
    )
    assert.equal(new Set(text.match(/service_sk_[0-9A-Za-z]{40}/g)).size, 3)
    assert.equal(text.match(/^ {2}curl -s /gm)?.length, 3)
    assert.match(text, /Idempotency-Key/)
    const later = await start()
    assert.match(
      later.join('\n'),
      /^Office .*\nGuest page .*\nAPI .*\nTo create another key: bin\/venue key create --venue blue-door --kind api --scope read_write$/,
    )
  })
})
