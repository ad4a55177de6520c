import type { Actor } from '../../../core/activity/actor.ts'
import type { Work } from '../../../context.ts'
import { toInstant } from '../../../platform/kernel/time/moment.ts'
import { notFound } from '../../../platform/kernel/refusal.ts'
import { applyEdit } from '../edits/apply-edit.ts'
import { bookedReservation, bookedReservationForUpdate } from '../../day/book-row.ts'
import { closeChange } from './close-change.ts'
import { type ReservationChanges, holdForEdit } from '../edits/held-edit.ts'
import { type ReservationOutcome, done, refused } from '../../day/outcome.ts'
import { type ChangeRow, pendingChange } from './pending-change.ts'
import { findNewPlace, reasonsAgainstPlace } from '../new-place.ts'
import { type ConfirmedReason, unconfirmed } from '../staff-reasons.ts'

export type ChangeAnswer = {
  /** The booking. */
  readonly id: number
  /** The change that the page showed. */
  readonly change: number
  readonly answer: 'accept' | 'decline'
  /** Reasons against it that staff saw and confirmed. */
  readonly confirmed?: readonly ConfirmedReason[]
}

/**
 * Staff answer a change that was asked for. An accepted change is an edit like their own: judged again with both days
 * locked, and what the rules now say is shown to them first. Refuses, as a value, a change that is no longer pending.
 */
export const answerChange = async (
  work: Work,
  actor: Actor & { kind: 'staff' },
  { id, change: asked, answer, confirmed }: ChangeAnswer,
): Promise<ReservationOutcome> => {
  const { db, venue } = work
  const isAsked = async (): Promise<ChangeRow | undefined> => {
    const pending = await pendingChange(db, venue.id, id, work.now())
    return pending?.id === asked ? pending : undefined
  }
  const seen = await bookedReservation(db, venue.id, id)
  if (!seen) throw notFound('booking')
  const change = await isAsked()
  if (!change) return refused(seen, goneMeanwhile)
  if (answer === 'decline') return declineChange(work, actor, id, isAsked)

  const held = await holdForEdit(work, seen, () => changesOf(change))
  if (!held) throw notFound('booking')
  if (!(await isAsked())) return refused(held.row, goneMeanwhile)
  const now = work.now()
  const placed = await findNewPlace(work, held)
  const reasons = reasonsAgainstPlace(placed, now)
  if (unconfirmed(reasons, confirmed).length > 0) return { kind: 'needs override', reasons }
  const applied = await applyEdit(
    work,
    actor,
    held,
    {
      ...{ ...placed, action: 'acceptChange', reasons, askedAt: toInstant(change.asked_at) },
      askedBy: change.asked_by_key === null ? 'guest' : 'key',
    },
    now,
  )
  return applied ? done(applied.after, { overridden: reasons }) : refused(held.row, goneMeanwhile)
}

const declineChange = async (
  work: Work,
  actor: Actor & { kind: 'staff' },
  id: number,
  isAsked: () => Promise<ChangeRow | undefined>,
): Promise<ReservationOutcome> => {
  const { db, venue } = work
  const row = await bookedReservationForUpdate(db, venue.id, id)
  if (!row) throw notFound('booking')
  if (!(await isAsked())) return refused(row, goneMeanwhile)
  await closeChange(work, actor, row, 'declined', work.now())
  return done(row)
}

const changesOf = ({ date, time, starts_at, party_size }: ChangeRow): ReservationChanges => ({
  when: { date, time, startsAt: toInstant(starts_at) },
  partySize: party_size,
  isWhole: true,
})

const goneMeanwhile = 'This change is no longer waiting for an answer.'
