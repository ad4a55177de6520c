import type { Queries } from '../../platform/db/pool.ts'
import { type RowOf, columnsOf, sql } from '../../platform/db/sql.ts'
import type { VenueId } from '../../core/venue/venue.ts'

export const reservationRow = {
  id: 'int8',
  guest_name: 'text?',
  email: 'text?',
  phone: 'text?',
  party_size: 'int4?',
  date: 'date?',
  time: 'time?',
  duration_minutes: 'int4?',
  status: 'text',
  source: 'text',
  booking_type: 'text?',
  notes: 'text?',
  floor_stage: 'text?',
  external_id: 'text?',
  created_at: 'timestamptz',
  checked_in_at: 'timestamptz?',
  cancelled_at: 'timestamptz?',
  cancelled_by: 'text?',
  updated_at: 'timestamptz',
  revision: 'int4',
} as const
export type ReservationRow = RowOf<typeof reservationRow>

/** A reservation as staff handle it: its public shape and what the moves need to know. */
export const bookRow = {
  ...reservationRow,
  guest_id: 'int8?',
  service_date: 'date?',
  service_minute: 'int4?',
  starts_at: 'timestamptz?',
  seated_at: 'timestamptz?',
  completed_at: 'timestamptz?',
  no_show_at: 'timestamptz?',
  cancelled_from: 'text?',
  cancel_message: 'text?',
  arrived_by_seating: 'bool',
  stage_before_seating: 'text?',
  kept_open: 'bool',
  version: 'int4',
} as const
export type BookRow = RowOf<typeof bookRow>

export const bookedReservation = (
  db: Queries,
  venue: VenueId,
  reservation: number,
): Promise<BookRow | undefined> =>
  db.maybe(sql(bookRow)`
    select ${columnsOf(bookRow)} from reservation where venue_id = ${venue} and id = ${reservation}`)

/** The same, locked until the transaction ends. Taken after the day and the guest book, never before. */
export const bookedReservationForUpdate = (
  db: Queries,
  venue: VenueId,
  reservation: number,
): Promise<BookRow | undefined> =>
  db.maybe(sql(bookRow)`
    select ${columnsOf(bookRow)} from reservation where venue_id = ${venue} and id = ${reservation} for update`)

/** Seated parties examined in one run: more than any venue has tables. */
const mostAtTable = 1_000

const atTableRow = {
  id: 'int8',
  service_date: 'date',
  service_minute: 'int4',
  starts_at: 'timestamptz',
  seated_at: 'timestamptz?',
  duration_minutes: 'int4?',
  kept_open: 'bool',
} as const
export type AtTableRow = RowOf<typeof atTableRow>

/** The seated parties, longest seated first. */
export const partiesAtTable = (db: Queries, venue: VenueId): Promise<AtTableRow[]> =>
  db.many(sql(atTableRow)`
    select ${columnsOf(atTableRow)} from reservation
     where venue_id = ${venue} and status = 'Seated'
       and service_date is not null and service_minute is not null and starts_at is not null
     order by service_date, id
     limit ${mostAtTable}`)

/** The venues with a seated party. */
export const venuesWithPartiesAtTable = async (db: Queries): Promise<Set<number>> => {
  const rows = await db.many(sql({ venue_id: 'int8' })`
    select distinct venue_id from reservation where status = 'Seated'`)
  return new Set(rows.map(({ venue_id }) => venue_id))
}
