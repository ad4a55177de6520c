import type { Actor } from '../../core/activity/actor.ts'
import { markVisitsOf } from '../../core/events/mark-past.ts'
import { recordActivity } from '../../core/activity/record.ts'
import type { Work } from '../../context.ts'
import { refuseErased } from '../../platform/http/records/erased-records.ts'
import {
  type GuestChoice,
  emitGuestCreated,
  guestThatMatches,
  holdGuestBook,
  matchOrMakeWithoutEvent,
} from './actions.ts'
import { applyContribution } from './contributions.ts'
import { relinkBookings } from './merge-writes.ts'
import { guestForUpdate } from './reads.ts'
import { staffGuest } from './staff-reads.ts'
import { notFound } from '../../platform/kernel/refusal.ts'
import type { bookedReservationForUpdate } from '../../book/day/book-row.ts'

/**
 * Takes a booking from the guest it was matched to and gives it to another, or to a new one made of what the booking
 * says. The counters of both move, so that giving it back is exact. The booking itself stays as it is for everybody
 * else: of its records only the visit names a guest. Answers with whom it was and whom it is; throws 404 for a missing booking or
 * guest.
 */
export const partBooking = async (
  work: Work,
  actor: Actor,
  { id, to }: { readonly id: number; readonly to: GuestChoice },
  lockedBooking: typeof bookedReservationForUpdate,
): Promise<{ readonly from: number | null; readonly to: number }> => {
  const { db, venue } = work
  await holdGuestBook(work)
  const row = await lockedBooking(db, venue.id, id)
  if (!row) throw notFound('booking')
  await refuseErased(db, venue.id, 'reservation', id)
  if (to !== 'new') await refuseErased(db, venue.id, 'guest', to)
  const guest = to === 'new' ? await newGuestOf(work, row) : (await staffGuest(db, venue.id, to))?.id
  if (guest === undefined) throw notFound('guest')
  if (guest === row.guest_id) return { from: row.guest_id, to: guest }
  const moved = { ...row, guest_id: guest }
  await relinkBookings(db, venue.id, [id], guest, work.now())
  if (row.guest_id !== null) markVisitsOf(db, venue.id, row.guest_id, work.now())
  await applyContribution(work, row, moved, to === 'new' ? new Set([guest]) : new Set())
  if (to === 'new') await emitGuestCreated(work, await guestForUpdate(db, venue.id, guest))
  const record = { kind: 'reservation', id } as const
  await recordActivity(work, actor, { action: 'changeGuest', record, before: row, after: moved }, work.now())
  return { from: row.guest_id, to: guest }
}

/** An address that somebody has already stays with them. */
const newGuestOf = async (
  work: Work,
  { guest_name, email, phone }: { guest_name: string | null; email: string | null; phone: string | null },
): Promise<number | undefined> => {
  const isTaken = email !== null && (await guestThatMatches(work, { email })) !== undefined
  const supplied = {
    name: guest_name ?? undefined,
    email: isTaken ? undefined : (email ?? undefined),
    phone: phone ?? undefined,
  }
  return (await matchOrMakeWithoutEvent(work, supplied, 'staff', 'new'))?.guest.id
}
