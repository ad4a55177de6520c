import type { Queries } from '../../platform/db/pool.ts'
import { columnsOf, sql } from '../../platform/db/sql.ts'
import { markPast } from '../../core/events/mark-past.ts'
import { noteGone, noted } from '../../core/events/note-change.ts'
import type { VenueId } from '../../core/venue/venue.ts'
import { type BookRow, type Edited, bookRow, reservationRecord } from '../day/book-row.ts'
import type { ReservationMove } from './states.ts'
import type { Moved } from './transition.ts'

/**
 * Writes a move. Its `from` list guards the statement: undefined when the booking is no longer in any of those
 * statuses. `updated_at` moves only for what lists reflect, and never back. `isAnswer`: staff move a request for the first
 * time, which is kept for good.
 */
export const writeMove = (
  db: Queries,
  venue: VenueId,
  reservation: number,
  { from, datesList }: ReservationMove,
  to: Moved,
  now: Temporal.Instant,
  { isAnswer = false }: { readonly isAnswer?: boolean } = {},
): Promise<BookRow | undefined> =>
  noted(
    db,
    venue,
    'reservation',
    now,
    db.maybe(sql(bookRow)`
    update reservation set
      status = ${to.status}, checked_in_at = ${to.checked_in_at}, seated_at = ${to.seated_at},
      completed_at = ${to.completed_at}, no_show_at = ${to.no_show_at}, cancelled_at = ${to.cancelled_at},
      cancelled_by = ${to.cancelled_by}, cancelled_from = ${to.cancelled_from}, floor_stage = ${to.floor_stage},
      cancel_message = ${to.cancel_message}, arrived_by_seating = ${to.arrived_by_seating}, stage_before_seating = ${to.stage_before_seating},
      kept_open = ${to.kept_open}, duration_minutes = ${to.duration_minutes},
      minutes_before_seating = ${to.minutes_before_seating}, answered_at = coalesce(answered_at, ${isAnswer ? now : null}),
      updated_at = case when ${datesList} then greatest(updated_at, ${now}) else updated_at end,
      version = version + 1, revision = revision + 1
    where venue_id = ${venue} and id = ${reservation} and status = any(${[...from]})
    returning ${columnsOf(bookRow)}`),
    (row) => markPast(db, venue, { dates: [row.service_date], guests: [row.guest_id] }, now),
  )

/** Writes an edit. Undefined when the booking was changed since the version that was edited. */
export const writeEdit = (
  db: Queries,
  venue: VenueId,
  { id, version, service_date, guest_id }: Pick<BookRow, 'id' | 'version' | 'service_date' | 'guest_id'>,
  { minutesBeforeSeating, ...to }: Edited & { readonly minutesBeforeSeating?: number | undefined },
  now: Temporal.Instant,
): Promise<BookRow | undefined> =>
  noted(
    db,
    venue,
    'reservation',
    now,
    db.maybe(sql(bookRow)`
    update reservation set guest_id = ${to.guest_id}, ${reservationRecord.set(to)},
      minutes_before_seating = coalesce(${minutesBeforeSeating ?? null}::int,
        case when duration_minutes is not distinct from ${to.duration_minutes} then minutes_before_seating end),
      version = version + 1, revision = revision + 1
     where venue_id = ${venue} and id = ${id} and version = ${version}
    returning ${columnsOf(bookRow)}`),
    (row) => {
      const dates = [service_date, row.service_date]
      markPast(db, venue, { dates, guests: [guest_id, row.guest_id] }, now)
    },
  )

/** Permanently removes a booking from the book. */
export const removeReservation = async (
  db: Queries,
  venue: VenueId,
  id: number,
  now: Temporal.Instant,
): Promise<void> => {
  const gone = await db.maybe(sql({ revision: 'int4', service_date: 'date?', guest_id: 'int8?' })`
    delete from reservation where venue_id = ${venue} and id = ${id} returning revision, service_date, guest_id`)
  if (!gone) return
  markPast(db, venue, { dates: [gone.service_date], guests: [gone.guest_id] }, now)
  noteGone(db, venue, { kind: 'reservation', id, revision: gone.revision }, now)
}
