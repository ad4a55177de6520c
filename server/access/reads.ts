import type { Queries } from '../db/pool.ts'
import { type RowOf, fragment, sql } from '../db/sql.ts'
import type { VenueId } from '../venue/venue.ts'

const accessRow = {
  slug: 'text',
  name: 'text',
  plan: 'text',
  access: 'text',
  access_description: 'text?',
  access_answer: 'text?',
  access_changed_at: 'timestamptz?',
  live_keys: 'int4',
} as const
/** How far a venue is with its access, and how many of its keys are not revoked. */
export type AccessRow = RowOf<typeof accessRow>

const columns = fragment(`
  slug, name, plan, access, access_description, access_answer, access_changed_at,
  (select count(*)::integer from api_key k where k.venue_id = v.id and k.revoked_at is null) as live_keys`)

/** Every venue that has ever asked for access or been given it: open requests first, the oldest first. */
export const venuesWithAccess = (db: Queries): Promise<AccessRow[]> =>
  db.many(sql(accessRow)`
    select ${columns} from venue v
     where access <> 'none'
     order by access <> 'requested', access_changed_at, slug`)

export const accessOfVenue = (db: Queries, venue: VenueId): Promise<AccessRow> =>
  db.one(sql(accessRow)`select ${columns} from venue v where id = ${venue}`)
