import { rollingUp } from '../server/data/reports/roll-up.ts'
import { hashPassword } from '../server/core/staff/password.ts'
import { insertStaff } from '../server/core/staff/writes.ts'
import { markPast } from '../server/core/events/mark-past.ts'
import type { VenueId } from '../server/core/venue/venue.ts'
import { sql } from '../server/platform/db/sql.ts'
import { addDays } from '../server/platform/kernel/time/calendar.ts'
import type { Database } from '../server/platform/db/pool.ts'
import { makeVenue } from './ground.ts'
import { renderTime } from './office.ts'
import type { Figure } from './report.ts'
import { openSide } from './sides.ts'
import { firstVisit, visit } from './visitor.ts'

/*
 * The report of a year with its comparison, at a venue with the requested number of reservations on the days of two years:
 * how fast the sums of its days are made, and how long the page takes with them.
 */

/** Two years of whole weeks, to the end of last week and a few days more. */
const days = 2 * 364 + 10
const year = '/office/reports?period=year&compare=before'
const signIn = { email: 'owner@reports.example.com', password: 'correct horse battery' }

export const measureReports = async (
  settings: Record<string, string>,
  root: string,
  { rows }: { readonly rows: number },
): Promise<Figure[]> => {
  const endings: (() => Promise<void>)[] = []
  try {
    // Without background work: the sums are made here, where they can be timed.
    const service = await openSide({ ...settings, ROLE: 'web' }, root, endings)
    const { context } = service
    const { db } = context
    const venue = await makeVenue(context, 'reports', 1)
    const passwordHash = await hashPassword(signIn.password, context.random)
    await insertStaff(
      db,
      venue.id as never,
      { email: signIn.email, role: 'owner', passwordHash },
      context.clock(),
    )
    await fillDays(db, venue.id, rows)
    await fillTables(db, venue.id)
    const made = await makeSums(context)
    const visitor = visit(service.port)
    try {
      const { status } = await visitor.post('/office/sign-in', signIn)
      if (status !== 303) throw new Error(`the owner was not let in: ${status}`)
      return [
        { name: 'days of a report whose sums are made, per second', service: made, goal: { least: 20 } },
        {
          name: 'the largest row of a day’s sums, in KB',
          service: await largestDay(db),
          goal: { most: 8 },
        },
        {
          name: 'what a mark adds to a write of the past: median in ms',
          service: await costOfMark(db, venue.id, context.clock()),
          goal: { most: 0.1 },
        },
        {
          name: `the report of a year with its comparison, ${rows} reservations: p95 in ms`,
          service: await renderTime(visitor, year),
          goal: { most: 150 },
        },
        {
          name: 'the same, a first visit with styles and script, KB compressed',
          service: (await firstVisit(visitor, year)) / 1024,
          goal: { most: 60 },
        },
      ]
    } finally {
      visitor.stop()
    }
  } finally {
    for (const end of endings.toReversed()) await end()
  }
}

/** Guests of the book: each comes some eight times in the two years, so that there are first visits and returns. */
const visitsEach = 8

/** As many on each day, in both services of it, with the statuses and moments that figures are made of, in the order they were made in. */
const fillDays = (db: Database, venue: number, rows: number): Promise<unknown> =>
  db.session(async (client) => {
    const guests = Math.ceil(rows / visitsEach)
    await client.query(`
      insert into guest (venue_id, name, created_at, updated_at)
      select ${venue}, 'Maya Okafor', now(), now() from generate_series(1, ${guests})`)
    await client.query(`
      insert into reservation (
        venue_id, guest_id, guest_name, party_size, date, time, service_date, service_minute, starts_at, duration_minutes,
        status, source, booking_type, seated_at, completed_at, cancelled_at, cancelled_from, cancelled_by,
        created_at, updated_at)
      select ${venue}, (select min(id) from guest where venue_id = ${venue}) + n % ${guests}, 'Maya Okafor', 1 + n % 8, day, time '11:00' + minutes * interval '1 minute', day, 660 + minutes,
             starts_at, 120, status, (array['public', 'staff', 'walkin', 'automation'])[1 + n % 4], 'Lunch',
             case when status = 'Completed' then starts_at + n % 20 * interval '1 minute' end,
             case when status = 'Completed' then starts_at + (80 + n * 37 % 90) * interval '1 minute' end,
             case when status = 'Cancelled' then starts_at - n % 90 * interval '1 hour' end,
             case when status = 'Cancelled' then 'Confirmed' end, case when status = 'Cancelled' then 'guest' end,
             starts_at - (1 + n % 40) * interval '1 day', starts_at
        from (select n, day, minutes,
                     (day + time '11:00' + minutes * interval '1 minute') at time zone 'America/New_York' as starts_at,
                     case n % 25 when 0 then 'No-show' when 1 then 'Cancelled' else 'Completed' end as status
                from (select n, current_date - 1 - n % ${days} as day, n / ${days} % 28 * 15 as minutes
                        from generate_series(1, ${rows}) as n) as placed) as booking
       order by starts_at - (1 + n % 40) * interval '1 day'`)
    await client.query('vacuum analyze reservation, guest')
  })

const tables = 120

/**
 * Of twenty parties that came, one sat at two joined tables, and of one nobody noted the table.
 */
const fillTables = (db: Database, venue: number): Promise<unknown> =>
  db.session(async (client) => {
    await client.query(`
      with hall as (insert into room (venue_id, name, place) values (${venue}, 'Hall', 0) returning id)
      insert into dining_table (venue_id, room_id, label, least, most)
      select ${venue}, hall.id, 'T' || n, 1, 4 + n % 5 from hall, generate_series(1, ${tables}) as n`)
    await client.query(`update booking_settings set table_mode = 'on' where venue_id = ${venue}`)
    await client.query(`
      insert into reservation_table (venue_id, reservation_id, table_id)
      select ${venue}, r.id, first.id + (r.id + joined.n) % ${tables}
        from (select min(id) as id from dining_table where venue_id = ${venue}) as first,
             generate_series(0, 1) as joined (n), reservation r
       where r.venue_id = ${venue} and r.status = 'Completed' and r.id % 20 <> 0 and (joined.n = 0 or r.id % 20 = 1)`)
    await client.query('vacuum analyze reservation_table, dining_table')
  })

const largestDay = async (db: Database): Promise<number> => {
  const { bytes } = await db.one(sql({ bytes: 'int4' })`
    select max(pg_column_size(d.*)) as bytes from report_day d`)
  return bytes / 1024
}

const marksMeasured = 400

/** A write of a past day with its mark against the same without, in turns: the difference of their medians. */
const costOfMark = async (db: Database, venue: number, now: Temporal.Instant): Promise<number> => {
  const past = addDays(now.toZonedDateTimeISO('UTC').toPlainDate().toString(), -100)
  const within = db.within(venue)
  const { id } = await within.one(sql({ id: 'int8' })`
    select id from reservation where venue_id = ${venue} and service_date = ${past} limit 1`)
  const times: Record<'marked' | 'plain', number[]> = { marked: [], plain: [] }
  for (let n = 0; n < 2 * marksMeasured; n++) {
    const kind = n % 2 === 0 ? 'marked' : 'plain'
    const began = performance.now()
    await db.transaction(async (all) => {
      const queries = all.within(venue)
      await queries.run(
        sql()`update reservation set revision = revision + 1 where venue_id = ${venue} and id = ${id}`,
      )
      if (kind === 'marked') markPast(queries, venue as VenueId, { dates: [past], guests: [] }, now)
    })
    times[kind].push(performance.now() - began)
  }
  const median = (of: number[]): number => of.toSorted((a, b) => a - b)[of.length / 2] ?? Number.NaN
  return median(times.marked) - median(times.plain)
}

/** Days per second. */
const makeSums = async (context: Parameters<typeof rollingUp>[0]): Promise<number> => {
  const job = rollingUp(context)
  const begun = performance.now()
  let made = 0
  for (let run = 0; run < days; run++) {
    const more = await job(new AbortController().signal)
    if (more === 0) break
    made += more
  }
  return made / ((performance.now() - begun) / 1000)
}
