import { sql } from '../../platform/db/sql.ts'
import { wholeFloor } from '../../book/rules/floor/floor-reads.ts'
import { replaceFloor } from '../../book/rules/floor/floor-store.ts'
import { writeMode } from '../../book/tables/mode-writes.ts'
import { type Tables, inBatches } from './bulk.ts'
import type { DemoBooking } from '../guest-book.ts'
import { demoFloor, demoSeating } from '../tables.ts'

/** Writes the tables and who has them, from some weeks back on, and lets them decide. */
export const writeTables = async (
  { db, venue }: Tables,
  bookingIds: ReadonlyMap<DemoBooking, number>,
  now: Temporal.Instant,
): Promise<void> => {
  await replaceFloor(db, venue, demoFloor, now)
  const floor = await wholeFloor(db, venue)
  if (!floor) throw new Error('the demo has no tables')
  const seating = [...demoSeating([...bookingIds.keys()], floor, now.epochMilliseconds)].flatMap(
    ([booking, tables]) => tables.map((table) => ({ booking: bookingIds.get(booking) as number, table })),
  )
  await inBatches(seating, (batch) =>
    db.run(sql()`
      insert into reservation_table (venue_id, reservation_id, table_id)
      select ${venue}, reservation, dining_table
        from unnest(${batch.map(({ booking }) => booking)}::bigint[], ${batch.map(({ table }) => table)}::bigint[])
          as given (reservation, dining_table)`),
  )
  await writeMode(db, venue, 'on', undefined)
}
