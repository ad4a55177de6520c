import { limits } from '@venue-data/contract/limits.ts'
import type { Queries } from '../../platform/db/pool.ts'
import { sql } from '../../platform/db/sql.ts'
import { Refusal } from '../../platform/kernel/refusal.ts'
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
    insert into change_head (venue_id, epoch, filled_at, visits_filled_at)
    values (${venue}, gen_random_uuid(), ${filledAt}, ${filledAt})
    on conflict (venue_id) do nothing`)
}

/** A feed that is not filled yet would look like one without records. */
export const notGathered = (): Refusal =>
  new Refusal(503, "The venue's changes are still being gathered; try again shortly.", {
    headers: { 'retry-after': String(limits.retryAfterGatheringSeconds) },
  })

/** @throws Refusal 503 while some reservations may have no visit yet: an earlier release made them. */
export const refuseUngathered = async (db: Queries, venue: VenueId): Promise<void> => {
  const head = await db.maybe(sql({ visits_filled_at: 'timestamptz?' })`
    select visits_filled_at from change_head where venue_id = ${venue}`)
  if (!head?.visits_filled_at) throw notGathered()
}
