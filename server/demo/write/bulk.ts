import type { Queries } from '../../platform/db/pool.ts'
import { type Fragment, fragment, part, sql } from '../../platform/db/sql.ts'
import type { VenueId } from '../../core/venue/venue.ts'

/*
 * Writing thousands of rows in statements of a thousand, so that each ends soon.
 * A statement takes its rows as one JSON list of what goes into each column.
 *
 * No outbox events: an event is about something that happens now. Deliveries of a year of history would reach
 * software that connects later as if it were new.
 */

/** Where the demo's rows go. */
export type Tables = { readonly db: Queries; readonly venue: VenueId }

/** A row; each has the same columns, and moments are counted in milliseconds. */
type Columns = Readonly<Record<string, string | number | boolean | null>>

/** Inserts a row for each, in their order. */
export const insertAll = async <One>(
  { db, venue }: Tables,
  table: string,
  all: readonly One[],
  columnsOf: (one: One) => Columns,
): Promise<void> => {
  for (const batch of batchesOf(all)) await db.run(sql()`${insertion(venue, table, batch.map(columnsOf))}`)
}

/** The same; the id of each row. Ids are given in the order of the rows. */
export const insertAllWithIds = async <One>(
  { db, venue }: Tables,
  table: string,
  all: readonly One[],
  columnsOf: (one: One) => Columns,
): Promise<Map<One, number>> => {
  const ids = new Map<One, number>()
  for (const batch of batchesOf(all)) {
    const rows = await db.many(
      sql({ id: 'int8' })`${insertion(venue, table, batch.map(columnsOf))} returning id`,
    )
    const made = rows.map(({ id }) => id).toSorted((a, b) => a - b)
    batch.forEach((one, place) => ids.set(one, made[place] as number))
  }
  return ids
}

const insertion = (venue: VenueId, table: string, rows: readonly Columns[]): Fragment => {
  const name = fragment(table)
  const columns = fragment(Object.keys(rows[0] ?? {}).join(', '))
  const texts = JSON.stringify(rows, (column, value: unknown) =>
    isMoment.test(column) && typeof value === 'number' ? momentText(value) : value,
  )
  return part`
    insert into ${name} (venue_id, ${columns})
    select ${venue}, ${columns} from jsonb_populate_recordset(null::${name}, ${texts}::jsonb) with ordinality
     order by ordinality`
}

const rowsAtOnce = 1_000
const batchesOf = <Row>(rows: readonly Row[]): Row[][] =>
  Array.from({ length: Math.ceil(rows.length / rowsAtOnce) }, (_, batch) =>
    rows.slice(batch * rowsAtOnce, (batch + 1) * rowsAtOnce),
  )

const isMoment = /(?:^|_)(?:at|until)$/

/** A moment counted in milliseconds as the database takes it. */
export const momentText = (ms: number): string => Temporal.Instant.fromEpochMilliseconds(ms).toString()
