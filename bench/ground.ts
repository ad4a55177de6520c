import type { Context } from '../server/context.ts'
import type { Database } from '../server/platform/db/pool.ts'
import { createKey } from '../server/integrations/access/keys.ts'
import { type NewVenue, insertVenue } from '../server/core/venue/venues.ts'
import { readRulesDocument } from '../server/book/rules/rules-document.ts'
import { replaceBookingRules } from '../server/book/rules/replace-document.ts'

/* The benchmark's data: venues with their keys, and millions of rows, generated in SQL. */

export type BenchVenue = { readonly id: number; readonly keys: readonly string[] }

/** A venue that takes bookings every day, with the requested number of keys. */
export const makeVenue = async (context: Context, slug: string, keys: number): Promise<BenchVenue> => {
  const { db } = context
  const venue: NewVenue = {
    slug,
    name: 'The Blue Door',
    timezone: 'America/New_York',
    plan: 'pro',
    country: 'US',
    phone: null,
  }
  const row = await insertVenue(db, venue, context.clock())
  if (!row) throw new Error(`there is a venue ${slug} already`)
  await db.session((client) => client.query(`update venue set access = 'approved' where id = ${row.id}`))
  const rules = readRulesDocument({
    pacing: { intervalMinutes: 15, maxCovers: 100_000 },
    periods: [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({
      weekday,
      name: 'Lunch',
      opens: '11:00',
      closes: '18:00',
    })),
  })
  if (!rules.ok) throw new Error(rules.mistakes.join(' '))
  await db.transaction((queries) => replaceBookingRules(queries, row.id, rules.rules))
  const made: string[] = []
  for (let n = 0; n < keys; n++) {
    const name = `key ${n}`
    const { key } = await createKey(context, db, row.id, {
      kind: 'api',
      scope: 'read_write',
      name,
      createdBy: 'bench',
    })
    made.push(key)
  }
  return { id: row.id, keys: made }
}

/** Realistic reservations: a year of dates, each with a name, an email and a phone number. */
export const fillReservations = (db: Database, venue: number, count: number): Promise<unknown> =>
  db.session(async (client) => {
    await client.query(`
      insert into reservation (
        venue_id, guest_name, email, email_key, phone, phone_key, phone_international, party_size, date, time,
        service_date, service_minute, starts_at, duration_minutes, status, source, booking_type, notes,
        created_at, updated_at)
      select ${venue}, 'Maya Okafor', 'guest' || n || '@example.com', 'guest' || n || '@example.com',
             '(212) ' || lpad(n::text, 7, '0'), '212' || lpad(n::text, 7, '0'), false, 1 + n % 8,
             date '2025-01-01' + n % 365, time '19:30', date '2025-01-01' + n % 365, 1170,
             timestamptz '2025-01-01 19:30Z' + (n % 365) * interval '1 day', 120, 'Completed', 'public', 'Dinner',
             case when n % 4 = 0 then 'A quiet table near the window, please.' end,
             timestamptz '2025-01-01Z' + n * interval '1 second', timestamptz '2025-01-01Z' + n * interval '1 second'
        from generate_series(1, ${count}) as n`)
    await client.query('vacuum analyze reservation')
  })

/** Requests for the coming days, every quarter hour from 11:00 to 17:45. */
export const fillBookings = (
  db: Database,
  venue: number,
  { from, days, each }: { readonly from: string; readonly days: number; readonly each: number },
): Promise<unknown> =>
  db.session((client) =>
    client.query(`
      insert into reservation (
        venue_id, guest_name, party_size, date, time, service_date, service_minute, starts_at, duration_minutes,
        status, source, booking_type, created_at, updated_at)
      select ${venue}, 'Maya Okafor', 1 + n % 6, day, time '11:00' + minutes * interval '1 minute', day,
             660 + minutes, (day + time '11:00' + minutes * interval '1 minute') at time zone 'America/New_York', 120,
             'Requested', 'public', 'Lunch', now(), now()
        from (select n, date '${from}' + n % ${days} as day, n / ${days} % 28 * 15 as minutes
                from generate_series(1, ${days * each}) as n) as booking`),
  )

export const fillGuests = (db: Database, venue: number, count: number): Promise<unknown> =>
  db.session(async (client) => {
    await client.query(`
      insert into guest (
        venue_id, name, email, email_key, phone, phone_key, phone_international, created_at, updated_at)
      select ${venue}, 'Maya Okafor', 'guest' || n || '@example.com', 'guest' || n || '@example.com',
             '(212) ' || lpad(n::text, 7, '0'), '212' || lpad(n::text, 7, '0'), false,
             timestamptz '2025-01-01Z' + n * interval '1 second', timestamptz '2025-01-01Z' + n * interval '1 second'
        from generate_series(1, ${count}) as n`)
    await client.query('vacuum analyze guest')
  })
