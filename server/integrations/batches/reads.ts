import { Batch, type BatchKind, type BatchMode, type BatchStatus } from '@venue-data/contract/batch.ts'
import type { Queries } from '../../platform/db/pool.ts'
import { recordOf } from '../../platform/db/record-of.ts'
import { type RowOf, columnsOf, sql } from '../../platform/db/sql.ts'
import type { VenueId } from '../../core/venue/venue.ts'

export const batchRow = {
  id: 'uuid',
  key_id: 'int8',
  kind: 'text',
  mode: 'text',
  status: 'text',
  total: 'int4',
  done: 'int4',
  made: 'int4',
  matched: 'int4',
  refused: 'int4',
  told: 'int4',
  sent_at: 'timestamptz',
  started_at: 'timestamptz?',
} as const
export type BatchRow = Omit<RowOf<typeof batchRow>, 'kind' | 'mode' | 'status'> & {
  readonly kind: BatchKind
  readonly mode: BatchMode
  readonly status: BatchStatus
}

export const presentBatch = recordOf(Batch, batchRow).present

export const batchOf = async (db: Queries, venue: VenueId, id: string): Promise<BatchRow | undefined> =>
  (await db.maybe(sql(batchRow)`
    select ${columnsOf(batchRow)} from batch where venue_id = ${venue} and id = ${id}`)) as
    | BatchRow
    | undefined

/** Locked until the transaction ends. */
export const batchForUpdate = async (
  db: Queries,
  venue: VenueId,
  id: string,
): Promise<BatchRow | undefined> =>
  (await db.maybe(sql(batchRow)`
    select ${columnsOf(batchRow)} from batch where venue_id = ${venue} and id = ${id} for update`)) as
    | BatchRow
    | undefined

/** The batches a venue has sent since a moment, oldest first. */
export const batchesSince = (
  db: Queries,
  venue: VenueId,
  since: Temporal.Instant,
): Promise<{ sent_at: string; total: number }[]> =>
  db.many(sql({ sent_at: 'timestamptz', total: 'int4' })`
    select sent_at, total from batch where venue_id = ${venue} and sent_at > ${since} order by sent_at`)

const waitingItem = { id: 'int8', body: 'jsonb' } as const
export type WaitingItem = RowOf<typeof waitingItem>

/** The next items of a batch that have no result. */
export const itemsToDo = (db: Queries, venue: VenueId, batch: string, most: number): Promise<WaitingItem[]> =>
  db.many(sql(waitingItem)`
    select id, body from batch_item
     where venue_id = ${venue} and batch_id = ${batch} and status is null
     order by id limit ${most}`)

const doneItem = {
  id: 'int8',
  ref: 'text',
  status: 'text',
  record_id: 'int8?',
  reason: 'text?',
  error: 'text?',
  besides: 'jsonb?',
} as const
export type DoneItem = Omit<RowOf<typeof doneItem>, 'status' | 'besides'> & {
  readonly status: ItemStatus
  readonly besides: Besides | null
}

export type ItemStatus = 'made' | 'matched' | 'refused'
export type Besides = { readonly conflicting?: string[]; readonly outcome?: string }

/** The items of a batch that have a result, after one of them. */
export const itemsDone = async (
  db: Queries,
  venue: VenueId,
  batch: string,
  { after, most }: { readonly after: number; readonly most: number },
): Promise<DoneItem[]> =>
  (await db.many(sql(doneItem)`
    select ${columnsOf(doneItem)} from batch_item
     where venue_id = ${venue} and batch_id = ${batch} and status is not null and id > ${after}
     order by id limit ${most}`)) as DoneItem[]
