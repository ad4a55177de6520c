import type { VenueId } from '../../core/venue/venue.ts'
import type { Queries } from '../../platform/db/pool.ts'
import { sql } from '../../platform/db/sql.ts'
import type { LocalDate } from '../../platform/kernel/time/written-time.ts'
import type { Days } from './report-reads.ts'
import type { Tally } from './tally.ts'

/*
 * Sums of past days, a row for each. A row is worth something only if it was made by the same rules and nobody has marked its
 * day since; a day without such a row is counted from its bookings, so figures are true whatever the job has done so far.
 */

/** Counts up with each change of what is counted: days that were made by another version are made once more. */
const version = 1

/** What the sums of a day depend on besides its bookings. */
export const rulesOfSums = (zone: string, longestTurn: number, services: ReadonlySet<string>): string =>
  `${version} ${zone} ${longestTurn} ${[...services].toSorted().join(', ')}`

/** Sums of one day. */
export type KeptDay = { readonly date: LocalDate; readonly tally: Tally }

/** Sums are kept of days up to `until`. */
type Asked = Days & { readonly rules: string; readonly until: LocalDate }

/** The sums that hold of these days. */
export const keptDays = async (
  db: Queries,
  venue: VenueId,
  { from, to, rules, until }: Asked,
): Promise<readonly KeptDay[]> => {
  const rows = await db.many(sql({ service_date: 'date', body: 'text' })`
    select d.service_date, d.body::text as body from report_day d
     where d.venue_id = ${venue} and d.service_date between ${from} and least(${to}::date, ${until}::date) and d.rules = ${rules}
       and not exists (
         select from report_mark m where m.venue_id = ${venue} and m.service_date = d.service_date)`)
  return rows.map(({ service_date: date, body }) => ({ date, tally: JSON.parse(body) as Tally }))
}

/** The newest days until one that have no sums by these rules, of those since the venue's first booking. */
export const daysToMake = async (
  db: Queries,
  venue: VenueId,
  { until, rules, most }: { readonly until: LocalDate; readonly rules: string; readonly most: number },
): Promise<readonly LocalDate[]> => {
  const rows = await db.many(sql({ date: 'date' })`
    select day::date as date
      from generate_series(
        (select min(r.service_date) from reservation r where r.venue_id = ${venue})::timestamp,
        ${until}::date::timestamp, interval '1 day') as day
     where not exists (
       select from report_day d where d.venue_id = ${venue} and d.service_date = day::date and d.rules = ${rules})
     order by day desc limit ${most}`)
  return rows.map(({ date }) => date)
}

/** How often each of these days was made so far, by its date; read before their bookings. */
export const timesMade = async (
  db: Queries,
  venue: VenueId,
  dates: readonly LocalDate[],
): Promise<ReadonlyMap<LocalDate, number>> => {
  const rows = await db.many(sql({ service_date: 'date', times: 'int4' })`
    select service_date, times from report_day
     where venue_id = ${venue} and service_date = any(${[...dates]}::date[])`)
  return new Map(rows.map(({ service_date, times }) => [service_date, times]))
}

/** Keeps the sums of days, but for those that somebody else made since `times` was read; returns the dates kept. */
export const keepDays = async (
  db: Queries,
  venue: VenueId,
  days: readonly KeptDay[],
  {
    at,
    rules,
    times,
  }: {
    readonly at: Temporal.Instant
    readonly rules: string
    readonly times: ReadonlyMap<LocalDate, number>
  },
): Promise<readonly LocalDate[]> => {
  const rows = await db.many(sql({ service_date: 'date' })`
    insert into report_day as d (venue_id, service_date, made_at, times, rules, body)
    select ${venue}, n.service_date, ${at}, n.times, ${rules}, n.body
      from unnest(${days.map(({ date }) => date)}::date[], ${days.map(({ date }) => (times.get(date) ?? 0) + 1)}::integer[],
                  ${days.map(({ tally }) => JSON.stringify(tally))}::jsonb[]) as n (service_date, times, body)
    on conflict (venue_id, service_date) do update
      set made_at = excluded.made_at, times = excluded.times, rules = excluded.rules, body = excluded.body
      where d.times = excluded.times - 1
    returning service_date`)
  return rows.map(({ service_date }) => service_date)
}

/** Marks of days, the oldest first. */
export const marksOf = (db: Queries, venue: VenueId, most: number) =>
  db.many(sql({ id: 'int8', service_date: 'date' })`
    select id, service_date from report_mark where venue_id = ${venue} order by id limit ${most}`)

/** Takes away marks that were seen. By their ids: one with a lower id may be written by a transaction still under way. */
export const forgetMarks = (db: Queries, venue: VenueId, ids: readonly number[]): Promise<number> =>
  db.run(sql()`delete from report_mark where venue_id = ${venue} and id = any(${[...ids]}::bigint[])`)

/** Venues in whose past something changed. */
export const venuesWithMarks = async (db: Queries): Promise<ReadonlySet<number>> => {
  const rows = await db.many(sql({ venue_id: 'int8' })`select distinct venue_id from report_mark`)
  return new Set(rows.map(({ venue_id }) => venue_id))
}
