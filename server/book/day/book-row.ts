import { Reservation } from '@venue-data/contract/records/reservation.ts'
import type { Queries } from '../../platform/db/pool.ts'
import { recordOf } from '../../platform/db/record-of.ts'
import { type RowOf, columnsOf, fragment, sql } from '../../platform/db/sql.ts'
import { toMoment } from '../../platform/kernel/time/moment.ts'
import type { VenueId } from '../../core/venue/venue.ts'
import type { Placement } from '../rules/placement.ts'
import type { When } from './when.ts'

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
  guarantee: 'jsonb?',
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
  /** How long it was booked for, if its stay was cut as it sat down; 0: nobody had said. */
  minutes_before_seating: 'int4?',
  kept_open: 'bool',
  experience: 'text?',
  version: 'int4',
} as const
export type BookRow = RowOf<typeof bookRow>

/** What a booking is made with, besides its guest, and what an edit may change; the rest of the row stays. */
const written = [
  'guest_name',
  'email',
  'phone',
  'notes',
  'external_id',
  'party_size',
  'date',
  'time',
  'service_date',
  'service_minute',
  'starts_at',
  'duration_minutes',
  'booking_type',
  'experience',
] as const
export type Edited = Pick<BookRow, 'guest_id' | (typeof written)[number]>

export const reservationRecord = recordOf(Reservation, bookRow, { written, contact: ['email', 'phone'] })
export const presentReservation = reservationRecord.present

/** The service that a booking is of, by the name it had then. */
export const serviceOfBooking = fragment('booking_type')

/** What goes with a booking, by its key and the name it had then. */
export type ExperienceChosen = { readonly key: string; readonly name: string }

/** What says which experience a booking has. */
export type WithExperience = Pick<BookRow, 'experience' | 'booking_type'>

/** What goes with a booking in the book; null: nothing but the table, as with a party in line. */
export const experienceOf = ({
  experience: key = null,
  booking_type: name = null,
}: Partial<WithExperience>): ExperienceChosen | null => (key === null ? null : { key, name: name ?? key })

/** The type of a booking: its experience, or the service that it is in. */
export const typeColumns = (
  experience: ExperienceChosen | null,
  { periodName }: Pick<Placement, 'periodName'>,
) => ({ booking_type: experience?.name ?? periodName, experience: experience?.key ?? null })

/** When a booking arrives, where in the book that is, and its type. */
export const placeColumns = (
  { date, time, startsAt }: When,
  { serviceDate, serviceMinute, periodName }: Pick<Placement, 'serviceDate' | 'serviceMinute' | 'periodName'>,
  experience: ExperienceChosen | null = null,
) => ({
  date,
  time,
  service_date: serviceDate,
  service_minute: serviceMinute,
  starts_at: toMoment(startsAt),
  ...typeColumns(experience, { periodName }),
})

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
