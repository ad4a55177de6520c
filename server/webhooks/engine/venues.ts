import type { Queries } from '../../db/pool.ts'
import { sql } from '../../db/sql.ts'
import type { VenueId } from '../../venue/venue.ts'

/** The slug that stands in every body of the venue; it never changes. */
export const slugOfVenue = async (db: Queries, venue: VenueId): Promise<string> =>
  (await db.one(sql({ slug: 'text' })`select slug from venue where id = ${venue}`)).slug
