import type { ReservationSource, ReservationStatus } from '@venue-data/contract/records/reservation.ts'
import type { Queries } from '../../platform/db/pool.ts'
import { type Fragment, columnsOf, sql } from '../../platform/db/sql.ts'
import { markPast } from '../../core/events/mark-past.ts'
import { noted } from '../../core/events/note-change.ts'
import type { VenueId } from '../../core/venue/venue.ts'
import {
  type BookRow,
  type ExperienceChosen,
  type ReservationRow,
  placeColumns,
  reservationRecord,
  reservationRow,
} from '../day/book-row.ts'
import type { Placement } from '../rules/placement.ts'
import type { When } from '../day/when.ts'

export type NewReservationRow = When &
  Placement & {
    readonly guestId: number | Fragment | null
    readonly guestName?: string | null | undefined
    readonly email?: string | null | undefined
    readonly phone?: string | null | undefined
    /** Null only for a cancelled one from another system. */
    readonly partySize: number | null
    readonly status: ReservationStatus
    readonly source: ReservationSource | 'import'
    readonly notes?: string | null | undefined
    /** For a party seated when entered: it was here before, so taking it back from the table leaves it here. */
    readonly seatedAt?: Temporal.Instant
    /** For one imported from another system. */
    readonly cancelledAt?: Temporal.Instant | null
    readonly cancelledBy?: 'guest' | 'staff' | null
    readonly importKey?: string
    readonly externalId?: string | null | undefined
    readonly experience?: ExperienceChosen | null | undefined
  }

/** The one way into the book, for requests, staff and imports; only the demo fills it in bulk. */
export const insertReservation = (
  db: Queries,
  venue: VenueId,
  made: NewReservationRow,
  now: Temporal.Instant,
  /** One imported from another system may be older than its place in the book. */
  createdAt = now,
): Promise<ReservationRow & Pick<BookRow, 'guest_id'>> => {
  const seatedAt = made.seatedAt ?? null
  const cancelledAt = made.cancelledAt ?? null
  const { guestId } = made
  const row = { ...reservationRecord.columns(made), ...placeColumns(made, made, made.experience) }
  // One who is being made has no other visits.
  const guests = typeof guestId === 'number' ? [guestId] : []
  markPast(db, venue, { dates: [row.service_date], guests }, now)
  return noted(
    db,
    venue,
    'reservation',
    now,
    db.one(sql({ ...reservationRow, guest_id: 'int8?' })`
    insert into reservation (
      venue_id, guest_id, ${reservationRecord.names}, status, source, checked_in_at, seated_at, floor_stage, cancelled_at,
      cancelled_by, cancelled_from, import_key, created_at, updated_at)
    values (
      ${venue}, ${guestId}, ${reservationRecord.values(row)}, ${made.status}, ${made.source}, ${seatedAt}, ${seatedAt},
      ${seatedAt && 'Seated'}, ${cancelledAt}, ${made.cancelledBy ?? null}, ${cancelledAt && 'Confirmed'},
      ${made.importKey ?? null}, ${createdAt}, greatest(${createdAt}::timestamptz, ${cancelledAt}::timestamptz))
    returning ${columnsOf(reservationRow)}, guest_id`),
  )
}
