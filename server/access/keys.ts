import type { KeyKind, KeyScope } from '@venue-data/contract/account.ts'
import type { Context } from '../context.ts'
import type { Queries } from '../db/pool.ts'
import { type RowOf, columnsOf, sql } from '../db/sql.ts'
import { currentFingerprint, fingerprints } from '../kernel/secrets.ts'
import type { VenueId } from '../venue/venue.ts'
import { lastFour, makeKeyText } from './key-text.ts'
import { scopesOfWords } from './scopes.ts'

/** What is stored of a key. The fingerprint never leaves the database. */
const keyRow = {
  id: 'int8',
  venue_id: 'int8',
  kind: 'text',
  scope: 'text',
  name: 'text',
  last_four: 'text',
  created_by: 'text',
  created_at: 'timestamptz',
  last_used_at: 'timestamptz?',
  revoked_at: 'timestamptz?',
  revoked_why: 'text?',
} as const
export type KeyRow = RowOf<typeof keyRow>

export type NewKey = {
  readonly kind: KeyKind
  readonly scope: KeyScope
  readonly name: string
  /** Who made it: a staff member's address, or `operator`. */
  readonly createdBy: string
  /** Its text, if a practice instance's setting fixes it; otherwise it is random. */
  readonly text?: string
}

/** Creates a key. Its text is returned only once; only a fingerprint is stored. */
export const createKey = async (
  { secrets, random, clock }: Pick<Context, 'secrets' | 'random' | 'clock'>,
  db: Queries,
  venue: VenueId,
  { kind, scope, name, createdBy, text }: NewKey,
): Promise<{ key: string; row: KeyRow }> => {
  const key = text ?? makeKeyText(random)
  const row = await db.one(sql(keyRow)`
    insert into api_key (venue_id, kind, scope, scopes, name, fingerprint, last_four, created_by, created_at)
    values (${venue}, ${kind}, ${scope}, ${[...scopesOfWords({ kind, scope })]}, ${name},
            ${currentFingerprint(secrets, key)}, ${lastFour(key)}, ${createdBy}, ${clock()})
    returning ${columnsOf(keyRow)}`)
  return { key, row }
}

/** Whether there is a key with this text, revoked or not. */
export const keyIsKnown = async (
  { secrets }: Pick<Context, 'secrets'>,
  db: Queries,
  text: string,
): Promise<boolean> =>
  (
    await db.one(sql({ is_known: 'bool' })`
      select exists (select from api_key where fingerprint = any(${fingerprints(secrets, text)}::bytea[])) as is_known`)
  ).is_known

export const keysOfVenue = (db: Queries, venue: VenueId): Promise<KeyRow[]> =>
  db.many(sql(keyRow)`select ${columnsOf(keyRow)} from api_key where venue_id = ${venue} order by id`)

/** The live keys that a staff member created, by the address of their account. */
export const liveKeysMadeBy = (db: Queries, venue: VenueId, email: string): Promise<KeyRow[]> =>
  db.many(sql(keyRow)`
    select ${columnsOf(keyRow)} from api_key
     where venue_id = ${venue} and created_by = ${email} and revoked_at is null
     order by id`)

/** Revokes a key permanently; from the next statement on every process answers it with 401. Undefined for an unknown id. Safe to repeat. */
export const revokeKey = (
  db: Queries,
  id: number,
  why: string,
  now: Temporal.Instant,
): Promise<KeyRow | undefined> =>
  db.maybe(sql(keyRow)`
    update api_key set revoked_at = coalesce(revoked_at, ${now}), revoked_why = coalesce(revoked_why, ${why})
     where id = ${id}
    returning ${columnsOf(keyRow)}`)

/** Permanently revokes all of a venue's keys, both kinds; returns how many were still live. Safe to repeat. */
export const revokeKeysOfVenue = (
  db: Queries,
  venue: VenueId,
  why: string,
  now: Temporal.Instant,
): Promise<number> =>
  db.run(sql()`
    update api_key set revoked_at = ${now}, revoked_why = ${why}
     where venue_id = ${venue} and revoked_at is null`)
