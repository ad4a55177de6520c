import type { RecordKind } from '@venue-data/contract/kinds.ts'
import type { Queries } from '../../platform/db/pool.ts'
import { sql } from '../../platform/db/sql.ts'
import type { VenueId } from '../venue/venue.ts'

/**
 * Deletes what waits to be sent about a record that is gone without an event, such as a guest whose import was undone while
 * its events waited their turn: who never heard of it need not. What was tried or is on its way is left alone.
 */
export const dropWaiting = (
  db: Queries,
  venue: VenueId,
  { kind, id }: { readonly kind: RecordKind; readonly id: number },
): Promise<number> =>
  db.run(sql()`
    delete from delivery d
     using event v
     where v.venue_id = ${venue} and v.record_kind = ${kind} and v.record_id = ${id}
       and d.venue_id = ${venue} and d.event_id = v.id
       and d.done_at is null and d.tries = 0 and d.lease_token is null`)
