import type { Work } from '../../context.ts'
import { markPast } from '../../core/events/mark-past.ts'
import { noteVisit } from '../../core/events/note-change.ts'
import type { Queries } from '../../platform/db/pool.ts'
import { sql } from '../../platform/db/sql.ts'
import type { VenueId } from '../../core/venue/venue.ts'
import { type Held, type TableChange, holdsNone, keptWithout } from '../../core/activity/table-change.ts'

/*
 * Which tables a booking holds. Written under the lock of the booking's day, and of a neighboring one that it reaches
 * into. Tables are private to the venue: nothing here emits an event, and only the
 * visit changes, never the reservation, and the figures of its day. Each write returns what it
 * changed, for the activity entry of its cause (`recordActivity`): without it no undo could put others back.
 */

type Writing = Pick<Work, 'db' | 'venue' | 'now'>

/** Puts these tables in the place of all a booking held; that it was to be without one is over. */
export const writeTables = async (
  work: Writing,
  reservation: number,
  tables: readonly number[],
  pinned: boolean,
): Promise<TableChange> => {
  const { db, venue, now } = work
  const [found, kept] = await Promise.all([
    db.many(sql({ service_date: 'date?', table_id: 'int8?', pinned: 'bool?' })`
      with gone as (
        delete from reservation_table where venue_id = ${venue.id} and reservation_id = ${reservation}
        returning table_id, pinned)
      select r.service_date, gone.table_id, gone.pinned
        from reservation r left join gone on true
       where r.venue_id = ${venue.id} and r.id = ${reservation}`),
    db.run(sql()`
      update reservation_house set no_table = false
       where venue_id = ${venue.id} and id = ${reservation} and no_table`),
    tables.length > 0 &&
      db.run(sql()`
        insert into reservation_table (venue_id, reservation_id, table_id, pinned)
        select ${venue.id}, ${reservation}, table_id, ${pinned} from unnest(${[...tables]}::bigint[]) as table_id`),
  ])
  const rows = found.flatMap(({ table_id, pinned: was }) =>
    table_id === null ? [] : { table_id, pinned: was === true },
  )
  const before = rows.length === 0 && kept > 0 ? keptWithout : heldIn(rows)
  const after = tables.length === 0 ? holdsNone : { tables: ascending(tables), pinned }
  if (before.tables.join() !== after.tables.join()) {
    noteVisit(db, venue.id, reservation, now())
    markPast(db, venue.id, { dates: found.map(({ service_date }) => service_date), guests: [] }, now())
  }
  return { reservation, before, after }
}

/** From now on a booking holds no table, and gets one when one is free: anything staff chose about that no longer counts. */
export const dropTables = (work: Writing, reservation: number): Promise<TableChange> =>
  writeTables(work, reservation, [], false)

/** From now on a booking holds no table and is given none by machines: staff said so. */
export const keepWithoutTable = async (work: Writing, reservation: number): Promise<TableChange> => {
  const { before } = await dropTables(work, reservation)
  await work.db.run(sql()`
    insert into reservation_house (venue_id, id, no_table) values (${work.venue.id}, ${reservation}, true)
    on conflict (venue_id, id) do update set no_table = true`)
  return { reservation, before, after: keptWithout }
}

/** Has a booking hold what it held before. */
export const writeHeld = (
  work: Writing,
  reservation: number,
  { tables, pinned, noTable }: Held,
): Promise<TableChange> => {
  if (tables.length > 0) return writeTables(work, reservation, tables, pinned)
  return noTable ? keepWithoutTable(work, reservation) : dropTables(work, reservation)
}

/** Keeps a booking at its tables, or lets it move. */
export const pinTables = async (
  { db, venue }: Pick<Work, 'db' | 'venue'>,
  reservation: number,
  { tables, pinned: before }: Held,
  pinned: boolean,
): Promise<TableChange> => {
  await db.run(sql()`
    update reservation_table set pinned = ${pinned} where venue_id = ${venue.id} and reservation_id = ${reservation}`)
  return { reservation, before: { tables, pinned: before }, after: { tables, pinned } }
}

/** Writes who else moves for a party: a machine put them where they were, and puts them elsewhere. */
export const writeMoves = async (
  work: Writing,
  moves: ReadonlyMap<number, readonly number[]>,
): Promise<readonly TableChange[]> => {
  const changes: TableChange[] = []
  for (const [reservation, tables] of moves) changes.push(await writeTables(work, reservation, tables, false))
  return changes
}

const heldIn = (rows: readonly { readonly table_id: number; readonly pinned: boolean }[]): Held => ({
  tables: ascending(rows.map(({ table_id }) => table_id)),
  pinned: rows.some(({ pinned }) => pinned),
})

const ascending = (tables: readonly number[]): readonly number[] => tables.toSorted((a, b) => a - b)

/** Tables that a party at the door was paged for: from when until when it would need them, and when its offer ends. */
export type PagedTables = {
  readonly tables: readonly number[]
  readonly from: Temporal.Instant
  /** Without the gap after them. */
  readonly until: Temporal.Instant
  readonly expiresAt: Temporal.Instant
}

/** Holds tables for a party on the waitlist, under the day's lock; it holds none when this is called. */
export const holdForPaged = async (
  db: Queries,
  venue: VenueId,
  entry: number,
  { tables, from, until, expiresAt }: PagedTables,
): Promise<void> => {
  for (const table of tables) {
    await db.run(sql()`
      insert into table_hold (venue_id, waitlist_entry_id, table_id, from_moment, until_moment, expires_at)
      values (${venue}, ${entry}, ${table}, ${from}, ${until}, ${expiresAt})`)
  }
}

/** Gives up what a party on the waitlist was paged for, and returns it. */
export const dropPaged = (db: Queries, venue: VenueId, entry: number) =>
  db.many(sql({ table_id: 'int8', from_moment: 'timestamptz', until_moment: 'timestamptz' })`
    delete from table_hold where venue_id = ${venue} and waitlist_entry_id = ${entry}
    returning table_id, from_moment, until_moment`)
