import type { Queries } from '../../platform/db/pool.ts'
import { sql } from '../../platform/db/sql.ts'
import type { VenueId } from '../venue/venue.ts'

/**
 * Begins the feed of a venue's changes, if it has none. `filledAt`: since when every record is in it; of a new venue,
 * which has no records, at once.
 */
export const beginChanges = async (
  db: Queries,
  venue: VenueId,
  filledAt: Temporal.Instant | null,
): Promise<void> => {
  await db.run(sql()`
    insert into change_head (venue_id, epoch, filled_at) values (${venue}, gen_random_uuid(), ${filledAt})
    on conflict (venue_id) do nothing`)
}
