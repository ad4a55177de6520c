import { limits } from '@venue-data/contract/limits.ts'
import type { Context } from '../../context.ts'
import type { Queries } from '../../platform/db/pool.ts'
import { sql } from '../../platform/db/sql.ts'
import type { VenueId } from '../../core/venue/venue.ts'
import { numberChanges } from './number.ts'

/*
 * Deletions are forgotten after some weeks; existing records never expire. If nobody has read a deletion, it has no
 * number, and a cursor from before it could not be distinguished from one after it. So it gets its number first, then
 * it is deleted, and the feed remembers up to which number deletions are missing.
 */

const atOnce = 1_000

export const forgetGone = async (
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  signal?: AbortSignal,
): Promise<void> => {
  const until = clock().subtract({ hours: 24 * limits.tombstoneDays })
  for (const { venue_id } of await db.many(venuesWithOldOnes(until))) {
    const venue = venue_id as VenueId
    let done = 0
    do {
      if (signal?.aborted) return
      done = await db.transaction((queries) => forgetSome(queries.within(venue), venue, until))
    } while (done >= atOnce)
  }
}

/** Numbers or deletes up to a thousand; returns how many. */
const forgetSome = async (db: Queries, venue: VenueId, until: Temporal.Instant): Promise<number> => {
  const numbered = await numberChanges(db, venue)
  if (numbered === limits.numberedAtOnce) return numbered
  const deleted = await deleteOldOnes(db, venue, until)
  if (deleted.length > 0) {
    await db.run(sql()`
      update change_head set gone_seq = greatest(gone_seq, ${Math.max(...deleted.map(({ seq }) => seq))})
       where venue_id = ${venue}`)
  }
  return deleted.length
}

const venuesWithOldOnes = (until: Temporal.Instant) =>
  sql({ venue_id: 'int8' })`
    select distinct venue_id from record_change where gone and changed_at < ${until} order by venue_id`

/** If a writer is restoring one right now, this waits, and it stays. */
const deleteOldOnes = (db: Queries, venue: VenueId, until: Temporal.Instant): Promise<{ seq: number }[]> =>
  db.many(sql({ seq: 'int8' })`
    delete from record_change
     where venue_id = ${venue} and gone and changed_at < ${until} and seq is not null
       and (kind, record_id) in (
         select kind, record_id from record_change
          where venue_id = ${venue} and gone and changed_at < ${until} and seq is not null
          order by changed_at
          limit ${atOnce})
    returning seq`)
