import { randomBytes } from 'node:crypto'
import { sql } from '../../platform/db/sql.ts'
import { contactKeys } from '../../platform/kernel/phone/contact-keys.ts'
import { newHoldId } from '../../book/reservations/holds/holds.ts'
import { reservationRecord } from '../../book/day/book-row.ts'
import { entryRecord } from '../../book/day/entry-row.ts'
import { type Tables, insertAll, insertAllWithIds } from './bulk.ts'
import type { DemoBooking, DemoGuest } from '../guest-book.ts'
import type { DemoWaitlistEntry } from '../plan.ts'
import { demoZone, minuteMs } from '../venue-time.ts'

/** Writes the bookings; the id of each. */
export const writeBookings = (
  tables: Tables,
  bookings: readonly DemoBooking[],
  guestIds: ReadonlyMap<DemoGuest, number>,
): Promise<Map<DemoBooking, number>> =>
  insertAllWithIds(tables, 'reservation', bookings, (one) => ({
    ...reservationRecord.columns({ ...one, ...one.state }),
    ...contactKeys(one.email, one.phone),
    guest_id: (one.guest && guestIds.get(one.guest)) ?? null,
    service_date: one.serviceDate,
    service_minute: one.serviceMinute,
    starts_at: one.startsAt,
    seated_at: one.state.seatedAt,
    completed_at: one.state.completedAt,
    no_show_at: one.state.noShowAt,
    cancelled_from: cancelledFrom(one),
    answered_at: answeredAt(one),
    arrived_by_seating: one.state.seatedAt !== null && one.state.seatedAt === one.state.checkedInAt,
    kept_open: isKeptOpen(one),
  }))

/** Where an undone cancellation leads back to. */
const cancelledFrom = ({ state, confirmedAt }: DemoBooking): 'Requested' | 'Confirmed' | null => {
  if (state.cancelledAt === null) return null
  return confirmedAt !== null && confirmedAt <= state.cancelledAt ? 'Confirmed' : 'Requested'
}

/** When staff answered a request; null where the booking was none, or nobody did before it was withdrawn. */
const answeredAt = ({ createdAt, confirmedAt, state }: DemoBooking): number | null => {
  const { status, cancelledAt, cancelledBy } = state
  if (status === 'Requested' || confirmedAt === createdAt) return null
  if (confirmedAt !== null && (cancelledAt === null || confirmedAt <= cancelledAt))
    return Math.floor(confirmedAt)
  return cancelledBy === 'staff' ? cancelledAt : null
}

/** A table that was opened again after service: the end of the next service leaves it open. */
const isKeptOpen = ({ state, arrival }: DemoBooking): boolean =>
  state.status === 'Seated' && arrival?.completedAt === null

/** Writes the waitlist; who got a table has its booking's contact. */
export const writeWaitlist = (
  tables: Tables,
  entries: readonly DemoWaitlistEntry[],
  bookingIds: ReadonlyMap<DemoBooking, number>,
): Promise<void> =>
  insertAll(tables, 'waitlist_entry', entries, (entry) => {
    const { story, state, booking } = entry
    const { guestName, phone } = booking ?? story
    const contact = { guestName, phone, email: booking?.email ?? null }
    const reservation = (booking && bookingIds.get(booking)) ?? null
    return {
      ...entryRecord.columns({ ...story, ...state, ...contact }),
      ...contactKeys(contact.email, phone),
      service_date: story.date,
      reservation_id: reservation,
      booked_as: reservation && 'seated',
      for_later: story.forLater,
      offered_until: offeredUntil(entry),
      coming_at: story.comingAt,
    }
  })

/** How long the venue holds a place that it offers to a party on the list of another day, in minutes: the longest it may. */
const offerMinutes = 240

const offeredUntil = ({ story, state }: DemoWaitlistEntry): number | null =>
  story.forLater && state.status === 'offered' && state.pagedAt !== null
    ? state.pagedAt + offerMinutes * minuteMs
    : null

/** Holds the places that parties on the list of another day are offered, and says for how long the venue does. */
export const holdOffers = async ({ db, venue }: Tables): Promise<void> => {
  await db.run(sql()`
    update guest_pages set settings = settings || ${JSON.stringify({ offerMinutes })}::jsonb where venue_id = ${venue}`)
  const offers = await db.many(sql({ id: 'int8' })`
    select id from waitlist_entry
     where venue_id = ${venue} and status = 'offered' and for_later and offered_until is not null`)
  await db.run(sql()`
    insert into booking_hold (
      venue_id, id, waitlist_entry_id, service_date, service_minute, starts_at, party_size, expires_at)
    select e.venue_id, given.id, e.id, e.service_date,
           extract(hour from e.requested_time)::int * 60 + extract(minute from e.requested_time)::int,
           (e.service_date + e.requested_time) at time zone ${demoZone}::text, e.party_size, e.offered_until
      from unnest(${offers.map(({ id }) => id)}::bigint[], ${offers.map(() => newHoldId(randomBytes))}::text[])
             as given (entry, id)
      join waitlist_entry e on e.venue_id = ${venue} and e.id = given.entry`)
}
