import type { Actor } from '../activity/actor.ts'
import { recordActivity } from '../activity/record.ts'
import type { Work } from '../context.ts'
import { applyContribution } from '../guests/contributions.ts'
import { notFound } from '../kernel/refusal.ts'
import { asSeen } from '../kernel/seen-version.ts'
import { bookingGone } from '../waitlist/booked-party.ts'
import { bookedReservationForUpdate } from './book-row.ts'
import { removeReservation } from './book-writes.ts'

/**
 * Takes a booking out of the book for good: for mistakes of staff only, so nobody is told. The guest's counters
 * lose what it contributed, and a kept answer about it is not replayed any more, since the record is gone
 * (contract, "Idempotency", 6). Throws 404 for a booking that is not there, 409 for a page that shows an old version.
 */
export const deleteReservation = async (
  work: Work,
  actor: Actor & { kind: 'staff' },
  id: number,
  seenVersion?: number,
): Promise<void> => {
  const { db, venue, now } = work
  const row = await bookedReservationForUpdate(db, venue.id, id)
  if (!row) throw notFound('booking')
  if (seenVersion !== undefined) asSeen('booking', row, seenVersion)
  await bookingGone(work, id)
  await removeReservation(db, venue.id, id)
  await applyContribution(work, row, null)
  await recordActivity(
    work,
    actor,
    { action: 'delete', record: { kind: 'reservation', id }, before: row, after: null },
    now(),
  )
}
