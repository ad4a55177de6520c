import type { Queries } from '../../platform/db/pool.ts'
import { type RowOf, fragment, sql } from '../../platform/db/sql.ts'
import { type ListPage, type PageAsked, slugPageOf, slugPlace } from '../../platform/kernel/list-page.ts'
import { type VenueId, isApiOpen } from '../../core/venue/venue.ts'

const accessRow = {
  slug: 'text',
  name: 'text',
  plan: 'text',
  access: 'text',
  access_description: 'text?',
  access_answer: 'text?',
  access_changed_at: 'timestamptz?',
  access_withdrawn_at: 'timestamptz?',
  live_keys: 'int4',
} as const
/** The state of a venue's access, when it was last withdrawn, and how many of its keys are not revoked. */
export type AccessRow = RowOf<typeof accessRow>

const columns = fragment(`
  slug, name, plan, access, access_description, access_answer, access_changed_at, access_withdrawn_at,
  (select count(*)::integer from api_key k where k.venue_id = v.id and k.revoked_at is null) as live_keys`)

/**
 * The venues whose access can be withdrawn: those that have access, and those with keys that are not revoked, which can
 * exist without it.
 */
const withdrawable = fragment(`
  (access = 'approved' or exists (select from api_key k where k.venue_id = v.id and k.revoked_at is null))`)

/** Every venue that has ever asked for access or been given it: open requests first, the oldest first. */
export const venuesWithAccess = (db: Queries): Promise<AccessRow[]> =>
  db.many(sql(accessRow)`
    select ${columns} from venue v
     where access <> 'none'
     order by access <> 'requested', access_changed_at, slug`)

/** The open requests, oldest first, and how many there are; answering those shown brings up the next. */
export const openRequests = async (
  db: Queries,
  limit: number,
): Promise<{ readonly rows: readonly AccessRow[]; readonly count: number }> => {
  const rows = await db.many(sql(accessRow)`
    select ${columns} from venue v
     where access = 'requested'
     order by access_changed_at, slug
     limit ${limit}`)
  return { rows, count: rows.length < limit ? rows.length : await countOfAccess(db, ['requested']) }
}

/** Venues in these states of access, by slug, a page at a time; a place is the last slug of the page before. */
export const accessPage = async (
  db: Queries,
  states: readonly string[],
  { limit, after }: PageAsked,
): Promise<ListPage<AccessRow>> => {
  const rows = await db.many(sql(accessRow)`
    select ${columns} from venue v
     where access = any(${[...states]}) and slug > ${slugPlace(after)}
     order by slug
     limit ${limit + 1}`)
  return slugPageOf(rows, limit)
}

/** The venues whose access can be withdrawn, by slug, a page at a time as above. */
export const withdrawablePage = async (
  db: Queries,
  { limit, after }: PageAsked,
): Promise<ListPage<AccessRow>> => {
  const rows = await db.many(sql(accessRow)`
    select ${columns} from venue v
     where ${withdrawable} and slug > ${slugPlace(after)}
     order by slug
     limit ${limit + 1}`)
  return slugPageOf(rows, limit)
}

export const countOfWithdrawable = async (db: Queries): Promise<number> =>
  (await db.one(sql({ count: 'int8' })`select count(*) as count from venue v where ${withdrawable}`)).count

const countOfAccess = async (db: Queries, states: readonly string[]): Promise<number> =>
  (
    await db.one(sql({ count: 'int8' })`
      select count(*) as count from venue where access = any(${[...states]})`)
  ).count

export const accessOfVenue = (db: Queries, venue: VenueId): Promise<AccessRow> =>
  db.one(sql(accessRow)`select ${columns} from venue v where id = ${venue}`)

/** Which of these venues may use the API now. */
export const venuesWithOpenApi = async (
  db: Queries,
  venues: readonly VenueId[],
): Promise<ReadonlySet<VenueId>> => {
  const rows = await db.many(sql({ id: 'int8', plan: 'text', paused: 'bool' })`
    select id, plan, paused from venue where id = any(${[...new Set(venues)]}::bigint[])`)
  return new Set(rows.filter(isApiOpen).map(({ id }) => id as VenueId))
}
