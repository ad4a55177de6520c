import type { ReservationStatus } from '@venue-data/contract/reservation.ts'
import type { Actor } from '../activity/actor.ts'
import { recordActivity } from '../activity/record.ts'
import type { Work } from '../context.ts'
import { recordEvent } from '../events/record.ts'
import { applyContribution } from '../guests/contributions.ts'
import { notFound } from '../kernel/refusal.ts'
import { asSeen } from '../kernel/seen-version.ts'
import { bookingGone } from '../waitlist/booked-party.ts'
import { bookedReservationForUpdate } from './book-row.ts'
import { removeReservation } from './book-writes.ts'
import { toldAt } from './moves.ts'
import { movedRow } from './transition.ts'

/**
 * Takes a booking out of the book for good: for mistakes of staff only. Whoever was told of it is told that it is
 * cancelled, by the venue and at this moment, unless it was cancelled or over already: otherwise their copy would keep
 * a party that nobody expects. From Seated this is an event and no move; a party at table still cannot be cancelled.
 *
 * No note is kept of who was told of what, since a status says it: nothing is Requested, Confirmed or Seated without
 * an event. What is not told of (the import of a past or a cancelled booking) is over, and bringing it back is told.
 *
 * The guest's counters lose what it contributed, and a kept answer about it is not replayed any more, since the record
 * is gone (contract, "Idempotency", 6). Throws 404 for a booking that is not there, 409 for a page that shows an old
 * version.
 */
export const deleteReservation = async (
  work: Work,
  actor: Actor & { kind: 'staff' },
  id: number,
  seenVersion?: number,
): Promise<void> => {
  const { db, venue } = work
  const row = await bookedReservationForUpdate(db, venue.id, id)
  if (!row) throw notFound('booking')
  if (seenVersion !== undefined) asSeen('booking', row, seenVersion)
  const now = work.now()
  if (!over.includes(row.status)) {
    const cancelled = { ...row, ...movedRow('cancel', row, { now, decidedBy: 'staff' }) }
    await recordEvent(work, 'reservation.cancelled', toldAt(cancelled, now), now)
  }
  await bookingGone(work, id)
  await removeReservation(db, venue.id, id)
  await applyContribution(work, row, null)
  await recordActivity(
    work,
    actor,
    { action: 'delete', record: { kind: 'reservation', id }, before: row, after: null },
    now,
  )
}

const over: readonly string[] = ['Completed', 'No-show', 'Cancelled'] satisfies readonly ReservationStatus[]
