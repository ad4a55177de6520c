import { createHash } from 'node:crypto'
import type { Scope } from '@venue-data/contract/scopes.ts'
import type { Context } from '../../context.ts'
import type { VenueId } from '../../core/venue/venue.ts'
import type { Queries } from '../../platform/db/pool.ts'
import { type Fragment, columnsOf, part, sql } from '../../platform/db/sql.ts'
import { randomText } from '../../platform/kernel/random-text.ts'
import { type Moment, toInstant } from '../../platform/kernel/time/moment.ts'
import { lockAccess } from '../access/actions.ts'
import { obstacleOf } from '../access/key-check.ts'
import { isOver, keyById, revokeKey, scopesOf } from '../access/keys.ts'
import { tradeText } from '../access/traded-key.ts'
import { type AppRow, holdApp } from './apps.ts'
import type { EndWord } from './installs.ts'

/*
 * What an assistant gets in place of a key: a token that only an MCP server takes, for an hour, and one that replaces both.
 * The MCP server, an app itself, trades the first for a key of the same install. Each refresh token works once; used later
 * than a minute after that, somebody else has it, and the install ends.
 */

export const tokenSeconds = 3_600
const overlapSeconds = 60
const unusedDays = 90

const tokenRow = {
  refresh_hash: 'bytea',
  app_id: 'int8',
  resource_app: 'int8',
  key_id: 'int8',
  created_at: 'timestamptz',
  access_until: 'timestamptz',
  /** The owner's last day. */
  lasts_until: 'timestamptz?',
  spent_at: 'timestamptz?',
} as const

export type Tokens = {
  readonly access: string
  readonly refresh: string
  readonly scopes: readonly Scope[]
}

type Maker = Pick<Context, 'secrets' | 'random' | 'clock'>

/** When an install ends that nobody uses from now on, and at the latest on the owner's last day. */
export const endOfUnused = (now: Temporal.Instant, lastsUntil: Moment | null): Temporal.Instant => {
  const unused = now.add({ hours: 24 * unusedDays })
  const last = lastsUntil === null ? unused : toInstant(lastsUntil)
  return Temporal.Instant.compare(last, unused) < 0 ? last : unused
}

export const makeTokens = async (
  { random, clock }: Pick<Maker, 'random' | 'clock'>,
  db: Queries,
  {
    app,
    server,
    key,
    scopes,
    lastsUntil,
  }: {
    readonly app: number
    readonly server: number
    readonly key: number
    readonly scopes: readonly Scope[]
    readonly lastsUntil: Moment | null
  },
): Promise<Tokens> => {
  const access = `service_mcp_${randomText(random, 43)}`
  const refresh = `service_mcr_${randomText(random, 43)}`
  const now = clock()
  await db.run(sql()`
    insert into app_token (
      refresh_hash, access_hash, app_id, resource_app, key_id, created_at, access_until, lasts_until)
    values (${hashOf(refresh)}, ${hashOf(access)}, ${app}, ${server}, ${key}, ${now},
            ${now.add({ seconds: tokenSeconds })}, ${lastsUntil})`)
  return { access, refresh, scopes }
}

export type Refused = { readonly kind: 'refused' }
const refused: Refused = { kind: 'refused' }

/** New tokens for a refresh token. Must run in a transaction that commits even when it is refused: a second use revokes. */
export const refreshTokens = async (
  context: Maker,
  db: Queries,
  app: AppRow,
  refresh: string,
): Promise<Refused | ({ readonly kind: 'tokens' } & Tokens)> => {
  // The app before the venue, as its removal locks them.
  const isApp = await holdApp(db, app.id)
  const venue = await venueOfRefresh(db, app.id, refresh)
  if (!isApp || venue === undefined) return refused
  const standing = await lockAccess(db, venue)
  const found = await db.one(sql(tokenRow)`
    select ${columnsOf(tokenRow)} from app_token where refresh_hash = ${hashOf(refresh)} for update`)
  const now = context.clock()
  const key = await keyById(db, found.key_id)
  if (!key || key.revoked_at !== null || isOver(key, now) || obstacleOf('api', standing)) return refused
  if (found.spent_at !== null && now.since(toInstant(found.spent_at)).total('seconds') > overlapSeconds) {
    await revokeKey(db, key.id, 'token-used-twice' satisfies EndWord, now)
    return refused
  }
  await db.run(sql()`
    update app_token set spent_at = coalesce(spent_at, ${now}) where refresh_hash = ${hashOf(refresh)}`)
  await db.run(sql()`
    update api_key set expires_at = ${endOfUnused(now, found.lasts_until)} where id = ${key.id}`)
  return {
    kind: 'tokens',
    ...(await makeTokens(context, db, {
      ...{ app: app.id, server: found.resource_app, key: key.id, scopes: scopesOf(key) },
      lastsUntil: found.lasts_until,
    })),
  }
}

const venueOfRefresh = async (db: Queries, app: number, refresh: string): Promise<VenueId | undefined> =>
  (
    await db.maybe(sql({ venue_id: 'int8' })`
      select k.venue_id from app_token t join api_key k on k.id = t.key_id
       where t.refresh_hash = ${hashOf(refresh)} and t.app_id = ${app}`)
  )?.venue_id as VenueId | undefined

export type Traded = {
  readonly kind: 'key'
  readonly key: string
  readonly seconds: number
  readonly scopes: readonly Scope[]
  readonly install: number
}

/** The key of an assistant's install, for the MCP server that the assistant's token is for (RFC 8693). */
export const tradeToken = async (
  context: Pick<Context, 'secrets' | 'clock'>,
  db: Queries,
  server: AppRow,
  access: string,
): Promise<Refused | Traded> => {
  const now = context.clock()
  const found = await db.maybe(sql({ key_id: 'int8', access_until: 'timestamptz' })`
    select key_id, access_until from app_token
     where access_hash = ${hashOf(access)} and resource_app = ${server.id} and access_until > ${now}`)
  const key = found && (await keyById(db, found.key_id))
  if (!key || key.install_id === null || key.revoked_at !== null || isOver(key, now)) return refused
  const { text, until } = await tradeText(context, db, key.id)
  // The key does not outlive the token it was traded for: the server asks again.
  const last = toInstant(found.access_until)
  const end = Temporal.Instant.compare(last, until) < 0 ? last : until
  return {
    kind: 'key',
    key: text,
    seconds: Math.floor(end.since(now).total('seconds')),
    scopes: scopesOf(key),
    install: key.install_id,
  }
}

/** Ends the keys that an MCP server traded tokens for; their installs live on, without a server. */
export const endTrades = (db: Queries, server: number, now: Temporal.Instant): Promise<number> =>
  db.run(sql()`
    update api_key set traded_until = ${now}
     where traded_until > ${now} and id in (select t.key_id from app_token t where t.resource_app = ${server})`)

/** That a row of `app_token t` is that of a text, whichever of its two it is. */
export const ofToken = (text: string): Fragment =>
  part`(t.refresh_hash = ${hashOf(text)} or t.access_hash = ${hashOf(text)})`

/** Housekeeping: what was spent is remembered as long as it could come back. */
export const forgetOldTokens = ({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<number> =>
  db.run(sql()`
    delete from app_token where created_at < ${clock().subtract({ hours: 24 * (unusedDays + 1) })}`)

/** Tokens are random and long, so a plain hash protects them. */
const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest()
