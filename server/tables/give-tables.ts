import type { Work } from '../context.ts'
import { refuse } from '../kernel/refusal.ts'
import { arrange } from './arrange.ts'
import type { Party } from './assignment/evening.ts'
import { type FloorDay, type Wanted, partyWanted, seat } from './day-floor.ts'
import { dropTables, writeMoves, writeTables } from './holding-writes.ts'
import { knownOnly, takenSentence } from './taken-table.ts'

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
    /** Those that staff chose. */
    readonly tables?: readonly number[] | undefined
  },
): Promise<void> => {
  if (!day || !holding.has(booking.status)) return
  if (booking.tables && booking.tables.length > 0) {
    return placeChosen(work, day, { ...partyWanted(day, booking), id: String(booking.id) }, booking.tables)
  }
  const { db, venue } = work
  const seating = seat(day, booking)
  if (!seating.seated) {
    if (day.own && day.own.party.tables.length > 0) await dropTables(db, venue.id, booking.id)
    return
  }
  await writeMoves(work, seating.moves)
  if (!seating.keeps) await writeTables(db, venue.id, booking.id, seating.tables, false)
}

/**
 * Writes the tables of a booking from another system, by their labels. It was promised them elsewhere, so nobody judges
 * whether they fit, and no machine moves it. A label that the venue does not have is left out: the booking is "without a
 * table" where it has no other.
 */
export const giveImportedTables = async (
  { db, venue }: Pick<Work, 'db' | 'venue'>,
  reservation: number,
  labels: readonly string[],
  known: ReadonlyMap<string, number>,
): Promise<void> => {
  const tables = new Set(labels.flatMap((label) => known.get(label.toLowerCase()) ?? []))
  if (tables.size > 0) await writeTables(db, venue.id, reservation, [...tables], true)
}

const placeChosen = async (
  work: Pick<Work, 'db' | 'venue'>,
  day: FloorDay,
  party: Party,
  tables: readonly number[],
): Promise<void> => {
  knownOnly(day, tables)
  const arranged = arrange(day, [{ party, tables }])
  if (!arranged.ok) throw refuse('not-in-state', await takenSentence(work, day, arranged))
  await writeMoves(work, arranged.moves)
  await writeTables(work.db, work.venue.id, Number(party.id), [...tables], true)
}

const holding: ReadonlySet<string> = new Set(['Confirmed', 'Seated'])
