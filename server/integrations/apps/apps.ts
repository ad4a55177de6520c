import { timingSafeEqual } from 'node:crypto'
import type { Scope } from '@venue-data/contract/scopes.ts'
import type { Context } from '../../context.ts'
import type { Queries } from '../../platform/db/pool.ts'
import { type RowOf, columnsOf, sql } from '../../platform/db/sql.ts'
import { randomText } from '../../platform/kernel/random-text.ts'
import { Refusal, badRequest } from '../../platform/kernel/refusal.ts'
import { currentFingerprint, fingerprints } from '../../platform/kernel/secrets.ts'
import { type AppFields, type AskedApp, readApp } from './app-fields.ts'

/*
 * An app is one piece of software that many venues connect. Only the operator registers one: owners see
 * its name, and a redirect that anybody could register would send their codes anywhere. Its secret is shown once and kept
 * as a fingerprint, as a key's text is.
 */

const appRow = {
  id: 'int8',
  client_id: 'text',
  /** None: a program on people's machines, which can keep no secret. */
  secret_fingerprint: 'bytea?',
  /** The address of an MCP server; its tokens are traded by this app alone. */
  resource: 'text?',
  name: 'text',
  home: 'text',
  privacy: 'text',
  redirects: 'text[]',
  scopes_needed: 'text[]',
  scopes_optional: 'text[]',
  created_at: 'timestamptz',
  removed_at: 'timestamptz?',
} as const
export type AppRow = RowOf<typeof appRow>

const columns = columnsOf(appRow)

/** Whether it runs where it can keep no secret. */
export const isAssistant = ({ secret_fingerprint }: Pick<AppRow, 'secret_fingerprint'>): boolean =>
  secret_fingerprint === null

export const fieldsOf = (row: AppRow): AppFields => ({
  kind: row.resource !== null ? 'mcp-server' : isAssistant(row) ? 'assistant' : 'app',
  resource: row.resource,
  name: row.name,
  home: row.home,
  privacy: row.privacy,
  redirects: row.redirects,
  needed: row.scopes_needed as Scope[],
  optional: row.scopes_optional as Scope[],
})

type Maker = Pick<Context, 'secrets' | 'random' | 'clock' | 'config'>

/** Registers an app. Its secret is returned only once; an assistant has none. */
export const createApp = async (
  { secrets, random, clock, config }: Maker,
  db: Queries,
  asked: AskedApp,
): Promise<{ readonly row: AppRow; readonly secret?: string }> => {
  const { kind, resource, name, home, privacy, redirects, needed, optional } = readApp(asked, config.practice)
  if (resource !== null && (await appOfResource(db, resource)))
    throw new Refusal(409, `${resource} is registered already.`)
  const secret = kind === 'assistant' ? undefined : makeSecret(random)
  const row = await db.one(sql(appRow)`
    insert into app (
      client_id, secret_fingerprint, resource, name, home, privacy, redirects, scopes_needed, scopes_optional, created_at)
    values (${`app_${randomText(random, 20)}`}, ${secret === undefined ? null : currentFingerprint(secrets, secret)},
            ${resource}, ${name}, ${home}, ${privacy}, ${[...redirects]}, ${[...needed]}, ${[...optional]}, ${clock()})
    returning ${columns}`)
  return { row, ...(secret !== undefined && { secret }) }
}

/** An assistant that describes itself at its client id, as it does now; one that the operator removed stays removed. */
export const keepClient = async (
  { clock }: Pick<Context, 'clock'>,
  db: Queries,
  clientId: string,
  { name, home, privacy, redirects, needed, optional }: AppFields,
): Promise<void> => {
  await db.run(sql()`
    insert into app (client_id, name, home, privacy, redirects, scopes_needed, scopes_optional, created_at)
    values (${clientId}, ${name}, ${home}, ${privacy}, ${[...redirects]}, ${[...needed]}, ${[...optional]}, ${clock()})
    on conflict (client_id) do update
       set name = excluded.name, home = excluded.home, privacy = excluded.privacy, redirects = excluded.redirects,
           scopes_needed = excluded.scopes_needed, scopes_optional = excluded.scopes_optional
     where (app.name, app.home, app.privacy, app.redirects, app.scopes_needed, app.scopes_optional)
           is distinct from (excluded.name, excluded.home, excluded.privacy, excluded.redirects, excluded.scopes_needed,
             excluded.scopes_optional)`)
}

/** Changes the given fields, for installs to come; `newSecret` ends the old one at once. Refuses an unknown id. */
export const changeApp = async (
  { secrets, random, config }: Maker,
  db: Queries,
  id: number,
  { newSecret, ...asked }: Partial<AskedApp> & { readonly newSecret: boolean },
): Promise<{ readonly row: AppRow; readonly secret?: string }> => {
  const before = await heldApp(db, id)
  if (newSecret && isAssistant(before)) throw badRequest('An assistant has no secret.')
  const { name, home, privacy, redirects, needed, optional } = readApp(
    { ...fieldsOf(before), ...asked },
    config.practice,
  )
  const secret = newSecret ? makeSecret(random) : undefined
  const row = await db.one(sql(appRow)`
    update app
       set name = ${name}, home = ${home}, privacy = ${privacy}, redirects = ${[...redirects]},
           scopes_needed = ${[...needed]}, scopes_optional = ${[...optional]},
           secret_fingerprint = ${secret === undefined ? before.secret_fingerprint : currentFingerprint(secrets, secret)}
     where id = ${id}
    returning ${columns}`)
  return { row, ...(secret !== undefined && { secret }) }
}

/** A registered app, locked until the transaction ends. Refuses one that was removed. */
export const heldApp = async (db: Queries, id: number): Promise<AppRow> => {
  const row = await db.maybe(sql(appRow)`
    select ${columns} from app where id = ${id} and removed_at is null for update`)
  if (!row) throw noApp(id)
  return row
}

const noApp = (id: number): Refusal => new Refusal(404, `There is no app with the id ${id}.`)

/** Whether an app is registered; it stays so until the transaction ends. */
export const holdApp = async (db: Queries, id: number): Promise<boolean> =>
  (await db.maybe(sql({ id: 'int8' })`
    select id from app where id = ${id} and removed_at is null for share`)) !== undefined

/** Waits for exchanges that hold the app. Refuses an unknown id, and not one that was removed before. */
export const endApp = async (db: Queries, id: number, now: Temporal.Instant): Promise<AppRow> => {
  const row = await db.maybe(sql(appRow)`
    update app set removed_at = coalesce(removed_at, ${now}) where id = ${id} returning ${columns}`)
  if (!row) throw noApp(id)
  return row
}

/** The MCP server at this address, unless it was removed. */
export const appOfResource = (db: Queries, resource: string): Promise<AppRow | undefined> =>
  db.maybe(sql(appRow)`select ${columns} from app where resource = ${resource} and removed_at is null`)

export const allApps = (db: Queries): Promise<AppRow[]> =>
  db.many(sql(appRow)`select ${columns} from app order by id`)

/** The app that calls itself this, unless it was removed. */
export const appOfClient = (db: Queries, clientId: string): Promise<AppRow | undefined> =>
  db.maybe(sql(appRow)`select ${columns} from app where client_id = ${clientId} and removed_at is null`)

/** The app with this id and secret; undefined if there is none. */
export const appSignedIn = async (
  { db, secrets }: Pick<Context, 'db' | 'secrets'>,
  clientId: string,
  secret: string,
): Promise<AppRow | undefined> => {
  const app = await appOfClient(db, clientId)
  const kept = app?.secret_fingerprint
  return kept && fingerprints(secrets, secret).some((one) => timingSafeEqual(one, kept)) ? app : undefined
}

const makeSecret = (random: Context['random']): string => `service_cs_${randomText(random, 40)}`
