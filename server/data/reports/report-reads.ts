import type { VenueId } from '../../core/venue/venue.ts'
import { serviceOfBooking } from '../../book/day/book-row.ts'
import type { Queries } from '../../platform/db/pool.ts'
import { fragment, part, sql } from '../../platform/db/sql.ts'
import type { LocalDate } from '../../platform/kernel/time/written-time.ts'
import type { TableFacts } from './at-tables.ts'
import { daysToReturn } from './figures-of-day.ts'

export type Days = { readonly from: LocalDate; readonly to: LocalDate }

const bookingFacts = {
  service_date: 'date',
  service_minute: 'int4',
  party_size: 'int4?',
  status: 'text',
  source: 'text',
  service: 'text?',
  is_imported: 'bool',
  was_seated_at_once: 'bool',
  cancelled_from: 'text?',
  cancelled_by: 'text?',
  cancelled_ahead_ms: 'int8?',
  days_ahead: 'int4',
  seated_minute: 'int4?',
  seated_ms: 'int8?',
  completed_ms: 'int8?',
  duration_minutes: 'int4?',
  answered_minutes: 'int4?',
  visit: 'text?',
  first_source: 'text?',
  returned_after: 'int4?',
  table_ids: 'int8[]',
} as const

/**
 * The bookings of some service dates, of all statuses. Day by day, since a plan
 * for every venue cannot know that a few of its days are little of it.
 */
export const bookingsOfDays = (
  db: Queries,
  venue: VenueId,
  {
    zone,
    from,
    to,
    withVisits,
    withTables,
  }: Days & { readonly zone: string; readonly withVisits: boolean; readonly withTables: boolean },
) =>
  db.many(sql(bookingFacts)`
    select r.service_date, r.service_minute, r.party_size, r.status, r.source, r.${serviceOfBooking} as service,
           (r.import_key is not null or r.source = 'import') as is_imported,
           r.source = 'waitlist' and exists (
             select from waitlist_entry w
              where w.venue_id = ${venue} and w.reservation_id = r.id
                and w.booked_as = 'seated' and not w.for_later) as was_seated_at_once,
           r.cancelled_from, r.cancelled_by,
           (extract(epoch from r.starts_at - r.cancelled_at) * 1000)::bigint as cancelled_ahead_ms,
           r.service_date - (r.created_at at time zone ${zone})::date as days_ahead,
           floor(extract(epoch from (r.seated_at at time zone ${zone}) - r.service_date::timestamp) / 60)::int as seated_minute,
           ${millisecondsOf('seated_at')} as seated_ms, ${millisecondsOf('completed_at')} as completed_ms,
           r.duration_minutes,
           floor((${millisecondsOf('answered_at')} - ${millisecondsOf('created_at')}) / 60000.0)::int as answered_minutes,
           ${withVisits ? visitOf(venue) : part`null::text as visit, null::text as first_source, null::int4 as returned_after`},
           ${withTables ? tablesOf(venue) : part`'{}'::bigint[]`} as table_ids
      from generate_series(${from}::date::timestamp, ${to}::date::timestamp, '1 day') as asked (day)
     cross join lateral (
       select * from reservation b
        where b.venue_id = ${venue} and b.service_date = asked.day::date and b.service_minute is not null
       offset 0) r
     ${withVisits ? firstVisitOf(venue) : part``}`)

const millisecondsOf = (column: 'seated_at' | 'completed_at' | 'answered_at' | 'created_at') =>
  part`(extract(epoch from r.${fragment(column)} at time zone 'UTC') * 1000)::bigint`

/** The first service date that has a booking. */
export const firstServiceDate = async (db: Queries, venue: VenueId): Promise<LocalDate | null> => {
  const row = await db.one(
    sql({ first: 'date?' })`select min(service_date) as first from reservation where venue_id = ${venue}`,
  )
  return row.first
}

/** The first visit of each guest who was served, and whether visits before it were imported. */
const firstVisitOf = (venue: VenueId) => part`left join lateral (
       select f.id, f.service_date, f.source, f.erased_at,
              exists (
                select from guest g
                 where g.venue_id = ${venue} and g.id = r.guest_id and g.imported_visit_count > 0) as had_others
         from reservation f
        where f.venue_id = ${venue} and f.guest_id = r.guest_id and ${isVisit('f')}
        order by f.service_date, f.service_minute, f.id limit 1) as earliest
       on r.status in ('Seated', 'Completed') and r.guest_id is not null and r.erased_at is null`

/**
 * Whether a booking was its guest's first visit, by what the guest came first (visits that were imported were before all
 * others), and days since then if it is the first one on a later date. All are null without a guest.
 */
const visitOf = (venue: VenueId) => part`
           case when earliest.had_others or earliest.id <> r.id then 'returning' when earliest.id = r.id then 'new' end as visit,
           case when earliest.had_others then 'import' else earliest.source end as first_source,
           case when not earliest.had_others and earliest.erased_at is null
             and r.service_date - earliest.service_date between 1 and ${daysToReturn}::int
             and not exists (
               select from reservation b
                where b.venue_id = ${venue} and b.guest_id = r.guest_id and ${isVisit('b')}
                  and b.service_date > earliest.service_date and b.erased_at is null
                  and (b.service_date, b.service_minute, b.id) < (r.service_date, r.service_minute, r.id))
             then r.service_date - earliest.service_date end as returned_after`

const isVisit = (booking: 'b' | 'f') => {
  const of = fragment(booking)
  return part`${of}.status in ('Seated', 'Completed') and ${of}.service_minute is not null`
}

/** Asked booking by booking: one join of many days would read all tables that bookings ever had. */
const tablesOf = (venue: VenueId) => part`case when r.status in ('Seated', 'Completed') then array(
             select h.table_id from reservation_table h where h.venue_id = ${venue} and h.reservation_id = r.id)
           else '{}' end`

const lineFacts = {
  service_date: 'date',
  status: 'text',
  quoted_minutes: 'int4?',
  waited_minutes: 'int4?',
} as const

/** The parties of today's line on these service dates, whatever came of them. */
export const lineOfDays = (db: Queries, venue: VenueId, { from, to }: Days) =>
  db.many(sql(lineFacts)`
    select service_date, status, quoted_minutes,
           floor(extract(epoch from (seated_at at time zone 'UTC') - (quoted_at at time zone 'UTC')) / 60)::int as waited_minutes
      from waitlist_entry
     where venue_id = ${venue} and service_date between ${from} and ${to} and not for_later`)

/** What the venue's tables are called and how many they seat, those that were removed too. */
export const tablesOfVenue = async (
  db: Queries,
  venue: VenueId,
): Promise<ReadonlyMap<number, TableFacts>> => {
  const rows = await db.many(sql({ id: 'int8', label: 'text', most: 'int4' })`
    select id, label, most from dining_table where venue_id = ${venue}`)
  return new Map(rows.map(({ id, label, most }) => [id, { label, most }]))
}

/** Bookings of these dates that no figure counts, since they have no place in a service. */
export const bookingsWithoutService = async (
  db: Queries,
  venue: VenueId,
  { from, to }: Days,
): Promise<number> => {
  const row = await db.one(sql({ count: 'int8' })`
    select count(*) as count from reservation
     where venue_id = ${venue} and coalesce(date, 'infinity'::date) between ${from} and ${to}
       and (service_date is null or service_minute is null)`)
  return row.count
}

/** Whether an account for test payments is or was connected. */
export const hasTestAccount = async (db: Queries, venue: VenueId): Promise<boolean> =>
  (
    await db.one(sql({ has: 'bool' })`
      select exists (select from processor_account where venue_id = ${venue} and not live) as has`)
  ).has
