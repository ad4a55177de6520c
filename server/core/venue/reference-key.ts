import type { Queries } from '../../platform/db/pool.ts'
import { sql } from '../../platform/db/sql.ts'
import type { VenueId } from './venue.ts'

/** The secret behind the numbers that the venue's guests see. It is in no row of the venue that anything shows or records. */
export const referenceKeyOf = async (db: Queries, venue: VenueId): Promise<string> =>
  (await db.one(sql({ reference_key: 'uuid' })`select reference_key from venue where id = ${venue}`))
    .reference_key
