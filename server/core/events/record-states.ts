import type { Queries } from '../../platform/db/pool.ts'
import { type Fragment, type RowOf, sql } from '../../platform/db/sql.ts'
import type { VenueId } from '../venue/venue.ts'

const recordState = { id: 'int8', revision: 'int4', changed_at: 'timestamptz' } as const
/** What the feed of changes needs to know of a record that was there before the feed. */
export type RecordState = RowOf<typeof recordState>

/** Reads the last changes of the records in a table, by id, from an id on: for the feed, which is filled once. */
export const statesIn =
  (table: Fragment) =>
  (db: Queries, venue: VenueId, after: number, most: number): Promise<RecordState[]> =>
    db.many(sql(recordState)`
      select id, revision, updated_at as changed_at from ${table}
       where venue_id = ${venue} and id > ${after}
       order by id
       limit ${most}`)
