import type { Work } from '../../context.ts'
import { noted } from '../../core/events/note-change.ts'
import { recordEvent } from '../../core/events/record.ts'
import { columnsOf, sql } from '../../platform/db/sql.ts'
import { type EntryRow, entryRow, presentWaitlistEntry } from './entry-row.ts'

/*
 * What a reservation's moves mean for the waitlist party it was made for, in the transaction of its move.
 */

/** A party booked for later is seated at its table: that is when waitlist.seated is emitted. */
export const partySeated = async (
  work: Work,
  reservation: number,
  moment: Temporal.Instant,
): Promise<void> => {
  const { db, venue } = work
  const entry = await noted(
    db,
    venue.id,
    'waitlist_entry',
    moment,
    db.maybe(sql(entryRow)`
    update waitlist_entry set seated_at = ${moment}, updated_at = greatest(updated_at, ${moment}), version = version + 1, revision = revision + 1
    where venue_id = ${venue.id} and reservation_id = ${reservation} and status = 'booked' and seated_at is null
    returning ${columnsOf(entryRow)}`),
  )
  if (entry) await recordEvent(work, 'waitlist.seated', presentWaitlistEntry(entry), moment)
}

/** The seating was undone: the party has its booking but is not at the table. */
export const partyUnseated = async (
  work: Work,
  reservation: number,
  moment: Temporal.Instant,
): Promise<void> => {
  const { db, venue } = work
  const entry = await noted(
    db,
    venue.id,
    'waitlist_entry',
    moment,
    db.maybe(sql(entryRow)`
    update waitlist_entry set seated_at = null, updated_at = greatest(updated_at, ${moment}), version = version + 1, revision = revision + 1
    where venue_id = ${venue.id} and reservation_id = ${reservation} and status = 'booked'
    returning ${columnsOf(entryRow)}`),
  )
  if (entry) await recordEvent(work, 'waitlist.updated', presentWaitlistEntry(entry), moment)
}

/**
 * The party that was given this table and then put back on the waitlist, by the trail, if it is still in line there or has
 * another table by now: its old booking would count it twice.
 */
export const partyRecalledFrom = (
  { db, venue }: Work,
  reservation: number,
): Promise<Pick<EntryRow, 'guest_name' | 'status'> | undefined> =>
  db.maybe(sql({ guest_name: 'text?', status: 'text' })`
    select e.guest_name, e.status from reservation r
      join waitlist_entry e on e.venue_id = r.venue_id and e.updated_at >= r.cancelled_at
      join activity a on a.venue_id = e.venue_id and a.record_kind = 'waitlist_entry' and a.record_id = e.id
     where r.venue_id = ${venue.id} and r.id = ${reservation} and e.status in ('waiting', 'offered', 'booked')
       and a.action = 'recall' and (a.before ->> 'reservation_id')::bigint = r.id
     limit 1`)

/** The reservation is about to be deleted: its party is released. */
export const bookingGone = async ({ db, venue, now }: Work, reservation: number): Promise<void> => {
  const moment = now()
  await noted(
    db,
    venue.id,
    'waitlist_entry',
    moment,
    db.many(sql({ id: 'int8', revision: 'int4' })`
    update waitlist_entry
       set reservation_id = null, updated_at = greatest(updated_at, ${moment}), version = version + 1, revision = revision + 1
     where venue_id = ${venue.id} and reservation_id = ${reservation}
    returning id, revision`),
  )
}
