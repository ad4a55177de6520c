import type { KeyKind, KeyScope } from '@venue-data/contract/records/account.ts'
import type { Scope } from '@venue-data/contract/scopes.ts'
import type { Context } from '../../context.ts'
import type { Queries } from '../../platform/db/pool.ts'
import { type Fragment, type RowOf, fragment, part, sql } from '../../platform/db/sql.ts'
import { type Moment, toInstant, toMoment } from '../../platform/kernel/time/moment.ts'
import { currentFingerprint, fingerprints } from '../../platform/kernel/secrets.ts'
import type { VenueId } from '../../core/venue/venue.ts'
import { lastFour, makeKeyText } from './key-text.ts'
import { scopesOfBefore, scopesOfWords, wordOf } from './scopes.ts'

/** What is stored of a key. The fingerprint never leaves the database. */
const keyRow = {
  id: 'int8',
  venue_id: 'int8',
  kind: 'text',
  scope: 'text',
  scopes: 'text[]?',
  name: 'text',
  last_four: 'text',
  created_by: 'text',
  created_at: 'timestamptz',
  last_used_at: 'timestamptz?',
  expires_at: 'timestamptz?',
  allowed_addresses: 'text[]?',
  may_rotate: 'bool',
  rotated_from: 'int8?',
  install_id: 'int8?',
  rate_per_minute: 'int4?',
  contact: 'text?',
  traded_until: 'timestamptz?',
  revoked_at: 'timestamptz?',
  revoked_why: 'text?',
} as const
export type KeyRow = RowOf<typeof keyRow>

const columns = fragment(
  Object.keys(keyRow)
    .map((name) => (name === 'allowed_addresses' ? 'allowed_addresses::text[] as allowed_addresses' : name))
    .join(', '),
)

/** What an owner chooses for a key, apart from its name. */
export type KeyTerms = {
  readonly scopes: readonly Scope[]
  /** Null: never. */
  readonly expiresAt: Temporal.Instant | null
  /** The blocks of addresses it may be used from; none: from anywhere. */
  readonly addresses: readonly string[]
  readonly mayRotate: boolean
  /** Null: as many requests as the service allows every key. */
  readonly ratePerMinute: number | null
  /** Whom to mail beside the owners when one of its endpoints is switched off. */
  readonly contact: string | null
}

export type NewKey = Partial<KeyTerms> & {
  readonly kind: KeyKind
  /** The old scope, if no scopes are given. */
  readonly scope?: KeyScope
  readonly name: string
  /** Who made it: a staff member's address, or `operator`. */
  readonly createdBy: string
  /** Its text, if a practice instance's setting fixes it; otherwise it is random. */
  readonly text?: string
  /** The key it replaces. */
  readonly rotatedFrom?: number
  /** The app's install it is for; a key that replaces itself stays with its own. */
  readonly install?: number
  /** Until when its present text is good, of a key that is traded for an assistant's token. */
  readonly tradedUntil?: Temporal.Instant
}

/** Creates a key. Its text is returned only once; only a fingerprint is stored. */
export const createKey = async (
  { secrets, random, clock }: Pick<Context, 'secrets' | 'random' | 'clock'>,
  db: Queries,
  venue: VenueId,
  { kind, scope = 'read', name, createdBy, text, rotatedFrom, install, tradedUntil, ...given }: NewKey,
): Promise<{ key: string; row: KeyRow }> => {
  const key = text ?? makeKeyText(random)
  const {
    scopes = scopesOfWords({ kind, scope }),
    expiresAt = null,
    addresses = [],
    mayRotate = false,
  } = given
  const row = await db.one(sql(keyRow)`
    insert into api_key (
      venue_id, kind, scope, scopes, name, fingerprint, last_four, created_by, created_at,
      expires_at, allowed_addresses, may_rotate, rate_per_minute, contact, traded_until, rotated_from, install_id)
    values (${venue}, ${kind}, ${wordOf(scopes)}, ${[...scopes]}, ${name},
            ${currentFingerprint(secrets, key)}, ${lastFour(key)}, ${createdBy}, ${clock()},
            ${expiresAt}, ${blocksOf(addresses)}, ${mayRotate}, ${given.ratePerMinute ?? null}, ${given.contact ?? null},
            ${tradedUntil ?? null}, ${rotatedFrom ?? null},
            coalesce(${install ?? null}::bigint, (select k.install_id from api_key k where k.id = ${rotatedFrom ?? null})))
    returning ${columns}`)
  return { key, row }
}

/** Each block, starting at its first address, whichever of its addresses was typed; null without any. */
const blocksOf = (addresses: readonly string[]): Fragment =>
  part`(select array_agg(network(b::inet)) from unnest(${addresses}::text[]) as blocks (b))`

/** A key's current terms. */
export const termsOf = (row: KeyRow): KeyTerms => ({
  scopes: scopesOf(row),
  expiresAt: row.expires_at && toInstant(row.expires_at),
  addresses: row.allowed_addresses ?? [],
  mayRotate: row.may_rotate,
  ratePerMinute: row.rate_per_minute,
  contact: row.contact,
})

/** Whether a key has expired. */
export const isOver = ({ expires_at }: Pick<KeyRow, 'expires_at'>, now: Temporal.Instant): boolean =>
  expires_at !== null && expires_at <= toMoment(now)

/** What a key may do, word by word. */
export const scopesOf = ({
  kind,
  scope,
  scopes,
}: Pick<KeyRow, 'kind' | 'scope' | 'scopes'>): readonly Scope[] =>
  (scopes as Scope[] | null) ?? scopesOfBefore({ kind: kind as KeyKind, scope: scope as KeyScope })

/** Replaces all of a key's terms. The owner is notified again before the new expiry. */
export const writeTerms = (
  db: Queries,
  id: number,
  { scopes, expiresAt, addresses, mayRotate, ratePerMinute, contact }: KeyTerms,
): Promise<KeyRow> =>
  db.one(sql(keyRow)`
    update api_key
       set scope = ${wordOf(scopes)}, scopes = ${[...scopes]}, expires_at = ${expiresAt}, expiry_told = null,
           allowed_addresses = ${blocksOf(addresses)}, may_rotate = ${mayRotate},
           rate_per_minute = ${ratePerMinute}, contact = ${contact}
     where id = ${id}
    returning ${columns}`)

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
  db.many(sql(keyRow)`select ${columns} from api_key where venue_id = ${venue} order by id`)

/** Whether only an MCP server ever holds it: it is in no list, and people see the assistant instead. */
export const isTraded = ({ traded_until }: Pick<KeyRow, 'traded_until'>): boolean => traded_until !== null

/** One of a venue's keys that people see. */
export const keyOfVenue = (db: Queries, venue: VenueId, id: number): Promise<KeyRow | undefined> =>
  db.maybe(sql(keyRow)`
    select ${columns} from api_key where venue_id = ${venue} and id = ${id} and traded_until is null`)

/** A key of any venue. */
export const keyById = (db: Queries, id: number): Promise<KeyRow | undefined> =>
  db.maybe(sql(keyRow)`select ${columns} from api_key where id = ${id}`)

/** The live keys that a staff member created, by the address of their account. */
export const liveKeysMadeBy = (db: Queries, venue: VenueId, email: string): Promise<KeyRow[]> =>
  db.many(sql(keyRow)`
    select ${columns} from api_key
     where venue_id = ${venue} and created_by = ${email} and revoked_at is null and traded_until is null
     order by id`)

/** The key that replaced one, unless it was revoked: at most one. */
export const successorOf = (db: Queries, venue: VenueId, id: number): Promise<KeyRow | undefined> =>
  db.maybe(sql(keyRow)`
    select ${columns} from api_key where venue_id = ${venue} and rotated_from = ${id} and revoked_at is null`)

/**
 * The keys of an app's install: those of the owner's latest consent first, and of these the newest. With those by which
 * they replaced themselves, also where a process of the release before did not note the install.
 */
export const keysOfInstall = (db: Queries, install: number): Promise<KeyRow[]> =>
  db.many(sql(keyRow)`
    with recursive line (id, consent) as (
      select id, id from api_key where install_id = ${install} and rotated_from is null
      union all
      select k.id, l.consent from line l join api_key k on k.rotated_from = l.id
    )
    select ${columns} from api_key join line using (id) order by consent desc, id desc`)

/** Makes a key expire at a moment, unless it expires earlier; returns when it expires now. */
export const endKey = async (db: Queries, id: number, at: Temporal.Instant): Promise<Moment> =>
  (
    await db.one(sql({ expires_at: 'timestamptz' })`
      update api_key set expires_at = least(expires_at, ${at}) where id = ${id} returning expires_at`)
  ).expires_at

/** Revokes only this key, not its family. */
export const revokeOneKey = (db: Queries, id: number, why: string, now: Temporal.Instant): Promise<number> =>
  db.run(sql()`
    update api_key set revoked_at = ${now}, revoked_why = ${why} where id = ${id} and revoked_at is null`)

/**
 * Revokes a key permanently, with all that it replaced or that replaced it, and with all others of an app's install: from
 * the next statement on, every process answers them with 401. Empty for an unknown id. Safe to repeat.
 */
export const revokeKey = (db: Queries, id: number, why: string, now: Temporal.Instant): Promise<KeyRow[]> =>
  db.many(sql(keyRow)`
    with recursive family (id) as (
      select id from api_key where id = ${id}
      union
      select k.id
        from family f
        join api_key me on me.id = f.id
        join api_key k on k.venue_id = me.venue_id and (
          k.rotated_from = me.id or k.id = me.rotated_from or k.install_id = me.install_id)
    )
    update api_key set revoked_at = coalesce(revoked_at, ${now}), revoked_why = coalesce(revoked_why, ${why})
     where id in (select id from family)
    returning ${columns}`)

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
