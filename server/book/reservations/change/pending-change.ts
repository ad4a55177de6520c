import { type ChangeStatus, ReservationChange } from '@venue-data/contract/records/reservation.ts'
import type { Queries } from '../../../platform/db/pool.ts'
import { recordOf } from '../../../platform/db/record-of.ts'
import { type RowOf, columnsOf, sql } from '../../../platform/db/sql.ts'
import type { VenueId } from '../../../core/venue/venue.ts'
import type { BookRow, Edited } from '../../day/book-row.ts'
import type { Moment } from '../../../platform/kernel/time/moment.ts'
import { markFreed } from '../../day/freed-places.ts'

/*
 * A requested change of a confirmed booking: the one place where it is written and answered. Until `expires_at` it
 * holds its place in the new slot; readers count it by the clock, so that nothing depends on the job that marks what
 * has lapsed.
 */

export const changeRow = {
  id: 'int8',
  reservation_id: 'int8',
  date: 'date',
  time: 'time',
  service_date: 'date',
  service_minute: 'int4',
  starts_at: 'timestamptz',
  party_size: 'int4',
  status: 'text',
  asked_by_key: 'int8?',
  asked_at: 'timestamptz',
  expires_at: 'timestamptz',
} as const
export type ChangeRow = RowOf<typeof changeRow>

export const presentChange = recordOf(ReservationChange, changeRow).present

/** The change of a booking that waits for an answer now. The code that answers it locks its booking's row. */
export const pendingChange = (
  db: Queries,
  venue: VenueId,
  reservation: number,
  now: Temporal.Instant,
): Promise<ChangeRow | undefined> =>
  db.maybe(sql(changeRow)`
    select ${columnsOf(changeRow)} from reservation_change
     where venue_id = ${venue} and reservation_id = ${reservation} and status = 'pending' and expires_at > ${now}`)

/** What is asked for: where the booking would be placed. */
export type AskedPlace = Pick<
  Edited,
  'date' | 'time' | 'service_date' | 'service_minute' | 'starts_at' | 'party_size'
>

export const insertChange = (
  db: Queries,
  venue: VenueId,
  reservation: number,
  to: AskedPlace,
  { key, expiresAt, now }: { key: number | null; expiresAt: Temporal.Instant; now: Temporal.Instant },
): Promise<ChangeRow> =>
  db.one(sql(changeRow)`
    insert into reservation_change (
      venue_id, reservation_id, date, time, service_date, service_minute, starts_at, party_size, status,
      asked_by_key, asked_at, expires_at)
    values (
      ${venue}, ${reservation}, ${to.date}, ${to.time}, ${to.service_date}, ${to.service_minute}, ${to.starts_at},
      ${to.party_size}, 'pending', ${key}, ${now}, ${expiresAt})
    returning ${columnsOf(changeRow)}`)

/** Writes the answer to the change of a booking, whose row the caller holds; undefined if none waits for one. */
export const settleChange = async (
  db: Queries,
  venue: VenueId,
  reservation: number,
  status: Exclude<ChangeStatus, 'pending'>,
  now: Temporal.Instant,
): Promise<ChangeRow | undefined> => {
  const settled = await db.maybe(sql(changeRow)`
    update reservation_change set status = ${status}, answered_at = ${now}
     where venue_id = ${venue} and reservation_id = ${reservation} and status = 'pending'
    returning ${columnsOf(changeRow)}`)
  // The place it was asked to have is free again, or its old one is.
  await markFreed(db, venue, settled?.service_date ?? null)
  return settled
}

/** Has a change wait again that lapsed with a move of its booking at `lapsedAt`, which is undone; false if none did, or its time came. */
export const reopenChange = async (
  db: Queries,
  venue: VenueId,
  reservation: number,
  { lapsedAt, now }: { readonly lapsedAt: Moment; readonly now: Temporal.Instant },
): Promise<boolean> => {
  const reopened = await db.maybe(sql({ id: 'int8' })`
    update reservation_change set status = 'pending', answered_at = null
     where venue_id = ${venue} and reservation_id = ${reservation} and status = 'lapsed'
       and answered_at = ${lapsedAt} and expires_at > ${now}
    returning id`)
  return reopened !== undefined
}

/** The venues with a change that nobody answered in time. */
export const venuesWithLapsedChanges = async (db: Queries, now: Temporal.Instant): Promise<Set<number>> => {
  const rows = await db.many(sql({ venue_id: 'int8' })`
    select distinct venue_id from reservation_change where status = 'pending' and expires_at <= ${now}`)
  return new Set(rows.map(({ venue_id }) => venue_id))
}

/** The bookings with such a change. */
export const lapsedChangesOf = async (
  db: Queries,
  venue: VenueId,
  now: Temporal.Instant,
): Promise<number[]> => {
  const rows = await db.many(sql({ reservation_id: 'int8' })`
    select reservation_id from reservation_change
     where venue_id = ${venue} and status = 'pending' and expires_at <= ${now}
     order by reservation_id`)
  return rows.map(({ reservation_id }) => reservation_id)
}

/** What of a booking, and of a change of it, the activity log compares. */
export const askedOf = ({ date, time, party_size }: AskedPlace | BookRow | ChangeRow) => ({
  date,
  time,
  party_size,
})
