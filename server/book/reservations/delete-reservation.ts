import type { ReservationStatus } from '@venue-data/contract/records/reservation.ts'
import type { Actor } from '../../core/activity/actor.ts'
import { recordActivity } from '../../core/activity/record.ts'
import type { Work } from '../../context.ts'
import { recordEvent } from '../../core/events/record.ts'
import { holdGuestBook } from '../../crm/guests/actions.ts'
import { applyContribution } from '../../crm/guests/contributions.ts'
import { notFound, refuse } from '../../platform/kernel/refusal.ts'
import { asSeen } from '../../platform/kernel/running/seen-version.ts'
import { type Press, holdPressThatMade } from '../tables/hold-press.ts'
import { putBack } from '../tables/put-back.ts'
import { bookingGone } from '../day/booked-party.ts'
import { bookedReservationForUpdate } from '../day/book-row.ts'
import { removeReservation } from './book-writes.ts'
import { markFreed } from '../day/freed-places.ts'
import { guaranteeOf } from './guarantee/guarantee-store.ts'
import { asEmitted } from './moves.ts'
import { takeBackMadeGuest } from './guest/take-back-guest.ts'
import { movedRow } from './transition.ts'

/**
 * Permanently deletes a booking: only for staff mistakes. Unless it was already cancelled or over, the event says too
 * that the venue cancelled it now: otherwise integrators would keep a party that nobody expects. From Seated this is an
 * event and not a move; a seated party still cannot be cancelled.
 *
 * Nothing records which events were emitted, since the status implies it: nothing is Requested, Confirmed or Seated
 * without an event. A booking that emitted nothing (an imported past or cancelled one) is over, and bringing it back
 * emits.
 *
 * The guest's counters lose what it contributed, and a stored response about it is no longer replayed, since the
 * record is gone. `press`: made it, and is undone with it: whom it moved goes back (`takeBackBooking`). Throws 404 for a booking that does not exist, 409 for a page that shows an old version.
 */
export const deleteReservation = async (
  work: Work,
  actor: Actor & { kind: 'staff' },
  id: number,
  seenVersion?: number,
  press?: Press,
): Promise<void> => {
  const { db, venue } = work
  const row = await bookedReservationForUpdate(db, venue.id, id)
  if (!row) throw notFound('booking')
  if (seenVersion !== undefined) asSeen('booking', row, seenVersion)
  // Also of one whose card is gone: the sentence that was agreed to and each try to charge are evidence.
  if (await guaranteeOf(db, venue.id, id))
    throw refuse(
      'not-in-state',
      'A card or a deposit was left or asked for, and the record of this booking stays. Cancel the booking instead.',
    )
  const now = work.now()
  const last = { ...row, revision: row.revision + 1 }
  if (over.includes(row.status)) await recordEvent(work, 'reservation.deleted', asEmitted(last, now), now)
  else {
    const cancelled = { ...last, ...movedRow('cancel', row, { now, decidedBy: 'staff' }) }
    await recordEvent(work, ['reservation.deleted', 'reservation.cancelled'], asEmitted(cancelled, now), now)
  }
  await bookingGone(work, id)
  await removeReservation(db, venue.id, id, now)
  await markFreed(db, venue.id, row.service_date)
  const undone = press && (await putBack(work, press, undefined))
  const tables = await undone?.write()
  await applyContribution(work, row, null)
  await takeBackMadeGuest(work, row, press)
  await recordActivity(
    work,
    actor,
    { action: 'delete', record: { kind: 'reservation', id }, before: row, after: null, tables },
    now,
  )
}

/**
 * Undoes the press that just made a booking: nothing of it stays, nor a guest it made, and parties it moved to other tables
 * are back at their own.
 */
export const takeBackBooking = async (
  work: Work,
  actor: Actor & { kind: 'staff' },
  id: number,
  seenVersion: number,
): Promise<void> => {
  const press = await holdPressThatMade(work, id)
  await holdGuestBook(work)
  await deleteReservation(work, actor, id, seenVersion, press)
}

const over: readonly string[] = ['Completed', 'No-show', 'Cancelled'] satisfies readonly ReservationStatus[]
