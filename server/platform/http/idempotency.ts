import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { limits } from '@venue-data/contract/limits.ts'
import type { Endpoint } from '@venue-data/contract/webhooks/endpoint.ts'
import type { Fault } from '@venue-data/contract/reasons.ts'
import type { Context } from '../../context.ts'
import type { Queries } from '../db/pool.ts'
import { columnsOf, sql } from '../db/sql.ts'
import { withCommit } from '../db/kept/with-commit.ts'
import { codeOf } from '../kernel/code-of.ts'
import { erasedKey } from '../kernel/erased-key.ts'
import { canonicalJson } from '../kernel/json.ts'
import { toInstant } from '../kernel/time/moment.ts'
import { inHeader } from '../kernel/problem.ts'
import { Refusal, badRequest } from '../kernel/refusal.ts'
import { uuidFrom } from '../kernel/uuid.ts'
import type { VenueId } from '../../core/venue/venue.ts'
import { answerErased, differentBody, outcomeUnknown, stillProcessing } from './refusals.ts'

/*
 * Nothing is done twice under one Idempotency-Key (docs/api.md#trying-again-safely).
 *
 * Cast: an attempt commits its claim (a row without an answer) before the work. The transaction that does the work
 * writes the answer into that row, but only if the attempt still owns the claim. A refused attempt deletes its claim. A
 * crash in between leaves a claim without an answer: after a minute it is "outcome unknown", or, where repeating is
 * harmless, the next attempt takes it over. An attempt that lost its claim this way finds no row to finish, and its
 * transaction rolls back. An erasure reduces a stored answer to the fingerprints of key and body for the rest of its
 * day (data/erasure/erase-writes.ts).
 */

export type Claim = {
  readonly venue: VenueId
  readonly endpoint: string
  readonly key: string
  readonly token: string
}

export type KeptAnswer = { readonly status: number; readonly body: string; readonly recordId: number | null }

/** Whether a stored answer's record is still valid: a cancelled or deleted one is not replayed. */
export type StillStands = (queries: Queries, venue: VenueId, recordId: number) => Promise<boolean>

/** The Idempotency-Key of a request, if it has one: 1 to 200 visible characters. */
export const readIdempotencyKey = (header: string | string[] | undefined): string | undefined => {
  if (header === undefined) return undefined
  if (typeof header !== 'string' || !visible.test(header)) {
    throw badRequest(
      `Idempotency-Key must be 1 to ${limits.idempotencyKeyCharacters} visible characters without blanks.`,
      inHeader('Idempotency-Key', faultOf(String(header)), 'idempotency-key-invalid'),
    )
  }
  return header
}

const faultOf = (header: string): Fault => {
  if (header === '') return 'blank'
  return header.length > limits.idempotencyKeyCharacters ? 'too-long' : 'not-text'
}

const visible = new RegExp(`^[\\x21-\\x7e]{1,${limits.idempotencyKeyCharacters}}$`)

/**
 * Claims a key for an attempt. Returns the claim, or the stored answer of the first attempt. Refuses with 409 a key
 * used with another body, or one whose first attempt has not finished.
 */
export const claimKey = async (
  context: Pick<Context, 'db' | 'clock' | 'random'>,
  asked: ClaimAsked,
): Promise<{ claim: Claim } | { kept: KeptAnswer }> => {
  const { venue, address: endpoint, key } = asked
  const claim: Claim = { venue, endpoint, key, token: uuidFrom(context.random) }
  try {
    return await claimBy(context, claim, asked)
  } catch (error) {
    // The statement that claims the key may have been carried out, and only its answer lost.
    if (!(error instanceof Refusal)) await settledSoon(freeKey(context, claim))
    throw error
  }
}

export type ClaimAsked = {
  readonly venue: VenueId
  readonly endpoint: Pick<Endpoint, 'idempotency'>
  /** The request's method and path: one key used for two records counts as two keys. */
  readonly address: string
  readonly key: string
  readonly body: unknown
  readonly stillStands: StillStands | undefined
}

const claimBy = async (
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  claim: Claim,
  { venue, endpoint, address, key, body, stillStands }: ClaimAsked,
): Promise<{ claim: Claim } | { kept: KeptAnswer }> => {
  const bodyHash = createHash('sha256')
    .update(canonicalJson(body ?? null))
    .digest()
  const now = clock()
  const fresh = now.subtract({ hours: limits.idempotencyHours })

  // The claim ends before the other is judged: a claim still on its way would come after it was freed, and stay. The
  // other is read behind it on the same connection, and so sees an erasure that the claim had to wait for.
  const [claiming, reading] = await db.together((queries) =>
    Promise.allSettled([
      queries.maybe(insertClaim(claim, bodyHash, now, fresh)),
      queries.maybe(claimed({ ...claim, key: erasedKey(venue, address, key) })),
    ]),
  )
  const inserted = valueOf(claiming)
  const erased = valueOf(reading)
  if (erased && Temporal.Instant.compare(toInstant(erased.claimed_at), fresh) >= 0) {
    if (inserted) await releaseKey(db, claim)
    throw erased.body_hash.equals(bodyHash) ? answerErased() : differentBody()
  }
  if (inserted) return { claim }

  const found = await db.maybe(claimed(claim))
  // Freed between the two statements.
  if (!found) return lostTheRace()

  if (found.answered_at !== null) {
    const kept = { status: found.status as number, body: found.body as string, recordId: found.record_id }
    if (kept.recordId !== null && stillStands && !(await stillStands(db, venue, kept.recordId))) {
      return (await db.run(takeOver(claim, bodyHash, now, found))) === 1 ? { claim } : lostTheRace()
    }
    if (!found.body_hash.equals(bodyHash)) throw differentBody()
    return { kept }
  }

  if (!found.body_hash.equals(bodyHash)) throw differentBody()
  const age = now.since(toInstant(found.claimed_at)).total('seconds')
  if (age < limits.idempotencyClaimSeconds) throw stillProcessing()
  if (endpoint.idempotency === 'outcome-unknown') throw outcomeUnknown()
  return (await db.run(takeOver(claim, bodyHash, now, found))) === 1 ? { claim } : lostTheRace()
}

const valueOf = <T>(settled: PromiseSettledResult<T>): T => {
  if (settled.status === 'rejected') throw settled.reason
  return settled.value
}

/** Another request claimed the key just now, so an attempt is in progress. */
const lostTheRace = (): never => {
  throw stillProcessing()
}

/**
 * Stores the answer with the commit of the work's transaction. An attempt that no longer owns its claim finds no row;
 * since the commit is sent behind this, the database itself must then fail, and does so by dividing by their count.
 */
export const keepAnswer = (
  queries: Queries,
  claim: Claim,
  answer: KeptAnswer,
  now: Temporal.Instant,
): void => {
  withCommit(queries, () =>
    queries
      .one(sql({ kept: 'int8' })`
        with kept as (
          update idempotency
             set answered_at = ${now}, status = ${answer.status}, body = ${answer.body},
                 record_id = ${answer.recordId}
           where venue_id = ${claim.venue} and endpoint = ${claim.endpoint} and key = ${claim.key}
             and token = ${claim.token} and answered_at is null
          returning 1)
        select 1 / count(*) as kept from kept`)
      .catch((error: unknown) => {
        throw codeOf(error) === '22012' ? stillProcessing() : error
      }),
  )
}

const releaseKey = (queries: Queries, claim: Claim): Promise<number> =>
  queries.run(sql()`
    delete from idempotency
     where venue_id = ${claim.venue} and endpoint = ${claim.endpoint} and key = ${claim.key}
       and token = ${claim.token} and answered_at is null`)

/**
 * Finds out what happened to an attempt whose COMMIT got no answer. Its transaction locks the claim's row until it
 * ends, so the one that gets the lock sees the outcome: the stored answer, or a claim still open. In the second case
 * nothing was done, and the key is freed. Repeats until the database answers.
 */
export const settleClaim = ({ db }: Pick<Context, 'db'>, claim: Claim): Promise<KeptAnswer | undefined> =>
  untilReached(async () => {
    const found = await db.maybe(claimedForUpdate(claim))
    if (!found || found.token !== claim.token) return undefined
    if (found.answered_at === null) {
      await releaseKey(db, claim)
      return undefined
    }
    return { status: found.status as number, body: found.body as string, recordId: found.record_id }
  })

/** Frees a failed attempt's key so that the next attempt is evaluated again. Safe to repeat. */
export const freeKey = ({ db }: Pick<Context, 'db'>, claim: Claim): Promise<undefined> =>
  untilReached(async () => {
    await releaseKey(db, claim)
    return undefined
  })

/**
 * Retries for as long as an open claim keeps others waiting, at intervals that grow no longer than callers are asked to
 * wait after a fault: until then, a caller that tries again hears that the first attempt is still being processed.
 */
const untilReached = async <T>(work: () => Promise<T>): Promise<T | undefined> => {
  const giveUpAt = performance.now() + limits.idempotencyClaimSeconds * 1000
  for (
    let waitMs = 250;
    performance.now() < giveUpAt;
    waitMs = Math.min(2 * waitMs, limits.retryAfterFaultSeconds * 1000)
  ) {
    try {
      return await work()
    } catch {
      await pause(waitMs, undefined, { ref: false })
    }
  }
  return undefined
}

/** How long a refused caller waits for its key to be settled, in milliseconds; the key is settled in any case. */
const longestSettlingMs = 500

/** What the settling of a key results in, if it is known soon. */
export const settledSoon = (settling: Promise<KeptAnswer | undefined>): Promise<KeptAnswer | undefined> =>
  Promise.race([settling, pause(longestSettlingMs, undefined, { ref: false })])

const claimRow = {
  body_hash: 'bytea',
  token: 'uuid',
  claimed_at: 'timestamptz',
  answered_at: 'timestamptz?',
  status: 'int4?',
  body: 'text?',
  record_id: 'int8?',
} as const

/**
 * Takes a key that is free or expired. The commit does not wait for the disk: the work's own commit does, and comes
 * later in the log. If the database crashes and loses the claim, it has lost the work as well.
 */
const insertClaim = (claim: Claim, bodyHash: Buffer, now: Temporal.Instant, fresh: Temporal.Instant) =>
  sql({ token: 'uuid' })`
    insert into idempotency as i (venue_id, endpoint, key, body_hash, token, claimed_at)
    values (${claim.venue}, ${claim.endpoint}, ${claim.key}, ${bodyHash},
            case when set_config('synchronous_commit', 'off', true) = 'off' then ${claim.token}::uuid end, ${now})
    on conflict (venue_id, endpoint, key) do update set
      body_hash = excluded.body_hash, token = excluded.token, claimed_at = excluded.claimed_at,
      answered_at = null, status = null, body = null, record_id = null
    where i.claimed_at < ${fresh}
    returning token`

const claimed = (claim: Claim) =>
  sql(claimRow)`
    select ${columnsOf(claimRow)} from idempotency
     where venue_id = ${claim.venue} and endpoint = ${claim.endpoint} and key = ${claim.key}`

/** The same, after the transaction that locks the row has ended. */
const claimedForUpdate = (claim: Claim) =>
  sql(claimRow)`
    select ${columnsOf(claimRow)} from idempotency
     where venue_id = ${claim.venue} and endpoint = ${claim.endpoint} and key = ${claim.key}
       for update`

/** Takes over a claim from the attempt seen to own it, unless that attempt has since finished or lost it. */
const takeOver = (
  claim: Claim,
  bodyHash: Buffer,
  now: Temporal.Instant,
  from: { readonly token: string; readonly answered_at: string | null },
) =>
  sql()`
    update idempotency
       set body_hash = ${bodyHash}, token = ${claim.token}, claimed_at = ${now},
           answered_at = null, status = null, body = null, record_id = null
     where venue_id = ${claim.venue} and endpoint = ${claim.endpoint} and key = ${claim.key}
       and token = ${from.token} and answered_at is not distinct from ${from.answered_at}::timestamptz`

/** Deletes expired claims and stored answers. */
export const forgetOldKeys = ({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<number> =>
  db.run(
    sql()`delete from idempotency where claimed_at < ${clock().subtract({ hours: limits.idempotencyHours })}`,
  )
