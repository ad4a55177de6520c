import type { Queries } from '../../platform/db/pool.ts'
import { sql } from '../../platform/db/sql.ts'

/** The slugs of venues that have pages for guests and want them to be found, up to so many. */
export const venuesToBeFound = async (db: Queries, most: number): Promise<readonly string[]> => {
  const ids = await withOpenPages(db, most)
  const rows = await db.many(sql({ slug: 'text' })`
    select slug from venue where id = any(${ids.map(({ venue_id }) => venue_id)}) order by slug`)
  return rows.map(({ slug }) => slug)
}

/** What a venue's settings do not say is as with a new one: to be found, and every door on. */
const withOpenPages = (db: Queries, most: number) =>
  db.many(sql({ venue_id: 'int8' })`
    select venue_id from guest_pages
     where coalesce(settings ->> 'found', 'true') = 'true'
       and coalesce(settings -> 'doors', '["book"]') <> '[]'
     order by venue_id
     limit ${most}`)
