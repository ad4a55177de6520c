import type { Queries } from '../../platform/db/pool.ts'
import { sql } from '../../platform/db/sql.ts'
import type { VenueId } from '../venue/venue.ts'

/** The name the owner gave a key, shown to staff in its activity. */
export const keyName = async (db: Queries, venue: VenueId, key: number): Promise<string> =>
  (
    await db.one(sql({ name: 'text' })`
    select name from api_key where venue_id = ${venue} and id = ${key}`)
  ).name
