import type { Queries } from '../../platform/db/pool.ts'
import { columnsOf, part, sql } from '../../platform/db/sql.ts'
import { leasedRows } from '../../core/venue/leased-rows.ts'
import type { VenueId } from '../../core/venue/venue.ts'
import { type BatchRow, type Besides, type ItemStatus, batchRow } from './reads.ts'

export type NewBatchRow = Pick<BatchRow, 'id' | 'key_id' | 'kind' | 'mode' | 'total'>

/** Undefined if the venue already has one in progress. */
export const insertBatch = async (
  db: Queries,
  venue: VenueId,
  { id, key_id, kind, mode, total }: NewBatchRow,
  now: Temporal.Instant,
): Promise<BatchRow | undefined> =>
  (await db.maybe(sql(batchRow)`
    insert into batch (venue_id, id, key_id, kind, mode, status, total, sent_at, next_at)
    values (${venue}, ${id}, ${key_id}, ${kind}, ${mode}, 'waiting', ${total}, ${now}, ${now})
    on conflict (venue_id) where next_at is not null do nothing
    returning ${columnsOf(batchRow)}`)) as BatchRow | undefined

/** In this order. */
export const insertItems = (
  db: Queries,
  venue: VenueId,
  batch: string,
  items: readonly { readonly ref: string; readonly body: unknown }[],
): Promise<number> =>
  db.run(sql()`
    insert into batch_item (venue_id, batch_id, ref, body)
    select ${venue}, ${batch}, ref, body
      from unnest(${items.map(({ ref }) => ref)}::text[], ${items.map(({ body }) => JSON.stringify(body))}::jsonb[])
        with ordinality as given (ref, body, place)
     order by place`)

/** Those that a worker may take up; a venue has one in progress. */
export const batchesDue = leasedRows('batch', batchRow, {
  due: 'next_at',
  leaseSeconds: 60,
  taken: (now) => part`, status = 'running', started_at = coalesce(started_at, ${now})`,
})

export type Outcome = {
  /** Of the item. */
  readonly item: number
  readonly status: ItemStatus
  readonly recordId: number | null
  readonly reason: string | null
  readonly error: string | null
  readonly besides: Besides | null
}

/** Stores the results of some items in place of their bodies. */
export const writeOutcomes = (
  db: Queries,
  venue: VenueId,
  batch: string,
  outcomes: readonly Outcome[],
): Promise<number> =>
  db.run(sql()`
    update batch_item i
       set body = null, status = o.status, record_id = o.record_id, reason = o.reason, error = o.error, besides = o.besides
      from unnest(${outcomes.map(({ item }) => item)}::bigint[], ${outcomes.map(({ status }) => status)}::text[],
                  ${outcomes.map(({ recordId }) => recordId)}::bigint[], ${outcomes.map(({ reason }) => reason)}::text[],
                  ${outcomes.map(({ error }) => error)}::text[],
                  ${outcomes.map(({ besides }) => besides && JSON.stringify(besides))}::jsonb[])
             as o (item, status, record_id, reason, error, besides)
     where i.venue_id = ${venue} and i.batch_id = ${batch} and i.id = o.item`)

export type Tally = {
  readonly done: number
  readonly made: number
  readonly matched: number
  readonly refused: number
  readonly told: number
}

/** Counts some items, and renews the lease. */
export const addTally = (
  db: Queries,
  venue: VenueId,
  id: string,
  { done, made, matched, refused, told }: Tally,
  until: Temporal.Instant,
): Promise<number> =>
  db.run(sql()`
    update batch set
      done = done + ${done}, made = made + ${made}, matched = matched + ${matched}, refused = refused + ${refused},
      told = told + ${told}, next_at = ${until}
    where venue_id = ${venue} and id = ${id}`)

/** Ends a batch in progress; its unwritten bodies are deleted. */
export const endBatch = async (
  db: Queries,
  venue: VenueId,
  id: string,
  status: 'done' | 'cancelled',
  now: Temporal.Instant,
): Promise<void> => {
  await db.run(sql()`
    update batch set status = ${status}, ended_at = ${now}, next_at = null
     where venue_id = ${venue} and id = ${id} and next_at is not null`)
  await db.run(sql()`
    update batch_item set body = null where venue_id = ${venue} and batch_id = ${id} and body is not null`)
}

/** Deletes the batches that ended before a moment, over all venues. */
export const deleteOldBatches = (db: Queries, until: Temporal.Instant): Promise<number> =>
  db.run(sql()`delete from batch where ended_at < ${until}`)
