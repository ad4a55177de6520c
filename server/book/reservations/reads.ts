import { limits } from '@venue-data/contract/limits.ts'
import type { Queries } from '../../platform/db/pool.ts'
import { type RowOf, columnsOf, fragment, quickRead, sql } from '../../platform/db/sql.ts'
import { statesIn } from '../../core/events/record-states.ts'
import type { Contact } from '../../platform/http/contact-query.ts'
import { prefixEnd, reversed, samePhone, suffixesOf } from '../../platform/kernel/phone/phone.ts'
import type { LocalDate } from '../../platform/kernel/time/written-time.ts'
import type { VenueId } from '../../core/venue/venue.ts'
import { type ReservationRow, reservationRow } from '../day/book-row.ts'

export const reservationById = (
  db: Queries,
  venue: VenueId,
  id: number,
): Promise<ReservationRow | undefined> =>
  db.maybe(
    quickRead(sql(reservationRow)`
    select ${columnsOf(reservationRow)} from reservation where venue_id = ${venue} and id = ${id}`),
  )

export const reservationsByIds = (
  db: Queries,
  venue: VenueId,
  ids: readonly number[],
): Promise<ReservationRow[]> =>
  db.many(sql(reservationRow)`
    select ${columnsOf(reservationRow)} from reservation where venue_id = ${venue} and id = any(${ids}::bigint[])`)

const visitColumns = {
  ...reservationRow,
  service_date: 'date?',
  starts_at: 'timestamptz?',
  seated_at: 'timestamptz?',
  completed_at: 'timestamptz?',
} as const
const visitRow = { ...visitColumns, tables: 'text[]' } as const
/** A booking of a guest, with the labels of its tables. */
export type VisitRow = RowOf<typeof visitRow>

/** A guest's last bookings, latest first. */
export const bookingsOfGuest = (
  db: Queries,
  venue: VenueId,
  guest: number,
  most: number,
): Promise<VisitRow[]> =>
  db.many(sql(visitRow)`
    select ${columnsOf(visitColumns, 'r')},
           array(select t.label from reservation_table x
                   join dining_table t on t.venue_id = x.venue_id and t.id = x.table_id
                  where x.venue_id = ${venue} and x.reservation_id = r.id order by t.label) as tables
      from reservation r
     where r.venue_id = ${venue} and r.guest_id = ${guest}
     order by r.starts_at desc nulls last, r.id desc limit ${most}`)

export const reservationStates = statesIn(fragment('reservation'))

const foundRow = {
  ...reservationRow,
  email_key: 'text?',
  phone_key: 'text?',
  phone_international: 'bool',
  starts_at: 'timestamptz?',
} as const
export type FoundReservation = RowOf<typeof foundRow>

/** Most bookings searched for one contact; more than any guest makes. */
const mostLookedThrough = 2_000

/**
 * Reservations with the email address or the phone number, in no particular order. Numbers match as in `samePhone`;
 * the statement finds a superset by index.
 */
export const reservationsOfContact = async (
  db: Queries,
  venue: VenueId,
  { emailKey, phone }: Contact,
  date: LocalDate | undefined,
): Promise<FoundReservation[]> => {
  const back = phone && reversed(phone.digits)
  const rows = await db.many(sql(foundRow)`
    with found as (
      select id from reservation where venue_id = ${venue} and email_key = ${emailKey ?? null}
      union
      select id from reservation where venue_id = ${venue} and phone_key = any(${phone ? suffixesOf(phone.digits) : []})
      union
      select id from reservation
       where venue_id = ${venue} and phone_key is not null
         and reverse(phone_key) ~>=~ ${back ?? null} and reverse(phone_key) ~<~ ${back ? prefixEnd(back) : null}
    )
    select ${columnsOf(foundRow, 'r')} from reservation r
      join found on found.id = r.id
     where r.venue_id = ${venue} and (${date ?? null}::date is null or r.date = ${date ?? null}::date)
     order by r.starts_at desc nulls last, r.id desc
     limit ${mostLookedThrough}`)
  return rows.filter(
    (row) =>
      (emailKey !== undefined && row.email_key === emailKey) ||
      (phone !== undefined &&
        row.phone_key !== null &&
        samePhone({ digits: row.phone_key, international: row.phone_international }, phone)),
  )
}

/** The order of a find: upcoming, soonest first; then past, latest first; then those without a date. */
export const upcomingFirst = (rows: readonly FoundReservation[], clock: string): FoundReservation[] => {
  const upcoming = rows.filter((row) => row.starts_at !== null && row.starts_at >= clock)
  const past = rows.filter((row) => row.starts_at !== null && row.starts_at < clock)
  const undated = rows.filter((row) => row.starts_at === null)
  const by =
    (of: (row: FoundReservation) => string, down: 1 | -1) => (a: FoundReservation, b: FoundReservation) =>
      of(a) === of(b) ? down * (a.id - b.id) : down * (of(a) < of(b) ? -1 : 1)
  return [
    ...upcoming.toSorted(by((row) => row.starts_at ?? '', 1)),
    ...past.toSorted(by((row) => row.starts_at ?? '', -1)),
    ...undated.toSorted(by((row) => row.created_at, -1)),
  ].slice(0, limits.reservationFindMost)
}

/** Whether a stored reservation may be replayed: it exists and is not cancelled. */
export const reservationStands = async (db: Queries, venue: VenueId, reservation: number): Promise<boolean> =>
  (await db.maybe(sql({ id: 'int8' })`
    select id from reservation where venue_id = ${venue} and id = ${reservation} and status <> 'Cancelled'`)) !==
  undefined

/** Whether a booking was made here, and not imported, before a moment: the venue takes bookings for at least that long. */
export const hasBookedSince = async (
  db: Queries,
  venue: VenueId,
  before: Temporal.Instant,
): Promise<boolean> =>
  (await db.maybe(sql({ id: 'int8' })`
    select id from reservation
     where venue_id = ${venue} and created_at < ${before} and source is distinct from 'import' limit 1`)) !==
  undefined

/** Whether the venue has ever had a booking. */
export const hasReservations = async (db: Queries, venue: VenueId): Promise<boolean> =>
  (await db.maybe(sql({ id: 'int8' })`select id from reservation where venue_id = ${venue} limit 1`)) !==
  undefined
