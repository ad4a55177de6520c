import type { Queries } from '../../platform/db/pool.ts'
import type { VenueId } from '../../core/venue/venue.ts'

/*
 * Writing thousands of rows in statements of a thousand, so that each ends soon.
 * A statement takes its rows as one array for each column.
 *
 * No outbox events: an event is about something that happens now. Deliveries of a year of history would reach
 * software that connects later as if it were new.
 */

const rowsAtOnce = 1_000

/** Runs a statement for each thousand rows. */
export const inBatches = async <Row>(
  rows: readonly Row[],
  write: (batch: readonly Row[]) => Promise<unknown>,
): Promise<void> => {
  for (const batch of batchesOf(rows)) await write(batch)
}

/** As `inBatches`, for statements that return ids: the id of each row. Ids are given in the order of the rows. */
export const idsInBatches = async <Row>(
  rows: readonly Row[],
  insert: (batch: readonly Row[]) => Promise<{ id: number }[]>,
): Promise<Map<Row, number>> => {
  const ids = new Map<Row, number>()
  for (const batch of batchesOf(rows)) {
    const made = (await insert(batch)).map(({ id }) => id).toSorted((a, b) => a - b)
    batch.forEach((row, place) => ids.set(row, made[place] as number))
  }
  return ids
}

const batchesOf = <Row>(rows: readonly Row[]): Row[][] =>
  Array.from({ length: Math.ceil(rows.length / rowsAtOnce) }, (_, batch) =>
    rows.slice(batch * rowsAtOnce, (batch + 1) * rowsAtOnce),
  )

/** A moment counted in milliseconds as the database takes it. */
export const momentText = (ms: number | null): string | null =>
  ms === null ? null : Temporal.Instant.fromEpochMilliseconds(ms).toString()

/** Where the demo's rows go. */
export type Tables = { readonly db: Queries; readonly venue: VenueId }
