import type { VenueId } from '../../core/venue/venue.ts'
import { serviceOfBooking } from '../../book/day/book-row.ts'
import type { Queries } from '../../platform/db/pool.ts'
import { part, sql } from '../../platform/db/sql.ts'
import type { LocalDate } from '../../platform/kernel/time/written-time.ts'

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
} as const

/** The bookings of some service dates, of all statuses. */
export const bookingsOfDays = (db: Queries, venue: VenueId, zone: string, { from, to }: Days) =>
  db.many(sql(bookingFacts)`
    select r.service_date, r.service_minute, r.party_size, r.status, r.source, r.${serviceOfBooking} as service,
           r.import_key is not null as is_imported,
           r.source = 'waitlist' and exists (
             select from waitlist_entry w
              where w.venue_id = ${venue} and w.reservation_id = r.id
                and w.booked_as = 'seated' and not w.for_later) as was_seated_at_once,
           r.cancelled_from, r.cancelled_by,
           (extract(epoch from r.starts_at - r.cancelled_at) * 1000)::bigint as cancelled_ahead_ms,
           r.service_date - (r.created_at at time zone ${zone})::date as days_ahead,
           ${minuteOf(zone, 'seated_at')} as seated_minute
      from reservation r
     where r.venue_id = ${venue} and r.service_date between ${from} and ${to} and r.service_minute is not null`)

/** Minutes on the venue's wall since midnight of the service date. */
const minuteOf = (zone: string, column: 'seated_at') =>
  part`floor(extract(epoch from (r.${{ fragment: column }} at time zone ${zone}) - r.service_date::timestamp) / 60)::int`

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
