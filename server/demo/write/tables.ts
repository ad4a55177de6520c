import { wholeFloor } from '../../book/rules/floor/floor-reads.ts'
import { replaceFloor } from '../../book/rules/floor/floor-store.ts'
import { writeMode } from '../../book/tables/mode-writes.ts'
import { type Tables, insertAll } from './bulk.ts'
import type { DemoBooking } from '../guest-book.ts'
import { demoFloor, demoSeating } from '../tables.ts'

/** Writes the tables and who has them, from some weeks back on, and lets them decide. */
export const writeTables = async (
  tables: Tables,
  bookingIds: ReadonlyMap<DemoBooking, number>,
  now: Temporal.Instant,
): Promise<void> => {
  const { db, venue } = tables
  await replaceFloor(db, venue, demoFloor, now)
  const floor = await wholeFloor(db, venue)
  if (!floor) throw new Error('the demo has no tables')
  const seating = [...demoSeating([...bookingIds.keys()], floor, now.epochMilliseconds)].flatMap(
    ([booking, taken]) => taken.map((table) => ({ booking: bookingIds.get(booking) as number, table })),
  )
  await insertAll(tables, 'reservation_table', seating, ({ booking, table }) => ({
    reservation_id: booking,
    table_id: table,
  }))
  await writeMode(db, venue, 'on', undefined)
}
