import type { Work } from '../context.ts'
import type { Queries } from '../db/pool.ts'
import { sql } from '../db/sql.ts'
import type { VenueId } from '../venue/venue.ts'

/*
 * Which tables a booking holds. Written under the lock of the booking's day, and of a neighboring one that it reaches
 * into. Tables are private to the venue: nothing here is told, and no revision changes.
 */

/** Puts these tables in the place of all a booking held. */
export const writeTables = async (
  db: Queries,
  venue: VenueId,
  reservation: number,
  tables: readonly number[],
  pinned: boolean,
): Promise<void> => {
  await dropTables(db, venue, reservation)
  for (const table of tables) {
    await db.run(sql()`
      insert into reservation_table (venue_id, reservation_id, table_id, pinned)
      values (${venue}, ${reservation}, ${table}, ${pinned})`)
  }
}

/** From now on a booking holds no table. */
export const dropTables = (db: Queries, venue: VenueId, reservation: number): Promise<number> =>
  db.run(sql()`delete from reservation_table where venue_id = ${venue} and reservation_id = ${reservation}`)

/** Keeps a booking at its tables, or lets it move. */
export const pinTables = (
  db: Queries,
  venue: VenueId,
  reservation: number,
  pinned: boolean,
): Promise<number> =>
  db.run(sql()`
    update reservation_table set pinned = ${pinned} where venue_id = ${venue} and reservation_id = ${reservation}`)

/** Writes who else moves for a party: a machine put them where they were, and puts them elsewhere. */
export const writeMoves = async (
  { db, venue }: Pick<Work, 'db' | 'venue'>,
  moves: ReadonlyMap<number, readonly number[]>,
): Promise<void> => {
  for (const [reservation, tables] of moves) await writeTables(db, venue.id, reservation, tables, false)
}

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

/** Gives up what a party on the waitlist was paged for. Returns of how many tables. */
export const dropPaged = (db: Queries, venue: VenueId, entry: number): Promise<number> =>
  db.run(sql()`delete from table_hold where venue_id = ${venue} and waitlist_entry_id = ${entry}`)
