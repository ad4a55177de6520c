import type { VenueId } from '../../core/venue/venue.ts'
import type { Queries } from '../../platform/db/pool.ts'
import { part, sql } from '../../platform/db/sql.ts'
import type { LocalDate } from '../../platform/kernel/time/written-time.ts'
import { daysFromToday } from '../../core/events/mark-past.ts'
import type { Days } from './report-reads.ts'
import { type Tally, textOfTally } from './tally.ts'

/*
 * Sums of past days, a row for each. A row is worth something only if it was made by the same rules and nobody has marked its
 * day since; a day without such a row is counted from its bookings, so figures are true whatever the job has done so far.
 */

/** Counts up with each change of what is counted: days that were made by another version are made once more. */
const version = 9

/** What the sums of a day depend on besides its bookings. */
export const rulesOfSums = (zone: string, longestTurn: number, services: ReadonlySet<string>): string =>
  `${version} ${zone} ${longestTurn} ${[...services].toSorted().join(', ')}`

/** Sums of one day. */
export type KeptDay = { readonly date: LocalDate; readonly tally: Tally }
/** Sums as they are kept, of a day or of a month: a year of them is read one by one, so that it is not in memory at once. */
export type Written = Days & { readonly body: string }

export const tallyOf = ({ body }: Pick<Written, 'body'>): Tally => JSON.parse(body) as Tally

/** Sums are kept of days up to `until`. */
export type KeptAsked = Days & { readonly rules: string; readonly until: LocalDate }

/** A row that was made when its day was not over long enough holds what was still to come as if it had been. */
export const holds = (rules: string) =>
  part`d.rules = ${rules} and d.service_date <= (d.made_at at time zone 'UTC')::date - ${daysFromToday}::int`

/** The sums that hold of these days. */
export const keptDays = (db: Queries, venue: VenueId, asked: KeptAsked): Promise<readonly Written[]> =>
  db.many(sql({ from: 'date', to: 'date', body: 'text' })`
    select kept.date as from, kept.date as to, kept.body from (${keptOf(venue, asked)}) as kept`)

/** A day without a booking has nothing to add up, and needs no row to say so. `which`: the `days` that are asked for. */
export const keptOf = (venue: VenueId, { from, to, rules, until }: KeptAsked, which = part`true`) =>
  part`
    select days.date, coalesce(kept.body::text, '{}') as body
      from (select day::date as date
              from generate_series(
                ${from}::date::timestamp, least(${to}::date, ${until}::date)::timestamp, interval '1 day') as day
             where ${which}) as days
      left join lateral (
        select d.body from report_day d
         where d.venue_id = ${venue} and d.service_date = days.date and ${holds(rules)}
           and not exists (
             select from report_mark m where m.venue_id = ${venue} and m.service_date = d.service_date)
        offset 0) as kept on true
     where kept.body is not null
        or not exists (select from reservation r where r.venue_id = ${venue} and r.service_date = days.date)`

/**
 * The newest days until one that have bookings and no sums by these rules. From each day with bookings to the one before it:
 * a mistyped year costs one day, and not all those in between. Each day is looked up as the walk comes by (`offset 0`): joined to
 * all of it, the first few would be any days, and those between them would be passed over.
 */
export const daysToMake = async (
  db: Queries,
  venue: VenueId,
  { until, rules, most }: { readonly until: LocalDate; readonly rules: string; readonly most: number },
): Promise<readonly LocalDate[]> => {
  const rows = await db.many(sql({ date: 'date' })`
    with recursive walk (date) as (
      select (select max(r.service_date) from reservation r where r.venue_id = ${venue} and r.service_date <= ${until})
       union all
      select (select max(r.service_date) from reservation r where r.venue_id = ${venue} and r.service_date < walk.date)
        from walk where walk.date is not null)
    select date from walk
     where date is not null and not exists (
       select from report_day d where d.venue_id = ${venue} and d.service_date = walk.date and ${holds(rules)}
       offset 0)
     limit ${most}`)
  return rows.map(({ date }) => date).toSorted((a, b) => (a < b ? 1 : -1))
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
                  ${days.map(({ tally }) => textOfTally(tally))}::json[]) as n (service_date, times, body)
    on conflict (venue_id, service_date) do update
      set made_at = excluded.made_at, times = excluded.times, rules = excluded.rules, body = excluded.body
      where d.times = excluded.times - 1
    returning service_date`)
  return rows.map(({ service_date }) => service_date)
}

/** All marks of the newest days that have any, but for some days. */
export const marksOf = (
  db: Queries,
  venue: VenueId,
  { most, without }: { readonly most: number; readonly without: readonly LocalDate[] },
) =>
  db.many(sql({ id: 'int8', service_date: 'date' })`
    select id, service_date from report_mark
     where venue_id = ${venue} and service_date in (
       select distinct service_date from report_mark
        where venue_id = ${venue} and service_date <> all(${[...without]}::date[])
        order by service_date desc limit ${most})`)

/** Takes away marks that were seen. By their ids: one with a lower id may be written by a transaction still under way. */
export const forgetMarks = (db: Queries, venue: VenueId, ids: readonly number[]): Promise<number> =>
  db.run(sql()`delete from report_mark where venue_id = ${venue} and id = any(${[...ids]}::bigint[])`)

/** Venues in whose past something changed. */
export const venuesWithMarks = async (db: Queries): Promise<ReadonlySet<number>> => {
  const rows = await db.many(sql({ venue_id: 'int8' })`select distinct venue_id from report_mark`)
  return new Set(rows.map(({ venue_id }) => venue_id))
}
