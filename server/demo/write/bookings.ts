import { randomBytes } from 'node:crypto'
import { sql } from '../../platform/db/sql.ts'
import { contactKeys } from '../../platform/kernel/contact-keys.ts'
import { emailKey } from '../../platform/kernel/email.ts'
import { phoneKey } from '../../platform/kernel/phone.ts'
import { newHoldId } from '../../book/reservations/holds/holds.ts'
import { type Tables, idsInBatches, inBatches, momentText } from './bulk.ts'
import type { DemoBooking, DemoGuest } from '../guest-book.ts'
import type { DemoWaitlistEntry } from '../plan.ts'
import { demoZone, minuteMs } from '../venue-time.ts'

/** Writes the bookings; the id of each. */
export const writeBookings = (
  { db, venue }: Tables,
  bookings: readonly DemoBooking[],
  guestIds: ReadonlyMap<DemoGuest, number>,
): Promise<Map<DemoBooking, number>> =>
  idsInBatches(bookings, (batch) => {
    const keys = batch.map(({ phone }) => (phone === null ? undefined : phoneKey(phone)))
    const states = batch.map(({ state }) => state)
    return db.many(sql({ id: 'int8' })`
      insert into reservation (
        venue_id, guest_id, guest_name, email, email_key, phone, phone_key, phone_international, party_size,
        date, time, service_date, service_minute, starts_at, duration_minutes, status, source, booking_type, notes,
        floor_stage, created_at, checked_in_at, seated_at, completed_at, no_show_at, cancelled_at, cancelled_by,
        cancelled_from, arrived_by_seating, kept_open, updated_at)
      select
        ${venue}, guest_id, guest_name, email, email_key, phone, phone_key, international, party_size,
        date, time, service_date, service_minute, starts_at, duration, status, source, booking_type, notes,
        floor_stage, created_at, checked_in_at, seated_at, completed_at, no_show_at, cancelled_at, cancelled_by,
        cancelled_from, arrived_by_seating, kept_open, updated_at
        from unnest(
          ${batch.map(({ guest }) => (guest && guestIds.get(guest)) ?? null)}::bigint[],
          ${batch.map((one) => one.guestName)}::text[], ${batch.map((one) => one.email)}::text[],
          ${batch.map(({ email }) => email && emailKey(email))}::text[], ${batch.map((one) => one.phone)}::text[],
          ${keys.map((key) => key?.digits ?? null)}::text[],
          ${keys.map((key) => String(key?.international ?? false))}::boolean[],
          ${batch.map((one) => one.partySize)}::integer[], ${batch.map((one) => one.date)}::date[],
          ${batch.map((one) => one.time)}::time[], ${batch.map((one) => one.serviceDate)}::date[],
          ${batch.map((one) => one.serviceMinute)}::integer[],
          ${batch.map((one) => momentText(one.startsAt))}::timestamptz[],
          ${batch.map((one) => one.durationMinutes)}::integer[], ${states.map((state) => state.status)}::text[],
          ${batch.map((one) => one.source)}::text[], ${batch.map((one) => one.bookingType)}::text[],
          ${batch.map((one) => one.notes)}::text[], ${states.map((state) => state.floorStage)}::text[],
          ${batch.map((one) => momentText(one.createdAt))}::timestamptz[],
          ${states.map((state) => momentText(state.checkedInAt))}::timestamptz[],
          ${states.map((state) => momentText(state.seatedAt))}::timestamptz[],
          ${states.map((state) => momentText(state.completedAt))}::timestamptz[],
          ${states.map((state) => momentText(state.noShowAt))}::timestamptz[],
          ${states.map((state) => momentText(state.cancelledAt))}::timestamptz[],
          ${states.map((state) => state.cancelledBy)}::text[], ${batch.map(cancelledFrom)}::text[],
          ${states.map((state) => String(state.seatedAt !== null && state.seatedAt === state.checkedInAt))}::boolean[],
          ${batch.map((one) => String(isKeptOpen(one)))}::boolean[],
          ${states.map((state) => momentText(state.updatedAt))}::timestamptz[])
        with ordinality as given (
          guest_id, guest_name, email, email_key, phone, phone_key, international, party_size,
          date, time, service_date, service_minute, starts_at, duration, status, source, booking_type, notes,
          floor_stage, created_at, checked_in_at, seated_at, completed_at, no_show_at, cancelled_at, cancelled_by,
          cancelled_from, arrived_by_seating, kept_open, updated_at, place)
       order by place
      returning id`)
  })

/** Where an undone cancellation leads back to. */
const cancelledFrom = ({ state, confirmedAt }: DemoBooking): 'Requested' | 'Confirmed' | null => {
  if (state.cancelledAt === null) return null
  return confirmedAt !== null && confirmedAt <= state.cancelledAt ? 'Confirmed' : 'Requested'
}

/** A table that was opened again after service: the end of the next service leaves it open. */
const isKeptOpen = ({ state, arrival }: DemoBooking): boolean =>
  state.status === 'Seated' && arrival?.completedAt === null

/** Writes the waitlist; who got a table has its booking's contact. */
export const writeWaitlist = (
  { db, venue }: Tables,
  entries: readonly DemoWaitlistEntry[],
  bookingIds: ReadonlyMap<DemoBooking, number>,
): Promise<void> =>
  inBatches(entries, (batch) => {
    const keys = batch.map(({ story, booking }) =>
      contactKeys(booking?.email ?? null, (booking ?? story).phone),
    )
    return db.run(sql()`
      insert into waitlist_entry (
        venue_id, guest_name, email, phone, email_key, phone_key, phone_international, party_size, date, service_date, requested_time, window_start, window_end,
        status, source, notes, quoted_minutes, quoted_at, paged_at, seated_at, left_at, reservation_id, booked_as,
        for_later, offered_until, coming_at, created_at, updated_at)
      select
        ${venue}, guest_name, email, phone, email_key, phone_key, phone_international, party_size, date, date, requested_time, window_start, window_end,
        status, source, notes, quoted_minutes, quoted_at, paged_at, seated_at, left_at, reservation_id,
        case when reservation_id is null then null else 'seated' end,
        for_later, offered_until, coming_at, created_at, updated_at
        from unnest(
          ${batch.map(({ story, booking }) => booking?.guestName ?? story.guestName)}::text[],
          ${batch.map(({ booking }) => booking?.email ?? null)}::text[],
          ${batch.map(({ story, booking }) => (booking ?? story).phone)}::text[],
          ${keys.map((one) => one.email_key)}::text[], ${keys.map((one) => one.phone_key)}::text[],
          ${keys.map((one) => String(one.phone_international))}::boolean[],
          ${batch.map(({ story }) => story.partySize)}::integer[], ${batch.map(({ story }) => story.date)}::date[],
          ${batch.map(({ story }) => story.requestedTime)}::time[],
          ${batch.map(({ story }) => story.windowStart)}::time[], ${batch.map(({ story }) => story.windowEnd)}::time[],
          ${batch.map(({ state }) => state.status)}::text[], ${batch.map(({ story }) => story.source)}::text[],
          ${batch.map(({ story }) => story.notes)}::text[],
          ${batch.map(({ state }) => state.quotedMinutes)}::integer[],
          ${batch.map(({ state }) => momentText(state.quotedAt))}::timestamptz[],
          ${batch.map(({ state }) => momentText(state.pagedAt))}::timestamptz[],
          ${batch.map(({ state }) => momentText(state.seatedAt))}::timestamptz[],
          ${batch.map(({ state }) => momentText(state.leftAt))}::timestamptz[],
          ${batch.map(({ booking }) => (booking && bookingIds.get(booking)) ?? null)}::bigint[],
          ${batch.map(({ story }) => String(story.forLater))}::boolean[],
          ${batch.map((one) => momentText(offeredUntil(one)))}::timestamptz[],
          ${batch.map(({ story }) => momentText(story.comingAt))}::timestamptz[],
          ${batch.map(({ story }) => momentText(story.createdAt))}::timestamptz[],
          ${batch.map(({ state }) => momentText(state.updatedAt))}::timestamptz[])
        with ordinality as given (
          guest_name, email, phone, email_key, phone_key, phone_international, party_size, date, requested_time, window_start, window_end, status, source, notes,
          quoted_minutes, quoted_at, paged_at, seated_at, left_at, reservation_id,
          for_later, offered_until, coming_at, created_at, updated_at, place)
       order by place`)
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
