import type { ErasedIds } from '@venue-data/contract/erasure.ts'
import type { Queries } from '../../../platform/db/pool.ts'
import { type RowOf, columnsOf, sql } from '../../../platform/db/sql.ts'
import type { VenueId } from '../../../core/venue/venue.ts'

const erasureRow = { id: 'int8', at: 'timestamptz', ids: 'jsonb' } as const
const confirmationRow = { erasure_id: 'int8', key_id: 'int8', at: 'timestamptz', note: 'text?' } as const

export type ErasureRow = Omit<RowOf<typeof erasureRow>, 'ids'> & { readonly ids: ErasedIds }
export type ConfirmationRow = RowOf<typeof confirmationRow>

/**
 * The erasures of a venue after one of them, oldest first. Erasures of a venue come one after the other, since each holds
 * its guest book, so a later one never has a lower id.
 */
export const erasuresAfter = async (
  db: Queries,
  venue: VenueId,
  after: number,
  most: number,
): Promise<ErasureRow[]> =>
  (await db.many(sql(erasureRow)`
    select ${columnsOf(erasureRow)} from erasure
     where venue_id = ${venue} and id > ${after} order by id limit ${most}`)) as ErasureRow[]

/** Those before one of them, newest first. */
export const erasuresBefore = async (
  db: Queries,
  venue: VenueId,
  before: number,
  most: number,
): Promise<ErasureRow[]> =>
  (await db.many(sql(erasureRow)`
    select ${columnsOf(erasureRow)} from erasure
     where venue_id = ${venue} and id < ${before} order by id desc limit ${most}`)) as ErasureRow[]

export const oneErasure = async (db: Queries, venue: VenueId, id: number): Promise<ErasureRow | undefined> =>
  (await db.maybe(sql(erasureRow)`
    select ${columnsOf(erasureRow)} from erasure where venue_id = ${venue} and id = ${id}`)) as
    | ErasureRow
    | undefined

/** Who confirmed some erasures, in the order in which they did. */
export const confirmationsOf = (
  db: Queries,
  venue: VenueId,
  erasures: readonly number[],
): Promise<ConfirmationRow[]> =>
  db.many(sql(confirmationRow)`
    select ${columnsOf(confirmationRow)} from erasure_confirmation
     where venue_id = ${venue} and erasure_id = any(${erasures}::bigint[]) order by at, key_id`)
