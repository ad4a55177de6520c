import type { Queries } from '../../../platform/db/pool.ts'
import { type RowOf, columnsOf, sql } from '../../../platform/db/sql.ts'
import type { VenueId } from '../../../core/venue/venue.ts'

/* What else a booking has, for the guest behind its private link. None of it is public. */

export const guestBookingRow = {
  reservation_id: 'int8',
  language: 'text?',
  link_issue: 'int4',
  occasion: 'text?',
  seating: 'text?',
  answers: 'text[]',
  note: 'text?',
  coming_at: 'timestamptz?',
  resent_at: 'timestamptz?',
  calendar_sent: 'bool',
  two_at_once: 'bool',
} as const
export type GuestBookingRow = RowOf<typeof guestBookingRow>

export const guestBookingOf = (
  db: Queries,
  venue: VenueId,
  reservation: number,
): Promise<GuestBookingRow | undefined> =>
  db.maybe(sql(guestBookingRow)`
    select ${columnsOf(guestBookingRow)} from guest_booking
     where venue_id = ${venue} and reservation_id = ${reservation}`)

/** The booking that a form made, if it was sent before. */
export const bookingOfForm = async (
  db: Queries,
  venue: VenueId,
  formToken: string,
): Promise<number | undefined> =>
  (
    await db.maybe(sql({ reservation_id: 'int8' })`
    select reservation_id from guest_booking where venue_id = ${venue} and form_token = ${formToken}::uuid`)
  )?.reservation_id

export type NewGuestBooking = {
  readonly formToken: string | null
  readonly language: string | null
  readonly occasion: string | null
  readonly seating: string | null
  readonly answers: readonly string[]
  /** Their own words; what is in the booking's notes may be the restaurant's. */
  readonly note: string | null
  /** They had two open bookings at that time already. */
  readonly twoAtOnce?: boolean
}

/** Writes what a form said; one that is there stays, so a link can be made for any booking. */
export const keepGuestBooking = (
  db: Queries,
  venue: VenueId,
  reservation: number,
  { formToken, language, occasion, seating, answers, note, twoAtOnce = false }: NewGuestBooking,
): Promise<unknown> =>
  db.run(sql()`
    insert into guest_booking (venue_id, reservation_id, form_token, language, occasion, seating, answers, note, two_at_once)
    values (${venue}, ${reservation}, ${formToken}::uuid, ${language}, ${occasion}, ${seating}, ${[...answers]}, ${note}, ${twoAtOnce})
    on conflict (venue_id, reservation_id) do nothing`)

/** A booking that was not made with a form still gets a link. */
export const nothingSaid: NewGuestBooking = {
  formToken: null,
  language: null,
  occasion: null,
  seating: null,
  answers: [],
  note: null,
}

/** Ends the link there is: only the next one leads to the booking. */
export const newLink = (db: Queries, venue: VenueId, reservation: number): Promise<number> =>
  db.run(sql()`
    update guest_booking set link_issue = link_issue + 1
     where venue_id = ${venue} and reservation_id = ${reservation}`)

export const markComing = (
  db: Queries,
  venue: VenueId,
  reservation: number,
  now: Temporal.Instant,
): Promise<number> =>
  db.run(sql()`
    update guest_booking set coming_at = coalesce(coming_at, ${now})
     where venue_id = ${venue} and reservation_id = ${reservation}`)

/** Adds a line to what the guest wrote; false where it is their last line already, as when a form is sent twice. */
export const addToNote = async (
  db: Queries,
  venue: VenueId,
  reservation: number,
  note: string,
): Promise<boolean> =>
  (await db.run(sql()`
    update guest_booking set note = coalesce(note || ${'\n'}, '') || ${note}::text
     where venue_id = ${venue} and reservation_id = ${reservation}
       and (note is null or right(${'\n'} || note, length(${note}::text) + 1) <> ${'\n'} || ${note}::text)`)) ===
  1

/** Notes that a calendar file of it went out: a cancellation takes it off again. */
export const markCalendarSent = (db: Queries, venue: VenueId, reservation: number): Promise<number> =>
  db.run(sql()`
    update guest_booking set calendar_sent = true
     where venue_id = ${venue} and reservation_id = ${reservation} and not calendar_sent`)

/** Notes that the mail was asked for again; false within ten minutes of the last time. */
export const markResent = async (
  db: Queries,
  venue: VenueId,
  reservation: number,
  now: Temporal.Instant,
): Promise<boolean> =>
  (await db.run(sql()`
    update guest_booking set resent_at = ${now}
     where venue_id = ${venue} and reservation_id = ${reservation}
       and (resent_at is null or resent_at <= ${now.subtract({ minutes: 10 })})`)) === 1
