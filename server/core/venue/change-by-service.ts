import { recordActivity } from '../activity/record.ts'
import type { Queries } from '../../platform/db/pool.ts'
import { openLane } from '../events/record.ts'
import { changeVenue, venueOfSlug } from './actions.ts'
import { type Venue, isApiOpen } from './venue.ts'
import { type VenueChanges, type VenueRow, venueForUpdate } from './venues.ts'

/**
 * What the service's own people and the operator change of a venue, such as its plan, with a trail for its managers.
 * A change that opens the API again also opens the venue's lane, so that events that waited go out at once, whichever
 * process delivers them.
 * `reviewer`: the account of the one who did it, kept and not shown to the venue. Refuses as changeVenue does.
 */
export const changeVenueByService = async (
  { db, now }: { readonly db: Queries; readonly now: () => Temporal.Instant },
  slug: string,
  changes: VenueChanges,
  reviewer?: number,
): Promise<{ readonly before: VenueRow; readonly after: VenueRow }> => {
  const { id } = await venueOfSlug(db, slug)
  const before = await venueForUpdate(db, id)
  const after = await changeVenue(db, slug, changes)
  if (!isApiOpen(before) && isApiOpen(after)) await openLane(db, id, longAgo)
  if (JSON.stringify(before) !== JSON.stringify(after)) {
    await recordActivity(
      { db: db.within(id), venue: { id } as Venue, now },
      { kind: 'service', ...(reviewer !== undefined && { id: reviewer }) },
      { action: 'edit', record: { kind: 'venue', id }, before, after },
      now(),
    )
  }
  return { before, after }
}

/** Due by every clock: a command may run on a different machine than the worker, or next to a practice clock. */
const longAgo = Temporal.Instant.fromEpochMilliseconds(0)
