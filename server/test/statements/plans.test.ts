import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { endpoints } from '@venue-data/contract/endpoints.ts'
import type { Queries } from '../../platform/db/pool.ts'
import type { Shape, Statement } from '../../platform/db/sql.ts'
import { contactPlaces, eachContact } from '../../data/erasure/contacts.ts'
import { listedGuests } from '../../crm/guests/list.ts'
import { guestsThatMayMatch } from '../../crm/guests/reads.ts'
import { type ListAsked, type ListRow, readListAsked } from '../../platform/http/lists/list-asked.ts'
import { type ListSource, countListed, readListPage } from '../../platform/http/lists/list-page.ts'
import { phoneKey } from '../../platform/kernel/phone/phone.ts'
import { listedLeads } from '../../crm/leads/list.ts'
import { listedVisits } from '../../book/visits/list.ts'
import { listedReservations } from '../../book/reservations/list.ts'
import { reservationsOfContact } from '../../book/reservations/reads.ts'
import { arrivalsBetween, loadOfBucket } from '../../book/day/arrivals-reads.ts'
import { listedSubscribers } from '../../marketing/subscribers/list.ts'
import { holdSubscriber } from '../../marketing/subscribers/reads.ts'
import { listedTicketOrders } from '../../tickets/list.ts'
import { listedWaitlistEntries } from '../../book/waitlist/list.ts'
import { venuesWithLapsedOffers } from '../../book/waitlist/reads.ts'
import { explain } from './explain.ts'
import { noting } from './noting.ts'
import { type TestService, type TestVenue, startService } from '../service.ts'

/*
 * Every read of the API goes by an index, also when PostgreSQL plans it once for all values: that is what it
 * does with a named statement after a few runs, and what a `like` with a parameter would not survive.
 */

const now = Temporal.Instant.from('2026-01-01T00:00:00Z')
const guestsOfVenue = 6_000

describe('plans', () => {
  let service: TestService
  let venue: TestVenue
  const phone = phoneKey('+1 212 555 0147')
  assert.ok(phone)

  before(async () => {
    service = await startService()
    venue = await service.venue()
    const other = await service.venue()
    await service.db.session(async (client) => {
      for (const { id } of [venue, other]) {
        const run = (text: string) => client.query(text, [id, guestsOfVenue])
        await run(`insert into guest (venue_id, name, email, email_key, phone, phone_key, external_id, created_at, updated_at)
          select $1, 'Guest ' || n, 'g' || n || '@example.com', 'g' || n || '@example.com', n::text, (2120000000 + n)::text, 'x' || n,
                 '2026-01-01Z'::timestamptz + n * interval '1 min', now() from generate_series(1, $2::int) n`)
        await run(`insert into reservation (venue_id, guest_name, email, email_key, phone, phone_key, party_size, date, time,
            service_date, service_minute, starts_at, status, source, created_at, updated_at)
          select $1, 'Guest ' || n, 'g' || n || '@example.com', 'g' || n || '@example.com', n::text, (2120000000 + n)::text, 2,
                 date '2026-01-01' + n / 20, '19:00', date '2026-01-01' + n / 20, 1020 + n % 300,
                 '2026-01-01Z'::timestamptz + n * interval '1 h', 'Completed', 'public',
                 '2026-01-01Z'::timestamptz + n * interval '1 min', now() from generate_series(1, $2::int) n`)
        await client.query(
          `insert into record_change (venue_id, kind, record_id, op, gone, revision, changed_at)
           select venue_id, 'visit', id, 'upsert', false, 1, now() from reservation where venue_id = $1`,
          [id],
        )
        await run(`insert into reservation_change (venue_id, reservation_id, date, time, service_date, service_minute,
            starts_at, party_size, status, asked_at, expires_at)
          select venue_id, id, date, time, service_date, service_minute, starts_at, 3,
                 case when id % 100 = 0 then 'pending' else 'lapsed' end, created_at, starts_at
            from reservation, generate_series(1, $2::int) n where venue_id = $1 and n = 1`)
        await run(`insert into booking_hold (venue_id, id, service_date, service_minute, starts_at, party_size, expires_at)
          select $1, lpad(n::text, 22, 'x'), date '2026-01-01' + n / 20, 1020 + n % 300,
                 '2026-01-01Z'::timestamptz + n * interval '1 h', 2, now() from generate_series(1, $2::int) n`)
        await run(`insert into subscriber (venue_id, email, email_key, status, source, created_at, updated_at)
          select $1, 's' || n, 's' || n || '@example.com', 'subscribed', 'import',
                 '2026-01-01Z'::timestamptz + n * interval '1 min', now() from generate_series(1, $2::int) n`)
        await run(`insert into suppression (venue_id, email_key, reason, created_at)
          select $1, 's' || n || '@example.com', 'bounced', now() from generate_series(1, $2::int, 3) n`)
        await run(`insert into lead (venue_id, contact_name, stage, priority, submitted_via, created_at, updated_at)
          select $1, 'x', 'Inquiry', 'Low', 'import', '2026-01-01Z'::timestamptz + n * interval '1 min', now()
            from generate_series(1, $2::int) n`)
        await run(`insert into waitlist_entry (venue_id, status, source, created_at, updated_at)
          select $1, 'cancelled', 'staff', '2026-01-01Z'::timestamptz + n * interval '1 min', now()
            from generate_series(1, $2::int) n`)
        await client.query(
          `insert into ticketed_event (venue_id, name, created_at) values ($1, 'x', now())`,
          [id],
        )
        await client.query(
          `insert into occurrence (venue_id, event_id, date, capacity, price_cents)
           select venue_id, id, '2026-01-01', 50, 100 from ticketed_event where venue_id = $1`,
          [id],
        )
        await run(`insert into ticket_order (venue_id, occurrence_id, order_number, status, channel, payment_method, seats,
            subtotal_cents, total_cents, created_at, updated_at)
          select venue_id, id, 'A' || n, 'paid', 'public', 'cash', 1, 100, 100,
                 '2026-01-01Z'::timestamptz + n * interval '1 min', now()
            from occurrence, generate_series(1, $2::int) n where venue_id = $1`)
      }
      await client.query(`update reservation r set guest_id = g.id
        from guest g where g.venue_id = r.venue_id and g.email_key = r.email_key and r.id % 10 > 0`)
      await client.query('analyze')
    })
  })
  after(() => service.stop())

  type SourceOf = (
    db: Queries,
    venue: TestVenue['id'],
    asked: ListAsked,
  ) => Promise<ListSource<Shape>> | ListSource<Shape>
  const list =
    (row: ListRow, source: SourceOf, query: Record<string, string> = {}) =>
    async (db: Queries) => {
      const asked = readListAsked(row, { query, venue: venue.id })
      return readListPage(db, asked, await source(db, venue.id, asked))
    }
  const count = (row: ListRow, source: SourceOf, query: Record<string, string>) => async (db: Queries) => {
    const asked = readListAsked(row, { query, venue: venue.id })
    return countListed(db, asked, await source(db, venue.id, asked))
  }
  const since = { limit: '100', since: '2026-01-04T00:00:00Z' }
  const sought = { emailKey: 'g7@example.com', phone }
  const cases: [what: string, read: (db: Queries) => Promise<unknown>, indexes: string[]][] = [
    ['GET /reservations', list(endpoints.listReservations, listedReservations), ['reservation_newest']],
    [
      'GET /reservations since',
      list(endpoints.listReservations, listedReservations, since),
      ['reservation_newest'],
    ],
    ['GET /visits', list(endpoints.listVisits, listedVisits), ['record_change_pkey', 'reservation_newest']],
    [
      'GET /visits of a guest',
      list(endpoints.listVisits, listedVisits, { guest: '7' }),
      ['record_change_pkey', 'reservation_by_guest'],
    ],
    ['GET /guests', list(endpoints.listGuests, listedGuests), ['guest_newest']],
    [
      'GET /guests by an id of other software',
      list(endpoints.listGuests, listedGuests, { externalId: 'x7' }),
      ['guest_by_external_id'],
    ],
    [
      'GET /subscribers',
      list(endpoints.listSubscribers, listedSubscribers),
      ['subscriber_newest', 'suppression_pkey'],
    ],
    ['GET /leads', list(endpoints.listLeads, listedLeads), ['lead_newest']],
    ['GET /waitlist', list(endpoints.listWaitlist, listedWaitlistEntries), ['waitlist_newest']],
    ['GET /ticket-orders', list(endpoints.listTicketOrders, listedTicketOrders), ['ticket_order_newest']],
    [
      'GET /reservations of a status that none has',
      list(endpoints.listReservations, listedReservations, { status: 'Cancelled' }),
      ['reservation_by_status'],
    ],
    [
      'the count of reservations of a status that none has',
      count(endpoints.listReservations, listedReservations, { status: 'Cancelled' }),
      ['reservation_by_status'],
    ],
    [
      'GET /subscribers of a status that none has',
      list(endpoints.listSubscribers, listedSubscribers, { status: 'unsubscribed' }),
      ['subscriber_by_status'],
    ],
    [
      'GET /reservations of a source that none has',
      list(endpoints.listReservations, listedReservations, { source: 'WalkIn' }),
      ['reservation_by_source'],
    ],
    [
      'the count of reservations of a source that none has',
      count(endpoints.listReservations, listedReservations, { source: 'walkin' }),
      ['reservation_by_source'],
    ],
    [
      'GET /reservations of a source and a status',
      list(endpoints.listReservations, listedReservations, { source: 'walkin', status: 'Confirmed' }),
      ['reservation_by_status'],
    ],
    [
      'GET /subscribers of a source that none has',
      list(endpoints.listSubscribers, listedSubscribers, { source: 'booking' }),
      ['subscriber_by_source'],
    ],
    [
      'GET /leads of a priority that none has',
      list(endpoints.listLeads, listedLeads, { priority: 'High' }),
      ['lead_by_priority'],
    ],
    [
      'GET /ticket-orders of a status that none has',
      list(endpoints.listTicketOrders, listedTicketOrders, { status: 'refunded' }),
      ['ticket_order_by_status'],
    ],
    [
      'GET /reservations/find',
      (db) => reservationsOfContact(db, venue.id, sought, undefined),
      ['reservation_by_email', 'reservation_by_phone', 'reservation_by_phone_suffix', 'reservation_pkey'],
    ],
    [
      'GET /reservations/find on a date',
      (db) => reservationsOfContact(db, venue.id, sought, '2026-10-09'),
      ['reservation_by_email', 'reservation_by_phone', 'reservation_by_phone_suffix'],
    ],
    [
      'the bookings of nobody in particular',
      (db) => eachContact(db, venue.id, contactPlaces.reservation, () => undefined),
      ['reservation_without_guest'],
    ],
    [
      'a guest by email',
      (db) => guestsThatMayMatch(db, venue.id, { emailKey: 'g7@example.com' }),
      ['guest_by_email'],
    ],
    [
      'a guest by phone',
      (db) => guestsThatMayMatch(db, venue.id, { phone }),
      ['guest_by_phone', 'guest_by_phone_suffix'],
    ],
    [
      'a subscriber by email',
      (db) => holdSubscriber(db, venue.id, 's7@example.com'),
      ['subscriber_by_email'],
    ],
    [
      'GET /availability',
      (db) => arrivalsBetween(db, venue.id, '2026-03-01', '2026-03-14', { now }),
      ['reservation_by_service', 'reservation_change_by_service', 'booking_hold_by_service'],
    ],
    [
      'the load of a slot',
      (db) =>
        loadOfBucket(db, venue.id, { serviceDate: '2026-03-01', fromMinute: 1140, toMinute: 1155 }, { now }),
      ['reservation_by_service', 'reservation_change_by_service', 'booking_hold_by_service'],
    ],
    [
      'the look for offers that ended, at every venue',
      (db) => venuesWithLapsedOffers(db, now),
      ['waitlist_in_line'],
    ],
  ]
  for (const [what, read, indexes] of cases) {
    it(`${what} goes by index`, async () => {
      const noted: Statement<unknown>[] = []
      await read(noting(service.db, (statement) => noted.push(statement)))
      const [statement] = noted
      // Page after page, where it goes over more than one.
      assert.ok(statement && noted.every(({ text }) => text === statement.text))
      const plan = (
        await service.db.session((client) => explain(client, statement, 'force_generic_plan'))
      ).join('\n')
      for (const index of indexes) assert.match(plan, new RegExp(`\\b${index}`), plan)
      assert.doesNotMatch(
        plan,
        /Seq Scan on (?:reservation|reservation_change|booking_hold|guest|subscriber|suppression|lead|waitlist_entry|ticket_order)\b/,
        plan,
      )
    })
  }
})
