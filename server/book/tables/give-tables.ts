import type { Work } from '../../context.ts'
import { type FloorDay, type Wanted, seat } from '../day/day-floor.ts'
import { dropTables, keepWithoutTable, writeMoves, writeTables } from './tables-of-booking-writes.ts'
import { openTables } from './offered/open-tables.ts'
import { placeByStaff } from './staff-choice.ts'
import type { TableChange } from '../../core/activity/table-change.ts'

/**
 * Writes the tables of a booking that was just confirmed, seated, moved or restored, and of those that move for it. The
 * day is locked and was judged with `day`. If no table is left, staff were asked and said so: it is "without a table", and
 * a pin that does not fit is dropped. A request holds none. Returns what changed, for the activity entry of its cause.
 */
export const giveTables = async (
  work: Pick<Work, 'db' | 'venue' | 'now'>,
  day: FloorDay | undefined,
  booking: Wanted & {
    readonly id: number
    readonly status: string
    /** Those that staff chose, as they were judged (`judgeChoice`). */
    readonly tables?: readonly number[] | undefined
    /** Whether machines leave it there; absent: yes. */
    readonly pinned?: boolean | undefined
    /** It comes at another time: what staff said of being without a table was said of the one before. */
    readonly hasMoved?: boolean
  },
): Promise<readonly TableChange[]> => {
  if (!day || !holding.has(booking.status)) return []
  if (booking.tables && booking.tables.length > 0) {
    return placeByStaff(work, day, booking, booking.tables)
  }
  if (booking.tables) {
    const leave = booking.status === 'Seated' ? dropTables : keepWithoutTable
    return [await leave(work, booking.id)]
  }
  if (day.own?.row.no_table && !booking.hasMoved && booking.status === 'Confirmed') return []
  const seating = seat(day, booking)
  if (!seating.seated) {
    // Who sits down is put at a table that is open: that others need it staff were told, with its label, and said so.
    const [open] = booking.status === 'Seated' ? openTables(day, booking) : []
    if (open) {
      return placeByStaff(
        work,
        day,
        booking,
        open.tables.map(({ id }) => id),
      )
    }
    const { own } = day
    const isNew = own !== undefined && (own.party.tables.length > 0 || own.row.no_table)
    return isNew ? [await dropTables(work, booking.id)] : []
  }
  const moved = await writeMoves(work, seating.moves)
  if (seating.keeps) return moved
  return [...moved, await writeTables(work, booking.id, seating.tables, false)]
}

const holding: ReadonlySet<string> = new Set(['Confirmed', 'Seated'])
