import type { Work } from '../../../context.ts'
import { bookedReservationForUpdate } from '../../day/book-row.ts'
import { closeChange } from './close-change.ts'
import { pendingChange } from './pending-change.ts'

/** Ends a change that nobody answered in time; false if it was answered meanwhile, or another waits now. */
export const lapseChange = async (work: Work, id: number): Promise<boolean> => {
  const { db, venue } = work
  const row = await bookedReservationForUpdate(db, venue.id, id)
  const now = work.now()
  if (!row || (await pendingChange(db, venue.id, id, now))) return false
  return (await closeChange(work, { kind: 'service' }, row, 'lapsed', now)) !== undefined
}
