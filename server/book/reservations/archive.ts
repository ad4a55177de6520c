import type { Actor } from '../../core/activity/actor.ts'
import { recordActivity } from '../../core/activity/record.ts'
import type { Work } from '../../context.ts'
import { sql } from '../../platform/db/sql.ts'
import type { LocalDate } from '../../platform/kernel/time/written-time.ts'

/**
 * Takes a request of a past day off the queue of those to answer, or puts it back. A mark of the venue's own: the
 * request stays Requested for everybody else, no event is emitted and no revision moves. False where there is no such
 * request, or it is not past: those are confirmed or declined.
 */
export const archiveRequest = async (
  work: Work,
  actor: Actor,
  { id, today, archived }: { readonly id: number; readonly today: LocalDate; readonly archived: boolean },
): Promise<boolean> => {
  const { db, venue } = work
  const now = work.now()
  const done = await db.run(sql()`
    update reservation set archived_at = ${archived ? now : null}
     where venue_id = ${venue.id} and id = ${id} and status = 'Requested' and service_date < ${today}
       and (archived_at is null) = ${archived}`)
  if (done === 0) return false
  await recordActivity(
    work,
    actor,
    {
      action: archived ? 'archive' : 'unarchive',
      record: { kind: 'reservation', id },
      before: { archived: !archived },
      after: { archived },
    },
    now,
  )
  return true
}
