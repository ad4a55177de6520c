import type { ErasedIds } from '@venue-data/contract/erasure.ts'
import type { Queries } from '../../../platform/db/pool.ts'
import { sql } from '../../../platform/db/sql.ts'
import type { VenueId } from '../../../core/venue/venue.ts'

export const insertErasure = async (
  db: Queries,
  venue: VenueId,
  ids: ErasedIds,
  now: Temporal.Instant,
): Promise<number> =>
  (
    await db.one(sql({ id: 'int8' })`
      insert into erasure (venue_id, at, ids) values (${venue}, ${now}, ${JSON.stringify(ids)}) returning id`)
  ).id

/** A key confirms once; its first confirmation stays. */
export const insertConfirmation = (
  db: Queries,
  venue: VenueId,
  { erasure, key, note }: { readonly erasure: number; readonly key: number; readonly note: string | null },
  now: Temporal.Instant,
): Promise<number> =>
  db.run(sql()`
    insert into erasure_confirmation (venue_id, erasure_id, key_id, at, note)
    values (${venue}, ${erasure}, ${key}, ${now}, ${note})
    on conflict (venue_id, erasure_id, key_id) do nothing`)
