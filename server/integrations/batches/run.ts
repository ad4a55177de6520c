import { limits } from '@venue-data/contract/limits.ts'
import { type Caller, callerAgain } from '../access/key-check.ts'
import type { Context } from '../../context.ts'
import { inPace, spacingOf } from '../../data/imports/event-pace.ts'
import { codeOf } from '../../platform/kernel/code-of.ts'
import { toInstant } from '../../platform/kernel/time/moment.ts'
import { Refusal } from '../../platform/kernel/refusal.ts'
import type { Venue, VenueId } from '../../core/venue/venue.ts'
import { type BatchRow, batchForUpdate, itemsToDo } from './reads.ts'
import { maySendBatch } from './rules.ts'
import { ItemFailed, type SinglePosts, type Writing, writeItems } from './write-items.ts'
import { type Outcome, addTally, batchesDue, deleteOldBatches, endBatch, writeOutcomes } from './writes.ts'

/*
 * Runs batches, a few items at a time. Cast: a request stores the items; a worker leases the batch for a minute and
 * renews the lease with each chunk; a chunk's records, its items' results and the count commit together, under the lock
 * of the batch's row. So nothing is repeated after a crash, and if two workers both believe they have the batch, the
 * second continues where the first stopped.
 */

/** A piece holds the guest book until it is committed, and an evening's bookings wait for that. */
const itemsOfPiece = 10

type Doing = Pick<Context, 'workerDb' | 'clock' | 'bell' | 'log'>

/** Runs waiting batches, one after the other, until none is left or the process ends. Returns how many chunks ran. */
export const runBatches = async (
  context: Doing,
  posts: SinglePosts,
  signal?: AbortSignal,
): Promise<number> => {
  let pieces = 0
  while (!signal?.aborted) {
    const venue = await batchesDue.first(context.workerDb, context.clock())
    const done = venue ? await runBatch(context, posts, venue, signal) : 0
    if (done === 0) break
    pieces += done
  }
  return pieces
}

const runBatch = async (
  context: Doing,
  posts: SinglePosts,
  venue: VenueId,
  signal: AbortSignal | undefined,
): Promise<number> => {
  const { workerDb: db, clock } = context
  const batch = (await batchesDue.take(db, venue, clock())) as BatchRow | undefined
  if (!batch) return 0
  const { id } = batch
  let pieces = 0
  try {
    for (let isLeft = true; isLeft; pieces++) {
      if (signal?.aborted) break
      const caller = await callerOf(context, batch)
      if (!caller) {
        await db.transaction((queries) => endBatch(queries.within(venue), venue, id, 'cancelled', clock()))
        return pieces + 1
      }
      isLeft = await runPiece(context, { batch, posts, caller, until: batchesDue.until(clock()) })
      context.bell.ring()
    }
  } finally {
    // Nothing happens if it has already ended.
    await batchesDue.giveBack(db, venue, id, clock())
  }
  return pieces
}

/** The sender of a batch, if still allowed: the key may have been revoked, or lost the scope. */
const callerOf = async (
  { workerDb: db, clock }: Doing,
  { key_id, kind }: BatchRow,
): Promise<(Caller & { readonly venue: Venue }) | undefined> => {
  const known = await callerAgain({ db, clock }, key_id)
  const { venue, admitted, key } = known ?? {}
  if (!venue || !admitted || !key || !maySendBatch(key.scopes, kind)) return undefined
  // Its address and rate were checked when it sent the batch.
  return { venue, admitted, key, address: '', rate: { limit: 0, left: 0, resetSeconds: 0 } }
}

type Piece = {
  readonly batch: BatchRow
  readonly posts: SinglePosts
  readonly caller: Caller & { readonly venue: Venue }
  /** To when the lease is renewed. */
  readonly until: Temporal.Instant
}

/** Processes the next items; returns whether there are more. */
const runPiece = async (context: Doing, { batch, posts, caller, until }: Piece): Promise<boolean> => {
  const { workerDb, clock } = context
  const { venue } = caller
  const { kind, mode } = batch
  const spacing = spacingOf(batch.total * eventsOf[kind])
  return again(context, async (known) => {
    const writing = { kind, post: posts[kind], caller, known }
    const checked = mode === 'check' ? await checkItems(context, venue, batch, writing) : undefined
    return workerDb.transaction(async (queries) => {
      const db = queries.within(venue.id)
      const now = await batchForUpdate(db, venue.id, batch.id)
      if (now?.status !== 'running') return false
      const items = await itemsToDo(db, venue.id, batch.id, itemsOfPiece)
      const began = toInstant(now.started_at ?? now.sent_at)
      const { earliestSend, told } = inPace({ began, spacing, toldBefore: now.told, clock })
      const outcomes = checked
        ? items.flatMap(({ id }) => checked.get(id) ?? [])
        : await writeItems({ db, venue, now: clock, earliestSend }, writing, items)
      await writeOutcomes(db, venue.id, batch.id, outcomes)
      await addTally(db, venue.id, batch.id, { ...countsOf(outcomes), told: told() }, until)
      const isLeft = items.length > 0 && now.done + outcomes.length < now.total
      if (!isLeft) await endBatch(db, venue.id, batch.id, 'done', clock())
      return isLeft
    })
  })
}

/** The most events one item can emit: an inquiry may also create a guest. */
const eventsOf = { guest: 1, subscriber: 1, lead: 2, task: 1 } as const

/** What the results of the next items would be, by id. */
const checkItems = async (
  { workerDb, clock }: Doing,
  venue: Venue,
  batch: BatchRow,
  writing: Writing,
): Promise<ReadonlyMap<number, Outcome>> => {
  const outcomes = await workerDb.rehearse(async (queries) => {
    const db = queries.within(venue.id)
    const items = await itemsToDo(db, venue.id, batch.id, itemsOfPiece)
    return writeItems({ db, venue, now: clock }, writing, items)
  })
  const made = new Set(outcomes.flatMap(({ status, recordId }) => (status === 'made' ? [recordId] : [])))
  return new Map(
    outcomes.map((outcome) => [
      outcome.item,
      // A record that would be created has no id, nor does a later item that would match it.
      made.has(outcome.recordId) ? { ...outcome, recordId: null } : outcome,
    ]),
  )
}

/**
 * Repeats a chunk without the items that fail in the middle of their work, since such a failure rolls back the whole
 * chunk.
 */
const again = async <T>(
  { log }: Doing,
  run: (known: ReadonlyMap<number, Outcome>) => Promise<T>,
): Promise<T> => {
  const known = new Map<number, Outcome>()
  for (;;) {
    try {
      return await run(known)
    } catch (error) {
      if (!(error instanceof ItemFailed)) throw error
      if (!(error.cause instanceof Refusal))
        log.error({ code: codeOf(error.cause) }, 'an item of a batch failed')
      known.set(error.outcome.item, error.outcome)
    }
  }
}

const countsOf = (outcomes: readonly Outcome[]) => {
  const of = (status: Outcome['status']): number =>
    outcomes.filter((outcome) => outcome.status === status).length
  return { done: outcomes.length, made: of('made'), matched: of('matched'), refused: of('refused') }
}

/** Deletes batches whose results need not be kept any longer. */
export const forgetOldBatches = ({ workerDb, clock }: Pick<Context, 'workerDb' | 'clock'>): Promise<number> =>
  deleteOldBatches(workerDb, clock().subtract({ hours: 24 * limits.batchResultsDays }))
