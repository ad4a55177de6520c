import type { Work } from '../../../context.ts'
import {
  type GuestChoice,
  type GuestOrigin,
  type SuppliedGuest,
  emitGuestCreated,
  guestIdOf,
  whoItIs,
  writeGuest,
} from '../../../crm/guests/actions.ts'
import type { Candidate } from '../../../crm/guests/reads.ts'
import { type NewReservationRow, insertReservation } from '../writes.ts'

/** Who a booking is for, as far as is known before it is written. */
export type Booker = {
  readonly person: SuppliedGuest
  readonly origin: GuestOrigin
  /** Whom staff chose, if they were asked. */
  readonly choice?: GuestChoice | undefined
  /** Whom the guest book, locked, has of them. */
  readonly candidates: readonly Candidate[]
}

/** Writes a booking and its guest in one trip, and emits guest.created for one just made. */
export const insertWithGuest = async (
  work: Work,
  { person, origin, choice, candidates }: Booker,
  made: Omit<NewReservationRow, 'guestId'>,
  now: Temporal.Instant,
) => {
  const who = await whoItIs(work, person, candidates, choice)
  const matching = writeGuest(work, who, person, origin)
  const writing = insertReservation(work.db, work.venue.id, { ...made, guestId: guestIdOf(who) }, now)
  // Where somebody else added the guest first, the booking fails as well, for want of its guest: the cause goes first.
  await Promise.allSettled([matching, writing])
  const [matched, row] = [await matching, await writing]
  if (row.guest_id !== (matched?.guest.id ?? null)) throw new Error('a booking was written for another guest')
  if (matched?.created) await emitGuestCreated(work, matched.guest)
  return { row, matched }
}
