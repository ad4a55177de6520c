import { recordActivity } from '../activity/record.ts'
import type { Work } from '../context.ts'
import { bookedReservationForUpdate } from './book-row.ts'
import { askedOf, pendingChange, settleChange } from './pending-change.ts'

/** Marks a change that nobody answered in time; false if it was settled meanwhile, or another waits now. */
export const lapseChange = async (work: Work, id: number): Promise<boolean> => {
  const { db, venue } = work
  const row = await bookedReservationForUpdate(db, venue.id, id)
  const now = work.now()
  if (!row || (await pendingChange(db, venue.id, id, now))) return false
  const change = await settleChange(db, venue.id, id, 'lapsed', now)
  if (!change) return false
  await recordActivity(
    work,
    { kind: 'service' },
    {
      action: 'lapseChange',
      record: { kind: 'reservation', id },
      before: askedOf(change),
      after: askedOf(row),
    },
    now,
  )
  return true
}
