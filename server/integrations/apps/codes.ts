import { createHash } from 'node:crypto'
import type { Scope } from '@venue-data/contract/scopes.ts'
import type { Context } from '../../context.ts'
import type { Queries } from '../../platform/db/pool.ts'
import { type RowOf, columnsOf, sql } from '../../platform/db/sql.ts'
import { randomText } from '../../platform/kernel/random-text.ts'
import type { VenueId } from '../../core/venue/venue.ts'

/*
 * A code is what an owner's Allow leaves in the app's hands, for a minute. It is bound to the app, its redirect and the
 * app's own challenge, and only its hash is stored. A used one stays for a day, so that its second use is noticed.
 */

/** How long a code is good for. */
export const codeSeconds = 60
const keptHours = 24

const codeRow = {
  app_id: 'int8',
  venue_id: 'int8',
  staff_id: 'int8',
  redirect: 'text',
  challenge: 'text',
  /** The MCP server that it is for; null: the API itself. */
  resource_app: 'int8?',
  scopes: 'text[]',
  key_expires_at: 'timestamptz?',
  created_at: 'timestamptz',
  key_id: 'int8?',
} as const
export type CodeRow = RowOf<typeof codeRow>

export type NewCode = {
  readonly app: number
  readonly venue: VenueId
  readonly staff: number
  readonly redirect: string
  readonly challenge: string
  readonly resourceApp: number | null
  readonly scopes: readonly Scope[]
  readonly keyExpiresAt: Temporal.Instant | null
}

export const makeCode = async (
  { random, clock }: Pick<Context, 'random' | 'clock'>,
  db: Queries,
  { app, venue, staff, redirect, challenge, resourceApp, scopes, keyExpiresAt }: NewCode,
): Promise<string> => {
  const code = randomText(random, 43)
  await db.run(sql()`
    insert into app_code (
      code_hash, app_id, venue_id, staff_id, redirect, challenge, resource_app, scopes, key_expires_at, created_at)
    values (${hashOf(code)}, ${app}, ${venue}, ${staff}, ${redirect}, ${challenge}, ${resourceApp}, ${[...scopes]},
            ${keyExpiresAt}, ${clock()})`)
  return code
}

/** The venue a code is for, before that is locked. */
export const venueOfCode = async (db: Queries, code: string): Promise<VenueId | undefined> =>
  (await db.maybe(sql({ venue_id: 'int8' })`select venue_id from app_code where code_hash = ${hashOf(code)}`))
    ?.venue_id as VenueId | undefined

/** A code, locked until the transaction ends: of two uses at once the second finds what the first made. */
export const codeForUpdate = (db: Queries, code: string): Promise<CodeRow | undefined> =>
  db.maybe(sql(codeRow)`
    select ${columnsOf(codeRow)} from app_code where code_hash = ${hashOf(code)} for update`)

export const markUsed = (db: Queries, code: string, keyId: number): Promise<number> =>
  db.run(sql()`update app_code set key_id = ${keyId} where code_hash = ${hashOf(code)}`)

/** Revokes the key that a code made, and those by which that replaced itself; what a later code made stays. */
export const revokeKeyOfCode = async (db: Queries, keyId: number, now: Temporal.Instant): Promise<number[]> =>
  (
    await db.many(sql({ id: 'int8' })`
      with recursive made (id) as (
        select ${keyId}::bigint
        union
        select k.id
          from made m
          join api_key k on k.rotated_from = m.id
         where not exists (select from app_code c where c.key_id = k.id)
      )
      update api_key set revoked_at = ${now}, revoked_why = 'code-used-twice'
       where id in (select id from made) and revoked_at is null
      returning id`)
  ).map(({ id }) => id)

/** Drops the codes of an install's app and venue that nobody exchanged yet. */
export const dropUnusedCodes = (db: Queries, install: number): Promise<number> =>
  db.run(sql()`
    delete from app_code c using app_install i
     where i.id = ${install} and c.app_id = i.app_id and c.venue_id = i.venue_id and c.key_id is null`)

/** Housekeeping. */
export const forgetOldCodes = ({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<number> =>
  db.run(sql()`delete from app_code where created_at < ${clock().subtract({ hours: keptHours })}`)

/** The code is random and long, so a plain hash protects it. */
const hashOf = (code: string): Buffer => createHash('sha256').update(code).digest()
