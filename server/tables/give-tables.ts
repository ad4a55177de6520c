import type { Work } from '../context.ts'
import { type FloorDay, type Wanted, seat } from './day-floor.ts'
import { dropTables, writeMoves, writeTables } from './holding-writes.ts'
import { placeByStaff } from './staff-choice.ts'

/**
 * Writes the tables of a booking that was just confirmed, seated, moved or restored, and of those that move for it. The
 * day is locked and was judged with `day`. Where there is none, staff were asked and said so: it is "without a table", and
 * a pin that does not fit is dropped. A request holds none.
 */
export const giveTables = async (
  work: Pick<Work, 'db' | 'venue'>,
  day: FloorDay | undefined,
  booking: Wanted & {
    readonly id: number
    readonly status: string
    /** Those that staff chose, as they were judged (`judgeChoice`). */
    readonly tables?: readonly number[] | undefined
    /** Whether machines leave it there; absent: yes. */
    readonly pinned?: boolean | undefined
  },
): Promise<void> => {
  if (!day || !holding.has(booking.status)) return
  if (booking.tables && booking.tables.length > 0) {
    return placeByStaff(work, day, booking, booking.tables)
  }
  const { db, venue } = work
  // None of them: it is to be without a table.
  if (booking.tables) return void (await dropTables(db, venue.id, booking.id))
  const seating = seat(day, booking)
  if (!seating.seated) {
    if (day.own && day.own.party.tables.length > 0) await dropTables(db, venue.id, booking.id)
    return
  }
  await writeMoves(work, seating.moves)
  if (!seating.keeps) await writeTables(db, venue.id, booking.id, seating.tables, false)
}

const holding: ReadonlySet<string> = new Set(['Confirmed', 'Seated'])
