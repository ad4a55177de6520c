import type { Actor } from '../activity/actor.ts'
import { recordActivity } from '../activity/record.ts'
import type { Work } from '../context.ts'
import { recordEvent } from '../events/record.ts'
import { matchOrMakeGuest } from '../guests/actions.ts'
import { applyContribution } from '../guests/contributions.ts'
import { giveTables } from '../tables/give-tables.ts'
import type { BookRow } from './book-row.ts'
import { type Edited, writeEdit } from './book-writes.ts'
import { type Differing, type HeldEdit, concernsGuest, wordsOf } from './held-edit.ts'
import { markFreed } from './freed-places.ts'
import { mailGuest, remindGuest } from './mail-guest.ts'
import { asEmitted, overrides } from './moves.ts'
import { settleChange } from './pending-change.ts'
import type { Placed } from './new-place.ts'
import { presentReservation } from './present.ts'
import type { StaffReason } from './staff-reasons.ts'
import type { ReservationEvent } from './states.ts'

type Applied = Placed & {
  readonly action: 'edit' | 'acceptChange'
  /** Those that staff overrode. */
  readonly reasons?: readonly StaffReason[]
  /** The tables staff chose with it. */
  readonly tables?: readonly number[] | undefined
}

/**
 * Writes an edit of a booking that is held, whoever makes it: the row, the guest that new contact details belong to and
 * their counts, the event, the activity. Whoever sets another time or size has settled a change that was asked for.
 * Undefined when the booking is no longer at its version.
 */
export const applyEdit = async (
  work: Work,
  actor: Actor,
  held: HeldEdit,
  { columns, arrival, action, reasons = [], tables }: Applied,
  now: Temporal.Instant,
): Promise<BookRow | undefined> => {
  const { db, venue } = work
  const { row, changes, differing } = held
  const words = wordsOf(row, changes)
  const guest_id = differing.contact ? await guestOf(work, actor, row, words) : row.guest_id
  const after = await writeEdit(db, venue.id, row, { ...columns, ...words, guest_id }, now)
  if (!after) return undefined
  if (arrival) {
    const { day, request } = arrival
    await giveTables(work, day.floor, {
      ...request,
      door: 'staff',
      id: row.id,
      status: after.status,
      tables,
    })
  }
  await applyContribution(work, row, after)
  const settled = concernsGuest(differing)
    ? await settleChange(db, venue.id, row.id, action === 'acceptChange' ? 'accepted' : 'lapsed', now)
    : undefined
  await recordEvent(work, namesOf(differing, settled !== undefined), asEmitted(after, now), now, {
    before: presentReservation(row),
  })
  if (differing.when || differing.size || differing.length) await markFreed(db, venue.id, row.service_date)
  if (concernsGuest(differing)) {
    await mailGuest(work, after, 'bookingChanged', now)
    if (after.status === 'Confirmed') await remindGuest(work, after, now)
  }
  await recordActivity(
    work,
    actor,
    { action, record: { kind: 'reservation', id: row.id }, before: row, after, ...overrides(reasons) },
    now,
  )
  return after
}

const namesOf = ({ when, size, length, words }: Differing, isAnswer: boolean): ReservationEvent[] => [
  ...(isAnswer ? (['reservation.change_answered'] as const) : []),
  ...(when ? (['reservation.rescheduled'] as const) : []),
  ...(size ? (['reservation.resized'] as const) : []),
  // Where the size changes, how long goes with it.
  ...(words || (length && !size) ? (['reservation.details_changed'] as const) : []),
]

/** The guest matching new contact details; without any the booking keeps its guest. */
const guestOf = async (
  work: Work,
  actor: Actor,
  row: BookRow,
  { guest_name, email, phone }: Pick<Edited, 'guest_name' | 'email' | 'phone'>,
): Promise<number | null> => {
  const supplied = { name: guest_name ?? undefined, email: email ?? undefined, phone: phone ?? undefined }
  const origin = actor.kind === 'key' ? 'automation' : 'staff'
  return (await matchOrMakeGuest(work, supplied, origin))?.guest.id ?? row.guest_id
}
