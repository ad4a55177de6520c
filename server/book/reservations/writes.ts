import type { ReservationSource, ReservationStatus } from '@venue-data/contract/records/reservation.ts'
import type { Queries } from '../../platform/db/pool.ts'
import { columnsOf, sql } from '../../platform/db/sql.ts'
import { noted } from '../../core/events/note-change.ts'
import { emailKey } from '../../platform/kernel/email.ts'
import { phoneKey } from '../../platform/kernel/phone.ts'
import type { VenueId } from '../../core/venue/venue.ts'
import { type ReservationRow, reservationRow } from '../day/book-row.ts'
import type { Placement } from '../rules/placement.ts'
import type { When } from '../day/when.ts'

export type NewReservationRow = When &
  Placement & {
    readonly guestId: number | null
    readonly guestName: string | null
    readonly email: string | null
    readonly phone: string | null
    readonly partySize: number
    readonly status: ReservationStatus
    readonly source: ReservationSource | 'import'
    readonly notes: string | null
    /** For a party seated when entered: it was here before, so taking it back from the table leaves it here. */
    readonly seatedAt?: Temporal.Instant
    /** For one imported from another system. */
    readonly cancelledAt?: Temporal.Instant | null
    readonly cancelledBy?: 'guest' | 'staff' | null
    readonly importKey?: string
    readonly externalId?: string | null
  }

/** The one way into the book, for requests, staff and imports; only the demo fills it in bulk. */
export const insertReservation = (
  db: Queries,
  venue: VenueId,
  made: NewReservationRow,
  now: Temporal.Instant,
  /** One imported from another system may be older than its place in the book. */
  createdAt = now,
): Promise<ReservationRow> => {
  const phone = made.phone === null ? undefined : phoneKey(made.phone)
  const seatedAt = made.seatedAt ?? null
  const cancelledAt = made.cancelledAt ?? null
  return noted(
    db,
    venue,
    'reservation',
    now,
    db.one(sql(reservationRow)`
    insert into reservation (
      venue_id, guest_id, guest_name, email, email_key, phone, phone_key, phone_international, party_size,
      date, time, service_date, service_minute, starts_at, duration_minutes, status, source, booking_type, notes,
      checked_in_at, seated_at, floor_stage, cancelled_at, cancelled_by, cancelled_from, import_key, external_id,
      created_at, updated_at)
    values (
      ${venue}, ${made.guestId}, ${made.guestName}, ${made.email}, ${made.email === null ? null : emailKey(made.email)},
      ${made.phone}, ${phone?.digits ?? null}, ${phone?.international ?? false}, ${made.partySize},
      ${made.date}, ${made.time}, ${made.serviceDate}, ${made.serviceMinute}, ${made.startsAt},
      ${made.durationMinutes}, ${made.status}, ${made.source}, ${made.periodName}, ${made.notes},
      ${seatedAt}, ${seatedAt}, ${seatedAt && 'Seated'}, ${cancelledAt}, ${made.cancelledBy ?? null},
      ${cancelledAt && 'Confirmed'}, ${made.importKey ?? null}, ${made.externalId ?? null}, ${createdAt},
      greatest(${createdAt}::timestamptz, ${cancelledAt}::timestamptz))
    returning ${columnsOf(reservationRow)}`),
  )
}
