import type { Actor } from '../../core/activity/actor.ts'
import { recordActivity } from '../../core/activity/record.ts'
import type { Work } from '../../context.ts'
import type { Queries } from '../../platform/db/pool.ts'
import { sql } from '../../platform/db/sql.ts'
import type { VenueId } from '../../core/venue/venue.ts'

/*
 * How a change of time or size of a confirmed booking that comes by API is handled: the venue is asked, or it applies
 * at once if every rule allows it. The owner decides.
 */

export const apiChanges = ['ask', 'direct'] as const
export type ApiChanges = (typeof apiChanges)[number]

export const changesByApi = async (db: Queries, venue: VenueId): Promise<ApiChanges> => {
  const row = await db.maybe(sql({ api_changes: 'text' })`
    select api_changes from booking_settings where venue_id = ${venue}`)
  return row?.api_changes === 'direct' ? 'direct' : 'ask'
}

export const setChangesByApi = async (work: Work, actor: Actor, chosen: ApiChanges): Promise<void> => {
  const { db, venue } = work
  const before = await changesByApi(db, venue.id)
  await db.run(sql()`
    insert into booking_settings (venue_id, api_changes) values (${venue.id}, ${chosen})
    on conflict (venue_id) do update set api_changes = excluded.api_changes`)
  await recordActivity(
    work,
    actor,
    {
      action: 'changes by API',
      record: { kind: 'venue', id: venue.id },
      before: { api_changes: before },
      after: { api_changes: chosen },
    },
    work.now(),
  )
}
