import type { Actor } from '../../../core/activity/actor.ts'
import { recordActivity } from '../../../core/activity/record.ts'
import type { Work } from '../../../context.ts'
import { recordEvent } from '../../../core/events/record.ts'
import { mailGuest } from '../guest/booking-mails.ts'
import { asEmitted } from '../moves.ts'
import type { BookRow } from '../../day/book-row.ts'
import { type ChangeRow, askedOf, settleChange } from './pending-change.ts'

/** How a change can end with the booking as it was, and what the activity log calls that. */
const closings = { declined: 'declineChange', withdrawn: 'withdrawChange', lapsed: 'lapseChange' } as const

/** Ends a change that was asked for, of a booking whose row is held; undefined if none waited. */
export const closeChange = async (
  work: Work,
  actor: Actor,
  row: BookRow,
  how: keyof typeof closings,
  now: Temporal.Instant,
): Promise<ChangeRow | undefined> => {
  const change = await settleChange(work.db, work.venue.id, row.id, how, now)
  if (!change) return undefined
  if (how === 'declined')
    await mailGuest(work, row, 'bookingChangeDeclined', now, { byStaff: actor.kind === 'staff' })
  await recordEvent(work, 'reservation.change_answered', asEmitted(row, now), now, { answer: how })
  await recordActivity(
    work,
    actor,
    {
      action: closings[how],
      record: { kind: 'reservation', id: row.id },
      before: askedOf(change),
      after: askedOf(row),
    },
    now,
  )
  return change
}
