import type { VenueId } from '../../../core/venue/venue.ts'
import type { Queries } from '../../../platform/db/pool.ts'
import { fragment, part, sql } from '../../../platform/db/sql.ts'
import { addDays } from '../../../platform/kernel/time/calendar.ts'
import type { LocalDate } from '../../../platform/kernel/time/written-time.ts'
import type { Days } from '../report-reads.ts'
import { mostValues, otherValues } from './steps.ts'

/** Reasons that say that there was no room. */
const capacityReasons: readonly string[] = ['pacing-covers-full', 'pacing-parties-full', 'tables-full']
export const isForWantOfRoom = (reason: unknown): boolean => capacityReasons.some((one) => one === reason)

const refusedRow = {
  reason: 'text?',
  door: 'text?',
  size: 'text?',
  date: 'date?',
  weekday: 'int4?',
  minute: 'int4?',
  full: 'int8',
  nothing_open: 'int8',
  n: 'int8',
  dates: 'int8',
} as const

/** Monday is 1: the first day counted from was one. */
const weekday = fragment("(service_date - date '1970-01-05') % 7 + 1")

/** What was refused for some service dates: by reason and door, by size, by date, and by weekday with the minute or the reason. */
export const refusedOfDays = (db: Queries, venue: VenueId, { from, to }: Days) => {
  const isFull = part`reason = any(${[...capacityReasons]}::text[])`
  return db.many(sql(refusedRow)`
    select reason, door, size, service_date as date, weekday, minute,
           coalesce(sum(n) filter (where ${isFull}), 0)::bigint as full,
           coalesce(sum(n) filter (where reason = 'nothing-open'), 0)::bigint as nothing_open,
           sum(n)::bigint as n, count(distinct service_date) filter (where ${isFull}) as dates
      from (select reason, door, size, service_date, ${weekday} as weekday,
                   service_minute::int as minute, n
              from refused_request where venue_id = ${venue} and service_date between ${from} and ${to}) r
     group by grouping sets ((reason, door), (size), (service_date), (weekday, minute), (weekday, reason))`)
}

const aheadRow = {
  service_date: 'date',
  service_minute: 'int4',
  least: 'int4',
  most: 'int4',
  parties: 'int8',
} as const

/** The sizes that a class of them has. */
const leastAndMost = fragment(
  "(substring(size from '^[0-9]+'))::int as least, (substring(size from '([0-9]+)[+]?$'))::int as most",
)

/** Times and sizes of days to come: most have room again, so those that have none may be far down. */
const mostAsked = 400

/** Parties that the cap of a slot refused, for days to come, by size; of a class of sizes the least and the most that it has. */
export const partiesRefusedAfter = (
  db: Queries,
  venue: VenueId,
  { after, days }: { readonly after: LocalDate; readonly days: number },
) =>
  db.many(sql(aheadRow)`
    select service_date, service_minute::int as service_minute,
           ${leastAndMost},
           sum(n)::bigint as parties
      from refused_request
     where venue_id = ${venue} and service_date > ${after} and service_date <= ${addDays(after, days)}
       and reason = 'pacing-covers-full' and service_minute >= 0
     group by service_date, service_minute, size
     order by sum(n) * (substring(size from '([0-9]+)[+]?$'))::int desc, service_date, service_minute, size limit ${mostAsked}`)

const pacedRow = { weekday: 'int4', minute: 'int4', parties: 'int8', dates: 'int8', full: 'int8' } as const

/**
 * Times of a weekday at which the limit on guests turned most parties away, and on how many of its dates; `full`: how many had no
 * room then for any reason.
 */
export const timesPaced = (db: Queries, venue: VenueId, { from, to }: Days, most: number) =>
  db.many(sql(pacedRow)`
    select ${weekday} as weekday, service_minute::int as minute,
           sum(n) filter (where ${isPaced})::bigint as parties,
           count(distinct service_date) filter (where ${isPaced}) as dates, sum(n)::bigint as full
      from refused_request
     where venue_id = ${venue} and service_date between ${from} and ${to}
       and reason = any(${[...capacityReasons]}::text[]) and service_minute >= 0
     group by 1, 2
    having count(*) filter (where ${isPaced}) > 0
     order by 3 desc, 1, 2 limit ${most}`)
const isPaced = fragment("reason = 'pacing-covers-full'")

/** The parties that it turned away at a time of some dates, by size; the smallest first, as most of them fit. */
export const partiesPaced = (db: Queries, venue: VenueId, dates: readonly LocalDate[], minute: number) =>
  db.many(sql(aheadRow)`
    select service_date, service_minute::int as service_minute,
           ${leastAndMost},
           sum(n)::bigint as parties
      from refused_request
     where venue_id = ${venue} and service_date = any(${[...dates]}::date[]) and service_minute = ${minute}
       and reason = 'pacing-covers-full'
     group by service_date, service_minute, size
     order by service_date desc, 4, size limit ${mostAsked}`)

const shownRow = { door: 'text', step: 'text', dimension: 'text', value: 'text', n: 'int8' } as const

/**
 * Pages shown on some days; of each dimension of a door the values seen most, and all others together. Venue and day are
 * compared together: an index of days alone would be read for all venues.
 */
export const shownOnDays = (db: Queries, venue: VenueId, { from, to }: Days) =>
  db.many(sql(shownRow)`
    select door, step, dimension, case when place <= ${mostValues} then value else ${otherValues} end as value,
           sum(n)::bigint as n
      from (select door, step, dimension, value, n,
                   dense_rank() over (partition by door, dimension order by of_value desc nulls last, value) as place
              from (select door, step, dimension, value, n,
                           case when value = ${otherValues} then null
                                else sum(n) over (partition by door, dimension, value) end as of_value
                      from (select door, step, dimension, value, sum(n) as n from visit_day
                             where venue_id = ${venue} and n > 0
                               and (venue_id, day) >= (${venue}, ${from}) and (venue_id, day) <= (${venue}, ${to})
                             group by door, step, dimension, value) counted) summed) ranked
     group by 1, 2, 3, 4`)

const callsRow = { key: 'int8', class: 'text', calls: 'bool', n: 'int8' } as const

/** How much each key was used on some days of UTC. */
export const callsOnDays = (db: Queries, venue: VenueId, { from, to }: Days) =>
  db.many(sql(callsRow)`
    select u.key_id as key, u.class, u.endpoint <> '' as calls, sum(u.count)::bigint as n
      from api_key k join key_usage_day u on u.key_id = k.id
     where k.venue_id = ${venue} and u.day between ${from} and ${to} and u.class not in ('peak', 'waited')
     group by 1, 2, 3`)

const guaranteeRow = {
  date: 'date',
  taken: 'int8',
  charged: 'int8',
  refunded: 'int8',
  kept: 'int8',
  off_the_bill: 'int8',
} as const

/**
 * Money behind the bookings of some service dates; money of a test account is none. From the guarantees on, which are few,
 * whatever the plan expects.
 */
export const guaranteesOfDays = (db: Queries, venue: VenueId, { from, to }: Days) =>
  db.many(sql(guaranteeRow)`
    select r.service_date as date,
           coalesce(sum(g.paid_cents) filter (where g.kind in ('deposit', 'prepaid')), 0)::bigint as taken,
           coalesce(sum(g.paid_cents) filter (where g.kind = 'card'), 0)::bigint as charged,
           sum(g.refunded_cents)::bigint as refunded,
           coalesce(sum(g.paid_cents - g.refunded_cents) filter (where r.status in ('No-show', 'Cancelled')), 0)::bigint as kept,
           coalesce(sum(g.paid_cents - g.refunded_cents) filter (where g.taken_off_at is not null), 0)::bigint as off_the_bill
      from guarantee g
      join processor_account a on a.venue_id = ${venue} and a.id = g.account_id and a.live
     cross join lateral (
       select service_date, status from reservation b
        where b.venue_id = ${venue} and b.id = g.reservation_id and b.service_date between ${from} and ${to}
          and b.service_minute is not null
       offset 0) r
     where g.venue_id = ${venue} and g.paid_cents > 0
     group by r.service_date`)
