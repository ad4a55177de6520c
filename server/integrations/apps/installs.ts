import type { Scope } from '@venue-data/contract/scopes.ts'
import type { Queries } from '../../platform/db/pool.ts'
import { type RowOf, fragment, sql } from '../../platform/db/sql.ts'
import { type Moment, toMoment } from '../../platform/kernel/time/moment.ts'
import type { VenueId } from '../../core/venue/venue.ts'

/*
 * An app at a venue. Its keys carry the install's id, and whether it still works is read from them alone: so it ends with
 * its last key, and no second word can contradict them.
 */

const installRow = {
  id: 'int8',
  app_id: 'int8',
  venue_id: 'int8',
  name: 'text',
  home: 'text',
  slug: 'text?',
  venue_name: 'text?',
  timezone: 'text?',
  created_at: 'timestamptz',
  key_id: 'int8',
  scopes: 'text[]',
  last_used_at: 'timestamptz?',
  /** When its last key ended or will end; null while one has no end. */
  ends_at: 'timestamptz?',
  revoked_why: 'text?',
} as const
export type InstallRow = RowOf<typeof installRow>

/**
 * With the key that works longest, of several the newest of the latest consent, and when it ends: a key that was revoked by
 * itself says nothing of an install that another key carries on.
 */
const columns = fragment(`
  i.id, i.app_id, i.venue_id, a.name, a.home, v.slug, v.name as venue_name, v.timezone, i.created_at,
  k.id as key_id, k.scopes, case when k.revoked_at <= coalesce(k.expires_at, 'infinity') then k.revoked_why end as revoked_why,
  (select max(u.last_used_at) from api_key u where u.install_id = i.id) as last_used_at,
  (select case when bool_or(e.revoked_at is null and e.expires_at is null) then null
               else max(least(e.revoked_at, e.expires_at)) end
     from api_key e where e.install_id = i.id) as ends_at`)
const joined = fragment(`
  app_install i
  join app a on a.id = i.app_id
  join lateral (
    with recursive line (id, consent) as (
      select id, id from api_key where install_id = i.id and rotated_from is null
      union all
      select r.id, l.consent from line l join api_key r on r.rotated_from = l.id)
    select n.id, n.scopes, n.revoked_at, n.revoked_why, n.expires_at from line join api_key n using (id)
     order by least(n.revoked_at, n.expires_at) desc nulls first, consent desc, id desc limit 1) k on true
  left join venue v on v.id = i.venue_id`)

/** How many installs one answer has. */
export const installsAtOnce = 1_000

/** An app's installs, also those that ended, from an id on. */
export const installsOfApp = (db: Queries, app: number, after: number): Promise<InstallRow[]> =>
  db.many(sql(installRow)`
    select ${columns} from ${joined}
     where i.app_id = ${app} and i.id > ${after}
     order by i.id
     limit ${installsAtOnce}`)

/** The apps that work at a venue now. */
export const installsOfVenue = async (
  db: Queries,
  venue: VenueId,
  now: Temporal.Instant,
): Promise<InstallRow[]> =>
  (
    await db.many(sql(installRow)`
      select ${columns} from ${joined}
       where i.venue_id = ${venue}
       order by i.id desc
       limit 500`)
  ).filter((row) => endOf(row, now) === undefined)

/** When an install ended; undefined while one of its keys works. */
export const endOf = ({ ends_at }: Pick<InstallRow, 'ends_at'>, now: Temporal.Instant): Moment | undefined =>
  ends_at !== null && ends_at <= toMoment(now) ? ends_at : undefined

/** Why an install ended, for its app: in words that name nobody. */
export const whyEnded = ({ revoked_why: why }: Pick<InstallRow, 'revoked_why'>): EndWord => {
  if (why === null) return 'expired'
  if (why.startsWith('by ')) return 'removed-by-venue'
  return (endWords as readonly string[]).includes(why) ? (why as EndWord) : 'revoked'
}

export const endWords = [
  'removed-by-venue',
  'removed-by-app',
  'app-removed',
  'access-withdrawn',
  'code-used-twice',
  'token-used-twice',
  'revoked-by-operator',
  'expired',
  'revoked',
] as const
export type EndWord = (typeof endWords)[number]

export const scopesOfInstall = ({ scopes }: Pick<InstallRow, 'scopes'>): readonly Scope[] => scopes as Scope[]

export const insertInstall = async (
  db: Queries,
  app: number,
  venue: VenueId,
  now: Temporal.Instant,
): Promise<number> =>
  (
    await db.one(sql({ id: 'int8' })`
      insert into app_install (app_id, venue_id, created_at) values (${app}, ${venue}, ${now}) returning id`)
  ).id
