import type { BatchKind, BatchMode } from '@venue-data/contract/batch.ts'
import { limits } from '@venue-data/contract/limits.ts'
import { reasons } from '@venue-data/contract/reasons.ts'
import type { Context, Work } from '../../context.ts'
import { toInstant, type Moment } from '../../platform/kernel/time/moment.ts'
import { Refusal, refuse } from '../../platform/kernel/refusal.ts'
import { uuidFrom } from '../../platform/kernel/uuid.ts'
import { type BatchRow, batchesSince } from './reads.ts'
import { insertBatch, insertItems } from './writes.ts'

export type SentBatch = {
  readonly key: number
  readonly kind: BatchKind
  readonly mode: BatchMode
  readonly items: readonly { readonly ref: string; readonly body: unknown }[]
}

/**
 * Accepts records for a worker to write. A venue may have one batch at a time, and a limited number of items per hour.
 */
export const takeBatch = async (
  { random }: Pick<Context, 'random'>,
  { db, venue, now }: Work,
  { key, kind, mode, items }: SentBatch,
): Promise<BatchRow> => {
  const at = now()
  const anHourAgo = at.subtract({ hours: 1 })
  const lately = await batchesSince(db, venue.id, anHourAgo)
  const row = { id: uuidFrom(random), key_id: key, kind, mode, total: items.length }
  const batch = await insertBatch(db, venue.id, row, at)
  if (!batch) throw refuse('batch-running', reasons['batch-running'].sentence)
  refuseTooMany(lately, items.length, anHourAgo)
  await insertItems(db, venue.id, batch.id, items)
  return batch
}

/** 429 until enough of the past hour's items are old enough for these to fit. */
const refuseTooMany = (
  lately: readonly { readonly sent_at: string; readonly total: number }[],
  more: number,
  anHourAgo: Temporal.Instant,
): void => {
  let items = lately.reduce((sum, { total }) => sum + total, more)
  let seconds = 0
  for (const { sent_at, total } of lately) {
    if (items <= limits.batchItemsPerHour) break
    items -= total
    seconds = Math.max(
      1,
      Math.ceil(
        toInstant(sent_at as Moment)
          .since(anHourAgo)
          .total('seconds'),
      ),
    )
  }
  if (seconds === 0) return
  throw new Refusal(
    429,
    `This venue has sent more than ${limits.batchItemsPerHour} items in batches within an hour; try again in ${Math.ceil(seconds / 60)} ${seconds <= 60 ? 'minute' : 'minutes'}.`,
    { problem: { reason: 'rate-limited' }, headers: { 'retry-after': String(seconds) } },
  )
}
