import type { Work } from '../../context.ts'
import { recordEvent } from '../../core/events/record.ts'
import { presentWaitlistEntry } from './present.ts'
import { type EntryRow, recalledFrom } from './reads.ts'
import { markSeated, unlinkReservation, unmarkSeated } from './writes.ts'

/*
 * What a reservation's moves mean for the waitlist party it was made for. Called by the reservations slice, in the
 * transaction of its move.
 */

/** A party booked for later is seated at its table: that is when waitlist.seated is emitted. */
export const partySeated = async (
  work: Work,
  reservation: number,
  moment: Temporal.Instant,
): Promise<void> => {
  const entry = await markSeated(work.db, work.venue.id, reservation, moment)
  if (entry) await recordEvent(work, 'waitlist.seated', presentWaitlistEntry(entry), moment)
}

/** The seating was undone: the party has its booking but is not at the table. */
export const partyUnseated = async (
  work: Work,
  reservation: number,
  moment: Temporal.Instant,
): Promise<void> => {
  const entry = await unmarkSeated(work.db, work.venue.id, reservation, moment)
  if (entry) await recordEvent(work, 'waitlist.updated', presentWaitlistEntry(entry), moment)
}

/**
 * The party that was given this table and then put back on the waitlist, if it is still in line there or has another
 * table by now: its old booking would count it twice.
 */
export const partyRecalledFrom = (
  { db, venue }: Work,
  reservation: number,
): Promise<Pick<EntryRow, 'guest_name' | 'status'> | undefined> => recalledFrom(db, venue.id, reservation)

/** The reservation is about to be deleted. */
export const bookingGone = async ({ db, venue, now }: Work, reservation: number): Promise<void> => {
  await unlinkReservation(db, venue.id, reservation, now())
}
