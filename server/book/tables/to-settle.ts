import type { Work } from '../../context.ts'
import type { Queries } from '../../platform/db/pool.ts'
import { type RowOf, sql } from '../../platform/db/sql.ts'
import { addDays } from '../../platform/kernel/time/calendar.ts'
import { type Moment, minuteOf, toInstant } from '../../platform/kernel/time/moment.ts'
import { wallTimeOf } from '../../platform/kernel/time/venue-clock.ts'
import type { LocalDate } from '../../platform/kernel/time/written-time.ts'
import { bookingRulesAround, bookingRulesBetween } from '../rules/rules-store.ts'
import { turnMinutes } from '../rules/turn-minutes.ts'
import type { Venue } from '../../core/venue/venue.ts'
import { offSpans } from '../day/day-span.ts'
import { type Off, offFor, spanOf } from './reads.ts'

/*
 * Coming bookings whose table is not theirs to sit at: it takes nobody then, or two hold it at one time. Staff settle it.
 */

const comingRow = {
  table_id: 'int8',
  label: 'text',
  reservation_id: 'int8',
  guest_name: 'text?',
  party_size: 'int4?',
  date: 'date?',
  time: 'time?',
  service_date: 'date',
  starts_at: 'timestamptz',
  duration_minutes: 'int4?',
} as const

/** A coming booking at a table that takes nobody then, and why. */
export type BookingAtTableOff = RowOf<typeof comingRow> & { readonly off: Off }

/** Most coming bookings looked at. */
const mostComing = 5_000

/** The coming bookings whose table is out of order, closed by plan, or in a closed room while they are to sit there; soonest first. */
export const bookingsAtTablesOff = async ({
  db,
  venue,
  now,
}: Pick<Work, 'db' | 'venue' | 'now'>): Promise<BookingAtTableOff[]> => {
  const today = wallTimeOf(now(), venue.timezone).date
  const rows = await db.many(sql(comingRow)`
    select t.table_id, d.label, r.id as reservation_id, r.guest_name, r.party_size, r.date, r.time, r.service_date,
           r.starts_at, r.duration_minutes
      from reservation r
      join reservation_table t on t.venue_id = r.venue_id and t.reservation_id = r.id
      join dining_table d on d.venue_id = t.venue_id and d.id = t.table_id
     where r.venue_id = ${venue.id} and r.service_date >= ${addDays(today, -1)}
       and r.status = 'Confirmed' and r.starts_at >= ${now()}
     order by r.starts_at, r.id, d.label
     limit ${mostComing}`)
  const last = rows.at(-1)
  if (!last) return []
  const rules = await bookingRulesBetween(db, venue, addDays(today, -2), addDays(last.service_date, 2))
  const { floor } = rules
  if (!floor) return []
  const spansOn = new Map(
    [...new Set(rows.map((row) => row.service_date))].map((date) => [date, offSpans(rules, floor, date)]),
  )
  return rows.flatMap((row) => {
    const minutes = row.duration_minutes ?? turnMinutes(rules, row.party_size ?? 1)
    const off = offFor(
      spansOn.get(row.service_date)?.get(row.table_id) ?? [],
      spanOf(toInstant(row.starts_at), minutes),
    )
    return off ? [{ ...row, off }] : []
  })
}

const meetingRow = {
  table_id: 'int8',
  label: 'text',
  one: 'int8',
  one_from: 'timestamptz',
  one_size: 'int4?',
  one_minutes: 'int4?',
  other: 'int8',
  other_from: 'timestamptz',
  other_size: 'int4?',
  other_minutes: 'int4?',
} as const

/** Two coming bookings that hold one table at the same time. */
export type Clash = {
  readonly table_id: number
  readonly label: string
  readonly one: number
  readonly other: number
}

/** Most pairs looked at, and most clashes named. */
const [mostPairs, mostClashes] = [5_000, 200]

/**
 * Where coming bookings of these service dates meet at a table, as after a change of the venue's zone. How long each holds it
 * follows from its length or the turn time, as everywhere.
 */
export const tableClashes = async (
  db: Queries,
  venue: Pick<Venue, 'id' | 'timezone' | 'phone'>,
  from: LocalDate,
  to: LocalDate,
): Promise<Clash[]> => {
  const [rules, pairs] = await Promise.all([
    bookingRulesAround(db, venue, from),
    db.many(sql(meetingRow)`
      with held as materialized (
        select t.table_id, d.label, r.id, coalesce(r.seated_at, r.starts_at) as held_from, r.starts_at,
               r.party_size, r.duration_minutes
          from reservation r
          join reservation_table t on t.venue_id = r.venue_id and t.reservation_id = r.id
          join dining_table d on d.venue_id = t.venue_id and d.id = t.table_id
         where r.venue_id = ${venue.id} and r.service_date between ${from} and ${to}
           and r.status in ('Confirmed', 'Seated') and r.starts_at is not null)
      select a.table_id, a.label, a.id as one, a.held_from as one_from, a.party_size as one_size,
             a.duration_minutes as one_minutes,
             b.id as other, b.held_from as other_from, b.party_size as other_size, b.duration_minutes as other_minutes
        from held a
        join held b on b.table_id = a.table_id and b.id > a.id
         and b.starts_at between a.starts_at - interval '1 day' and a.starts_at + interval '1 day'
       order by a.starts_at, a.table_id, b.id
       limit ${mostPairs}`),
  ])
  const begin = (start: Moment): number => minuteOf(toInstant(start)).epochMilliseconds
  const end = (start: Moment, size: number | null, minutes: number | null): number =>
    begin(start) + (minutes ?? turnMinutes(rules, size ?? 1)) * 60_000
  return pairs
    .filter(
      (pair) =>
        begin(pair.one_from) < end(pair.other_from, pair.other_size, pair.other_minutes) &&
        begin(pair.other_from) < end(pair.one_from, pair.one_size, pair.one_minutes),
    )
    .slice(0, mostClashes)
    .map(({ table_id, label, one, other }) => ({ table_id, label, one, other }))
}
