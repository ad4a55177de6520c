import type { Queries } from '../../platform/db/pool.ts'
import { sql } from '../../platform/db/sql.ts'
import type { VenueId } from '../venue/venue.ts'

/**
 * A mark that changes with every change at a venue: every move and edit adds an activity row, every incoming booking
 * an event. The last few ids of each, not only the highest: ids are assigned before a transaction commits, so a lower
 * one can appear after a higher one was seen. Two reads at the end of a primary key.
 */
export const changeMark = async (db: Queries, venue: VenueId): Promise<string> => {
  const { mark } = await db.one(sql({ mark: 'text' })`
    select
      (select coalesce(sum(id), 0) from (
         select id from activity where venue_id = ${venue} order by id desc limit 16) a)::text || '.' ||
      (select coalesce(sum(id), 0) from (
         select id from event where venue_id = ${venue} order by id desc limit 16) e)::text as mark`)
  return mark
}
