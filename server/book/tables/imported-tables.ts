import type { Work } from '../../context.ts'
import type { LocalDate } from '../../platform/kernel/time/written-time.ts'
import type { BookingRules } from '../rules/booking-rules.ts'
import type { Span } from '../day/assignment/evening.ts'
import { boundsOfDay, meet, spanOf, spanWanted } from '../day/day-floor.ts'
import type { DiningTable } from '../rules/floor/floor.ts'
import { tablesByLabel, wholeFloor } from '../rules/floor/floor-reads.ts'
import { joinedLabels } from '../rules/floor/written-floor.ts'
import { writeTables } from './tables-of-booking-writes.ts'
import { partiesBetween } from '../day/party-reads.ts'

/*
 * The tables of bookings from another system, by their labels. They were promised there, so nobody judges whether they
 * fit; but no table goes to two parties at one time, and a label may be none of the venue's. The preview and the import
 * ask the same judge, so they cannot differ.
 */

/** A booking of a file, as its tables are found. */
export type TablesNamed = {
  readonly labels: readonly string[]
  readonly serviceDate: LocalDate
  readonly startsAt: Temporal.Instant
  readonly partySize: number
  /** Absent or null: the turn time. */
  readonly durationMinutes: number | null
  /** Whether it will hold its tables: confirmed, and still to come. All others have theirs as history, or as a wish. */
  readonly holds: boolean
}

export type TablesFound = {
  /** Ids; none: it is "without a table". */
  readonly tables: readonly number[]
  /** What staff should know of it: a sentence without anything of the row. */
  readonly remark: string | undefined
}

type Held = Span & { readonly tables: readonly number[] }

/** A judge of one file, or of a part of it: it remembers whom it gave which tables. The days are locked where it writes. */
export const importedTables = async ({ db, venue, now }: Pick<Work, 'db' | 'venue' | 'now'>) => {
  const [floor, known] = await Promise.all([wholeFloor(db, venue.id), tablesByLabel(db, venue.id)])
  const labelOf = new Map(floor?.tables.map(({ id, label }) => [id, label]))
  const given: Held[] = []
  const heldOn = new Map<LocalDate, readonly Held[]>()

  const heldBy = async (rules: BookingRules, date: LocalDate): Promise<readonly Held[]> => {
    const before = heldOn.get(date)
    if (before || !floor) return before ?? []
    const at = now()
    const bounds = boundsOfDay(rules, floor, date)
    const rows = await partiesBetween(db, venue.id, { from: date, to: date, ...bounds, now: at })
    const held = rows
      // A request holds no table, even if one is still stored for it.
      .filter(({ status }) => status !== 'Requested')
      .map((row) => ({ ...spanOf(rules, floor, row, at), tables: (row.tables ?? []).map(Number) }))
    heldOn.set(date, held)
    return held
  }

  return async (rules: BookingRules, one: TablesNamed): Promise<TablesFound> => {
    const tables = [...new Set(one.labels.flatMap((label) => known.get(label.toLowerCase()) ?? []))]
    if (!one.holds || one.labels.length === 0) return { tables, remark: undefined }
    if (!floor || tables.length === 0)
      return { tables: [], remark: `Its table is not one of yours: ${without}` }
    const span = spanWanted(rules, floor, one)
    const others = [...(await heldBy(rules, one.serviceDate)), ...given].filter((other) => meet(other, span))
    const taken = tables.find((table) => others.some((other) => other.tables.includes(table)))
    if (taken !== undefined)
      return { tables: [], remark: `Table ${labelOf.get(taken)} is taken at that time: ${without}` }
    given.push({ ...span, tables })
    const isShort = one.labels.some((label) => !known.has(label.toLowerCase()))
    return {
      tables,
      remark: isShort
        ? 'One of its tables is not one of yours: it has only the others.'
        : tooSmall(
            floor.tables.filter(({ id }) => tables.includes(id)),
            one.partySize,
          ),
    }
  }
}

/** Puts a booking of a file at the tables found for it. Pinned: it was promised them, so no machine moves it. */
export const giveImportedTables = async (
  work: Pick<Work, 'db' | 'venue' | 'now'>,
  reservation: number,
  { tables }: TablesFound,
): Promise<void> => {
  if (tables.length > 0) await writeTables(work, reservation, tables, true)
}

/** Another system may call another table so. */
const tooSmall = (tables: readonly DiningTable[], partySize: number): string | undefined => {
  const seats = tables.reduce((sum, { most }) => sum + most, 0)
  if (seats >= partySize) return undefined
  const labels = joinedLabels(tables.map(({ label }) => label))
  return `Table ${labels} seats ${seats} at most, and the party is larger: it is imported at that table.`
}

const without = 'the booking is imported without a table.'
