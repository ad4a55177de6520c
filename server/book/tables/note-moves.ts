import { recordActivity } from '../../core/activity/record.ts'
import type { Work } from '../../context.ts'
import type { TableChange } from '../../core/activity/table-change.ts'

/**
 * Writes into the activity log who moved to another table for a booking that nobody at the venue made; a press of staff
 * has its own row for that.
 */
export const noteMoves = async (
  work: Work,
  reservation: number,
  changes: readonly TableChange[],
  now: Temporal.Instant,
): Promise<void> => {
  if (changes.every((one) => one.reservation === reservation)) return
  await recordActivity(
    work,
    { kind: 'service' },
    {
      action: 'makeRoom',
      record: { kind: 'reservation', id: reservation },
      before: {},
      after: {},
      tables: changes,
    },
    now,
  )
}
