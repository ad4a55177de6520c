import type { Queries } from '../db/pool.ts'
import { sql } from '../db/sql.ts'
import type { VenueId } from '../venue/venue.ts'

/** The tables a booking holds, and whether staff chose them. */
export const tablesHeld = async (
  db: Queries,
  venue: VenueId,
  reservation: number,
): Promise<{ readonly tables: readonly number[]; readonly pinned: boolean }> => {
  const rows = await db.many(sql({ table_id: 'int8', pinned: 'bool' })`
    select table_id, pinned from reservation_table
     where venue_id = ${venue} and reservation_id = ${reservation} order by table_id`)
  return { tables: rows.map(({ table_id }) => table_id), pinned: rows.some(({ pinned }) => pinned) }
}
