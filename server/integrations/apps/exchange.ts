import { createHash } from 'node:crypto'
import type { Scope } from '@venue-data/contract/scopes.ts'
import { recordActivity } from '../../core/activity/record.ts'
import type { Context, Work } from '../../context.ts'
import type { Queries } from '../../platform/db/pool.ts'
import { sql } from '../../platform/db/sql.ts'
import { toInstant } from '../../platform/kernel/time/moment.ts'
import type { Venue, VenueId } from '../../core/venue/venue.ts'
import { moveEndpointsToKey, stopEndpointsOfKey } from '../webhooks/actions.ts'
import { inTrail } from '../access/change-key.ts'
import { obstacleOf } from '../access/key-check.ts'
import { type KeyRow, createKey, endKey, isOver, keysOfInstall, scopesOf, termsOf } from '../access/keys.ts'
import { lockAccess } from '../access/actions.ts'
import { type AppRow, holdApp, isAssistant } from './apps.ts'
import { type CodeRow, codeForUpdate, codeSeconds, markUsed, revokeKeyOfCode, venueOfCode } from './codes.ts'
import { insertInstall } from './installs.ts'
import { type Tokens, endOfUnused, makeTokens } from './tokens.ts'

/*
 * A code for a key. The one who allowed it must still own the venue, and the venue must still be able to have a key: both are
 * read again here, behind the lock that a withdrawal takes. A code used a second time by somebody who knows everything
 * that the first use knew means that it leaked, so the key it made is revoked; a wrong try changes nothing.
 */

export type AskedExchange = {
  readonly code: string
  /** The MCP server that the app names with it, null for the API; undefined: it names neither. */
  readonly server: number | null | undefined
  readonly redirect: string
  readonly verifier: string
}

export type Exchanged =
  | { readonly kind: 'refused'; readonly sentence: string }
  | {
      readonly kind: 'key'
      readonly key: string
      readonly scopes: readonly Scope[]
      readonly install: number
      readonly venue: { readonly slug: string; readonly name: string; readonly timezone: string }
    }
  | ({ readonly kind: 'tokens' } & Tokens)

/** How long the key of before works on when an app is installed again, in hours; never longer than the new one. */
const overlapHours = 24

/** Must run in a transaction that commits even when the exchange is refused: a second use revokes. */
export const exchangeCode = async (
  context: Pick<Context, 'secrets' | 'random' | 'clock'>,
  db: Queries,
  app: AppRow,
  { code, server, redirect, verifier }: AskedExchange,
): Promise<Exchanged> => {
  // The app before the venue, as its removal locks them.
  if (!(await holdApp(db, app.id))) return refused
  const id = await venueOfCode(db, code)
  if (id === undefined) return refused
  const standing = await lockAccess(db, id)
  const found = await codeForUpdate(db, code)
  const now = context.clock()
  const isTheirs =
    found?.app_id === app.id && found.redirect === redirect && challengeOf(verifier) === found.challenge
  const isForNamed = server === undefined || found?.resource_app === server
  if (!isTheirs || !isForNamed) return refused
  const work: Work = { db: db.within(id), venue: { id } as Venue, now: context.clock }
  if (found.key_id !== null) {
    for (const key of await revokeKeyOfCode(db, found.key_id, now)) await stopEndpointsOfKey(db, id, key, now)
    return refused
  }
  if (now.since(toInstant(found.created_at)).total('seconds') > codeSeconds) return refused
  if (obstacleOf('api', standing)) return { kind: 'refused', sentence: 'The venue cannot use the API now.' }
  const owner = await ownerNow(db, id, found.staff_id)
  if (!owner)
    return { kind: 'refused', sentence: 'The person who allowed this is no longer an owner of the venue.' }
  // A process of the release before knows no assistants, and may have made a code for the API.
  if (isAssistant(app) && found.resource_app === null) return refused
  const asked = { app, found, code, owner }
  return found.resource_app === null
    ? install(context, work, asked)
    : connectAssistant(context, work, asked, found.resource_app)
}

type Asked = {
  readonly app: AppRow
  readonly found: CodeRow
  readonly code: string
  readonly owner: Owner
}

/**
 * Each connection of an assistant is an install of its own, since it has one for each machine. Its key is given to nobody
 * until the MCP server trades a token for it.
 */
const connectAssistant = async (
  context: Pick<Context, 'secrets' | 'random' | 'clock'>,
  work: Work,
  { app, found, code, owner }: Asked,
  server: number,
): Promise<Exchanged> => {
  const { db, venue, now } = work
  const moment = now()
  const scopes = found.scopes as Scope[]
  const { row } = await createKey(context, db, venue.id, {
    ...{ kind: 'api', name: app.name, createdBy: owner.email, scopes },
    expiresAt: endOfUnused(moment, found.key_expires_at),
    install: await insertInstall(db, app.id, venue.id, moment),
    tradedUntil: moment,
  })
  await markUsed(db, code, row.id)
  await recordConnect(work, { app, found, owner }, row, {
    scopes,
    expiresAt: found.key_expires_at && toInstant(found.key_expires_at),
  })
  return {
    kind: 'tokens',
    ...(await makeTokens(context, db, {
      ...{ app: app.id, server, key: row.id, scopes },
      lastsUntil: found.key_expires_at,
    })),
  }
}

const install = async (
  context: Pick<Context, 'secrets' | 'random' | 'clock'>,
  work: Work,
  { app, found, code, owner }: Asked,
): Promise<Exchanged> => {
  const { db, now } = work
  const venue = work.venue.id
  const moment = now()
  const working = await installNow(db, app.id, venue, moment)
  const keys = working === undefined ? [] : await keysOfInstall(db, working)
  const before = keys.filter((one) => one.revoked_at === null && !isOver(one, moment))
  const installId = working ?? (await insertInstall(db, app.id, venue, moment))
  const [latest] = before
  const expiresAt = found.key_expires_at && toInstant(found.key_expires_at)
  const terms = {
    mayRotate: true,
    // What the owner settled for the key of before still holds: from where, how often, whether it may replace itself.
    ...(latest && termsOf(latest)),
    scopes: found.scopes as Scope[],
    expiresAt,
  }
  const { key, row } = await createKey(context, db, venue, {
    ...terms,
    kind: 'api',
    name: app.name,
    createdBy: owner.email,
    // The install alone ties it to the key of before: as its replacement, it could be replaced by that, which may do less.
    install: installId,
  })
  const ids = before.map(({ id }) => id)
  if (latest) await moveEndpointsToKey(db, venue, ids, { id: row.id, scopes: scopesOf(row) })
  const overlap = moment.add({ hours: overlapHours })
  const end = expiresAt && Temporal.Instant.compare(expiresAt, overlap) < 0 ? expiresAt : overlap
  for (const id of ids) await endKey(db, id, end)
  await markUsed(db, code, row.id)
  await recordConnect(work, { app, found, owner }, row, terms)
  const { slug, name, timezone } = owner
  return { kind: 'key', key, scopes: terms.scopes, install: installId, venue: { slug, name, timezone } }
}

const recordConnect = (
  work: Work,
  { app, found, owner }: Omit<Asked, 'code'>,
  { id, last_four: ends }: KeyRow,
  terms: Parameters<typeof inTrail>[0],
): Promise<unknown> =>
  recordActivity(
    work,
    { kind: 'staff', id: found.staff_id, email: owner.email, role: 'owner' },
    {
      action: 'connect an app',
      record: { kind: 'api_key', id },
      before: null,
      after: { name: app.name, ends, ...inTrail(terms) },
    },
    work.now(),
  )

const ownerRow = { email: 'text', slug: 'text', name: 'text', timezone: 'text' } as const
type Owner = NonNullable<Awaited<ReturnType<typeof ownerNow>>>

/** The account that allowed it, if it still is an owner's; nobody changes that until the transaction ends. */
const ownerNow = (db: Queries, venue: VenueId, staff: number) =>
  db.maybe(sql(ownerRow)`
    select s.email, v.slug, v.name, v.timezone
      from staff s
      join venue v on v.id = s.venue_id
     where s.id = ${staff} and s.venue_id = ${venue} and s.role = 'owner' and s.disabled_at is null
       for share of s`)

/** The install of an app at a venue that still works; those through an MCP server are apart. */
const installNow = async (
  db: Queries,
  app: number,
  venue: VenueId,
  now: Temporal.Instant,
): Promise<number | undefined> =>
  (
    await db.maybe(sql({ id: 'int8' })`
      select i.id
        from app_install i
        join api_key k on k.install_id = i.id
       where i.app_id = ${app} and i.venue_id = ${venue} and k.revoked_at is null
         and (k.expires_at is null or k.expires_at > ${now}) and k.traded_until is null
       order by i.id desc
       limit 1`)
  )?.id

const challengeOf = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url')

const refused: Exchanged = {
  kind: 'refused',
  sentence: 'The code is unknown, used or too old, or belongs to another app, redirect or verifier.',
}
