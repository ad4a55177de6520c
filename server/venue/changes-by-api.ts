import type { Queries } from '../db/pool.ts'
import { sql } from '../db/sql.ts'
import type { VenueId } from './venue.ts'

/** What becomes of a change of a confirmed booking that comes by API: the venue is asked, or it applies if every rule allows it. */
export const apiChanges = ['ask', 'direct'] as const
export type ApiChanges = (typeof apiChanges)[number]

export const changesByApi = async (db: Queries, venue: VenueId): Promise<ApiChanges> => {
  const row = await db.maybe(sql({ api_changes: 'text' })`
    select api_changes from booking_settings where venue_id = ${venue}`)
  return row?.api_changes === 'direct' ? 'direct' : 'ask'
}
