import type { Queries } from '../../platform/db/pool.ts'
import { type RowOf, columnsOf, joined, part, seldom, sql } from '../../platform/db/sql.ts'
import type { DocumentRules } from './booking-rules.ts'
import type { VenueId } from '../../core/venue/venue.ts'
import { resolveService } from './resolve-service.ts'

const upcomingRow = {
  id: 'int8',
  guest_name: 'text?',
  party_size: 'int4',
  date: 'date',
  time: 'time',
  service_date: 'date',
  service_minute: 'int4',
  status: 'text',
} as const
export type UpcomingBooking = RowOf<typeof upcomingRow>

/** Most upcoming bookings checked when hours change. */
const mostUpcoming = 5_000

/** Bookings that are upcoming and expected. */
export const upcomingBookings = (
  db: Queries,
  venue: VenueId,
  now: Temporal.Instant,
): Promise<UpcomingBooking[]> =>
  db.many(sql(upcomingRow)`
    select ${columnsOf(upcomingRow)} from reservation
     where venue_id = ${venue} and starts_at >= ${now} and status in ('Requested', 'Confirmed')
       and party_size is not null and date is not null and time is not null
       and service_date is not null and service_minute is not null
     order by starts_at, id
     limit ${mostUpcoming}`)

/**
 * The bookings that a rule change would leave without a service: fine before, and afterward outside every period, on
 * a closed day, or inside a block of all bookings. They stay in the book; somebody has to contact those guests.
 */
export const strandedBy = (
  before: DocumentRules,
  after: DocumentRules,
  bookings: readonly UpcomingBooking[],
): readonly UpcomingBooking[] =>
  bookings.filter((booking) => isServed(before, booking) && !isServed(after, booking))

type WhenBooked = Pick<UpcomingBooking, 'date' | 'time' | 'service_date' | 'service_minute'>

/** Notes which bookings a change left without a service, for those who contact the guests. */
export const keepStranded = (
  db: Queries,
  venue: VenueId,
  change: number,
  bookings: readonly UpcomingBooking[],
): Promise<number> =>
  db.run(
    seldom(sql()`
    insert into stranded_booking (venue_id, reservation_id, change_id, date, time)
    values ${joined(
      bookings.map(({ id, date, time }) => part`(${venue}, ${id}, ${change}, ${date}, ${time})`),
      ', ',
    )}`),
  )

export const isServed = (rules: DocumentRules, booking: WhenBooked): boolean => {
  const { date, time, service_date: serviceDate, service_minute: minute } = booking
  const place = resolveService(rules, { date, time })
  if (place.period === null || place.serviceDate !== serviceDate) return false
  const { lastArrivalMinute, seatingMinutes } = place.period
  if (lastArrivalMinute !== null && minute > lastArrivalMinute) return false
  if (seatingMinutes.length > 0 && !seatingMinutes.includes(minute)) return false
  // A block of online bookings only stops new ones: who booked before is expected.
  return !rules.blocks.some(
    (block) =>
      block.scope === 'all' &&
      block.serviceDate === serviceDate &&
      block.fromMinute <= minute &&
      minute < block.toMinute,
  )
}
