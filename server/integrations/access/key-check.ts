import type { KeyKind, KeyScope, Plan } from '@venue-data/contract/records/account.ts'
import { limits } from '@venue-data/contract/limits.ts'
import type { Scope } from '@venue-data/contract/scopes.ts'
import type { Context } from '../../context.ts'
import { ifThereIsRoom, isDatabaseDown, isOutOfRoom } from '../../platform/db/faults.ts'
import type { Queries } from '../../platform/db/pool.ts'
import { type RowOf, fragment, quickRead, sql } from '../../platform/db/sql.ts'
import { gatherer } from '../../platform/kernel/running/gatherer.ts'
import { type Moment, toInstant } from '../../platform/kernel/time/moment.ts'
import { fingerprints } from '../../platform/kernel/secrets.ts'
import { type Venue, type VenueId, includesApi } from '../../core/venue/venue.ts'
import { hasKeyForm } from './key-text.ts'
import { scopesOfBefore } from './scopes.ts'

/*
 * Who calls, and how often. Every request is looked up and counted in PostgreSQL, so a revoked key stops immediately
 * and the rate is exact across all processes. Requests that arrive during a check share the next one: one statement
 * looks up and counts them all, each takes its own place in the window, and a check is never older than the requests it
 * answers.
 */

export type KnownCaller = {
  /** Undefined when the key's venue cannot be found. */
  readonly venue: Venue | undefined
  /** Whether the venue may use the API with this kind of key now. */
  readonly admitted: boolean
  readonly key: {
    readonly id: number
    readonly kind: KeyKind
    readonly scope: KeyScope
    /** Its scopes. */
    readonly scopes: readonly Scope[]
    readonly name: string
    readonly createdAt: Moment
    readonly lastUsedAt: Moment | null
    readonly expiresAt: Moment | null
    /** The blocks of addresses it may be used from; none: from anywhere. */
    readonly allowedAddresses: readonly string[]
    readonly mayRotate: boolean
  }
}

export type CountedCaller = KnownCaller & {
  readonly rate: {
    readonly limit: number
    /** Requests left in the window after this one; below zero, the limit is exceeded. */
    readonly left: number
    /** Whole seconds to the window's end, 1 to 60. */
    readonly resetSeconds: number
  }
}

export type Caller = CountedCaller & {
  /** The caller's network address. */
  readonly address: string
}

/**
 * Resolves to the caller, or to undefined for a key that is unknown, revoked or expired. Rejects when the database cannot
 * be asked.
 */
export type KeyCheck = (keyText: string) => Promise<CountedCaller | undefined>

/** The most requests checked by one statement. */
const mostAtOnce = 100

/** Keys whose fingerprints are cached: it saves only arithmetic, every request is still looked up. */
const mostRemembered = 1_000

export const keyCheck = (context: Context): KeyCheck => {
  const fingerprintsOf = remembered(mostRemembered, (keyText) => fingerprints(context.secrets, keyText))
  const meanwhile = countInMemory(context.clock)
  const check = gatherer({
    atOnce: 1,
    most: mostAtOnce,
    run: (asked: readonly Fingerprints[]) => checkTogether(context, asked, meanwhile),
    isForAll: isDatabaseDown,
  })
  return (keyText) => (hasKeyForm(keyText) ? check(fingerprintsOf(keyText)) : Promise.resolve(undefined))
}

/** The fingerprints of one key text, one for each secret. */
type Fingerprints = readonly Buffer[]

/** The fingerprints of recently seen texts; cleared when it is full. */
const remembered = <T>(most: number, make: (text: string) => T): ((text: string) => T) => {
  const made = new Map<string, T>()
  return (text) => {
    let found = made.get(text)
    if (found === undefined) {
      if (made.size >= most) made.clear()
      made.set(text, (found = make(text)))
    }
    return found
  }
}

const checkTogether = async (
  context: Context,
  batch: readonly Fingerprints[],
  meanwhile: MemoryCount,
): Promise<(CountedCaller | undefined)[]> => {
  const times = new Map<string, { fingerprint: Buffer; times: number }>()
  for (const fingerprint of batch.flat()) {
    const name = fingerprint.toString('latin1')
    const entry = times.get(name)
    if (entry) entry.times++
    else times.set(name, { fingerprint, times: 1 })
  }
  const now = context.clock()
  const asked = [...times.values()]
  const rows = await context.db.many(lookUpAndCount(asked, now)).then(
    async (counted) => {
      await ifThereIsRoom(noteFirstUses(context.db, counted))
      meanwhile.forget()
      return counted
    },
    async (error: unknown) => {
      // Who only reads needs no room; who writes is refused by the write itself.
      if (!isOutOfRoom(error)) throw error
      return meanwhile.count(await context.db.many(lookUp(asked, now)))
    },
  )
  const found = new Map(
    rows.map((row) => {
      const limit = limitOf(context.config, row.rate_per_minute)
      return [
        row.fingerprint.toString('latin1'),
        { caller: callerFrom(row, limit, now), left: limit - (row.used - row.times) },
      ]
    }),
  )
  return batch.map((asked) => {
    const hit = asked.map((one) => found.get(one.toString('latin1'))).find((one) => one)
    return hit && { ...hit.caller, rate: { ...hit.caller.rate, left: --hit.left } }
  })
}

/** How many requests a key may make in a minute: as many as its owner chose, up to the operator's limit. */
export const limitOf = (
  { rateLimitPerMinute, rateLimitMostPerMinute }: Context['config'],
  chosen: number | null,
): number =>
  chosen === null
    ? rateLimitPerMinute
    : Math.min(chosen, Math.max(rateLimitPerMinute, rateLimitMostPerMinute))

/** A key, and its venue. */
const knownRow = {
  id: 'int8',
  kind: 'text',
  scope: 'text',
  scopes: 'text[]?',
  key_name: 'text',
  created_at: 'timestamptz',
  last_used_at: 'timestamptz?',
  expires_at: 'timestamptz?',
  allowed_addresses: 'text[]?',
  may_rotate: 'bool',
  venue_id: 'int8',
  slug: 'text?',
  name: 'text?',
  timezone: 'text?',
  plan: 'text?',
  paused: 'bool?',
  access: 'text?',
  access_withdrawn_at: 'timestamptz?',
  phone: 'text?',
} as const

const ofKey = fragment(`
  k.id, k.kind, k.scope, k.scopes, k.name as key_name, k.created_at, k.last_used_at, k.expires_at,
  k.allowed_addresses::text[] as allowed_addresses, k.may_rotate, k.venue_id`)

const ofVenue = fragment(`
  v.slug, v.name, v.timezone, v.plan, v.paused, v.access, v.access_withdrawn_at, v.phone`)

type Asking = readonly { fingerprint: Buffer; times: number }[]

const keyRow = {
  fingerprint: 'bytea',
  times: 'int4',
  opened_at: 'timestamptz',
  used: 'int4',
  rate_per_minute: 'int4?',
  ...knownRow,
} as const

/** The caller's current state, for a request that was already counted. Undefined: the key no longer works. */
export const callerAgain = async (
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  keyId: number,
): Promise<KnownCaller | undefined> => {
  const row = await db.maybe(
    quickRead(sql(knownRow)`
    select ${ofKey}, ${ofVenue}
      from api_key k
      left join venue v on v.id = k.venue_id
     where k.id = ${keyId} and k.revoked_at is null and (k.expires_at is null or k.expires_at > ${clock()})
       and (k.traded_until is null or k.traded_until > ${clock()})`),
  )
  return row && knownFrom(row)
}

/**
 * One row per known key: the key, its venue, and its window after these requests were counted. Windows are locked in
 * order.
 */
export const lookUpAndCount = (asked: Asking, now: Temporal.Instant) => {
  const windowAgo = windowBefore(now)
  return sql(keyRow)`
    with asked as (
      select fingerprint, times
        from unnest(${asked.map((one) => one.fingerprint)}::bytea[], ${asked.map((one) => one.times)}::integer[])
          as asked (fingerprint, times)
    ), found as (
      select ${ofKey}, k.rate_per_minute, k.fingerprint, asked.times
        from asked
        join api_key k on k.fingerprint = asked.fingerprint
       where k.revoked_at is null and (k.expires_at is null or k.expires_at > ${now}::timestamptz)
         and (k.traded_until is null or k.traded_until > ${now}::timestamptz)
    ), counted as (
      insert into key_window as w (key_id, opened_at, used)
      select id, ${now}::timestamptz, times from found order by id
      on conflict (key_id) do update set
        opened_at = case when w.opened_at <= ${windowAgo}::timestamptz then excluded.opened_at else w.opened_at end,
        used = case when w.opened_at <= ${windowAgo}::timestamptz then excluded.used else w.used + excluded.used end
      returning key_id, opened_at, used
    )
    select found.*, counted.opened_at, counted.used, ${ofVenue}
      from found
      join counted on counted.key_id = found.id
      left join venue v on v.id = found.venue_id`
}

const windowBefore = (now: Temporal.Instant): Temporal.Instant =>
  now.subtract({ seconds: limits.rateWindowSeconds })

/** The same rows without counting these requests: `used` is what the window, if one is open, had before. */
const lookUp = (asked: Asking, now: Temporal.Instant) => sql(keyRow)`
    select asked.fingerprint, asked.times, coalesce(w.opened_at, ${now}) as opened_at, coalesce(w.used, 0) as used,
           k.rate_per_minute, ${ofKey}, ${ofVenue}
      from unnest(${asked.map((one) => one.fingerprint)}::bytea[], ${asked.map((one) => one.times)}::integer[])
             as asked (fingerprint, times)
      join api_key k on k.fingerprint = asked.fingerprint
      left join key_window w on w.key_id = k.id and w.opened_at > ${windowBefore(now)}
      left join venue v on v.id = k.venue_id
     where k.revoked_at is null and (k.expires_at is null or k.expires_at > ${now})
       and (k.traded_until is null or k.traded_until > ${now})`

/** Counts while the database has no room to: by this process alone, on top of what the database knows. */
type MemoryCount = {
  readonly count: (rows: readonly KeyRow[]) => KeyRow[]
  /** The database counts again. */
  readonly forget: () => void
}

const countInMemory = (clock: Context['clock']): MemoryCount => {
  /** By the key's id; of known keys alone, so there are no more than those. */
  const windows = new Map<number, Pick<KeyRow, 'opened_at' | 'used'>>()
  return {
    count: (rows) =>
      rows.map((row) => {
        const open = windows.get(row.id)
        const isOpen = open && Temporal.Instant.compare(toInstant(open.opened_at), windowBefore(clock())) > 0
        const { opened_at, used } = isOpen ? open : row
        const window = { opened_at, used: used + row.times }
        windows.set(row.id, window)
        return { ...row, ...window }
      }),
    forget: () => windows.clear(),
  }
}

/**
 * A key's last use is recorded once per window, and skipped while its row is locked: a revoke in progress must not
 * delay other venues' checks. A separate statement, since inside the one above it would cost every request a third of
 * it.
 */
const noteFirstUses = async (db: Queries, rows: readonly KeyRow[]): Promise<void> => {
  const first = rows.filter(({ used, times }) => used === times)
  if (first.length === 0) return
  await db.run(sql()`
    update api_key k set last_used_at = w.opened_at
      from (
        select id from api_key
         where id = any(${first.map(({ id }) => id)}::bigint[]) order by id for update skip locked) as f
      join key_window w on w.key_id = f.id
     where k.id = f.id`)
}

type KeyRow = NonNullable<ReturnType<typeof lookUpAndCount>['row']>

/** The caller of a row, before any request takes its place in the window. */
const callerFrom = (row: KeyRow, limit: number, now: Temporal.Instant): CountedCaller => {
  const openFor = limits.rateWindowSeconds - now.since(toInstant(row.opened_at)).total('seconds')
  return {
    ...knownFrom(row),
    rate: {
      limit,
      left: limit,
      resetSeconds: Math.min(limits.rateWindowSeconds, Math.max(1, Math.ceil(openFor))),
    },
  }
}

const knownFrom = (row: RowOf<typeof knownRow>): KnownCaller => {
  const kind = row.kind as KeyKind
  const scope = row.scope as KeyScope
  return {
    venue:
      row.slug === null
        ? undefined
        : {
            id: row.venue_id as VenueId,
            slug: row.slug,
            name: row.name as string,
            timezone: row.timezone as string,
            plan: row.plan as Plan,
            phone: row.phone,
          },
    admitted: row.slug !== null && !row.paused && obstacleOf(kind, row as Standing) === undefined,
    key: {
      id: row.id,
      kind,
      scope,
      scopes: (row.scopes as Scope[] | null) ?? scopesOfBefore({ kind, scope }),
      name: row.key_name,
      createdAt: row.created_at,
      lastUsedAt: row.last_used_at,
      expiresAt: row.expires_at,
      allowedAddresses: row.allowed_addresses ?? [],
      mayRotate: row.may_rotate,
    },
  }
}

/** The part of a venue that decides whether its keys are accepted. */
export type Standing = {
  readonly plan: string
  readonly access: string
  readonly access_withdrawn_at: string | null
}

/** Why a venue's keys of one kind are refused; a pause is separate, since keys can be created during one. */
export type Obstacle = 'plan' | 'withdrawn' | 'not-approved'

/**
 * What keeps a venue's keys of one kind from working, for every door. An `api` key needs approved access as well as the
 * plan, an `automation` key only the plan. But once access is withdrawn, both are refused until it is granted again,
 * even if the venue has asked again or been declined since.
 */
export const obstacleOf = (
  kind: KeyKind,
  { plan, access, access_withdrawn_at }: Standing,
): Obstacle | undefined => {
  if (!includesApi(plan)) return 'plan'
  if (access === 'approved') return undefined
  if (access === 'withdrawn' || access_withdrawn_at !== null) return 'withdrawn'
  return kind === 'automation' ? undefined : 'not-approved'
}
