import type { Work } from '../../context.ts'
import type { StaffReason } from '../reservations/staff-reasons.ts'
import { type InTheWay, arrange, movesMany } from './arrange.ts'
import { type FloorDay, type Wanted, partyWanted, seat } from '../day/day-floor.ts'
import { dropTables, writeMoves, writeTables } from './tables-of-booking-writes.ts'
import type { TableChange } from '../../core/activity/table-change.ts'
import { knownOnly, offSentence, takenSentence } from './taken-table.ts'

/*
 * Tables that staff chose for a party that is being seated or booked. A party seated there always stays; one that is
 * only expected there is given another table, or waits for one, once staff have seen who it is.
 */

export type StaffChoice =
  /** Nobody is in the way who may not be moved. */
  | { readonly kind: 'free' }
  /** Somebody sits there. */
  | { readonly kind: 'taken'; readonly sentence: string }
  /** Somebody is expected there, or it takes nobody then: staff are asked. */
  | { readonly kind: 'asked'; readonly reasons: readonly StaffReason[] }

/** What happens to a party expected at a table that staff give to somebody else; the end of that sentence. */
export const givesWay = ' They get another table, or wait for one.'

/** The reasons against a party at these tables, on its locked day; refuses tables that the venue does not have. */
export const judgeChoice = async (
  work: Pick<Work, 'db' | 'venue'>,
  day: FloorDay,
  wanted: Wanted,
  tables: readonly number[],
): Promise<StaffChoice> => {
  knownOnly(day, tables)
  const party = partyWanted(day, wanted)
  // As staff would have it once they were asked: of several in the way one may sit there, which no word of theirs changes.
  const arranged = arrange(day, [{ party, tables }], { force: true })
  if (!arranged.ok) return { kind: 'taken', sentence: await takenSentence(work, day, arranged) }
  const kept = await keptReasons(work, day, arranged.gaveWay)
  const off = offSentence(day, party, tables)
  const reasons: StaffReason[] = [
    ...(off === undefined ? [] : [{ reason: 'table-off', sentence: off, figure: null } as const]),
    ...kept,
    // At any other table the offer that was pressed said so.
    ...(isOwn(day, tables) ? manyMove(arranged.moves) : []),
  ]
  return reasons.length === 0 ? { kind: 'free' } : { kind: 'asked', reasons }
}

const isOwn = ({ own }: FloorDay, tables: readonly number[]): boolean =>
  own !== undefined && ascending(own.party.tables).join() === ascending(tables).join()

const ascending = (tables: readonly number[]): readonly number[] =>
  [...new Set(tables)].toSorted((a, b) => a - b)

/**
 * Its own tables, where the search would take a party elsewhere though no more others would have to move for its own; undefined
 * where it has none, where another is simply free, and where somebody stays who is there.
 */
export const ownRather = (day: FloorDay, wanted: Wanted): readonly number[] | undefined => {
  const own = day.own?.party.tables ?? []
  const seating = seat(day, wanted)
  if (own.length === 0 || !seating.seated || seating.moves.size === 0) return undefined
  const party = partyWanted(day, wanted)
  const kept = arrange(day, [{ party, tables: own }])
  const isFewer = kept.ok && kept.moves.size <= seating.moves.size
  return isFewer && offSentence(day, party, own) === undefined ? own : undefined
}

/** That many others would move for a party, which staff are asked about. */
export const manyMove = (moves: ReadonlyMap<number, unknown>): readonly StaffReason[] =>
  movesMany({ moves })
    ? [
        {
          reason: 'many-moves',
          sentence: 'Other parties would move to other tables for them.',
          figure: String(moves.size),
        },
      ]
    : []

/** Who is expected at these tables and would give way, if anybody. */
export const keptReasons = async (
  work: Pick<Work, 'db' | 'venue'>,
  day: FloorDay,
  gaveWay: readonly InTheWay[],
): Promise<readonly StaffReason[]> => {
  if (gaveWay.length === 0) return []
  const taken: string[] = []
  for (const one of gaveWay) taken.push(await takenSentence(work, day, one))
  // The offer of a table that is kept for parties that are late names them.
  const isSaid = gaveWay.every(({ inTheWay }) => day.late.has(inTheWay.id))
  return [{ reason: 'table-kept', sentence: `${taken.join(' ')}${givesWay}`, figure: null, isSaid }]
}

/** Writes the tables that staff chose for a booking that was judged, and what happens to those who were to have them. */
export const placeByStaff = async (
  work: Pick<Work, 'db' | 'venue' | 'now'>,
  day: FloorDay,
  booking: Wanted & { readonly id: number; readonly pinned?: boolean | undefined },
  tables: readonly number[],
): Promise<readonly TableChange[]> => {
  const arranged = arrange(day, [{ party: partyWanted(day, booking), tables }], { force: true })
  // It was judged under the same lock.
  if (!arranged.ok) throw new Error(await takenSentence(work, day, arranged))
  const changes = [...(await writeMoves(work, arranged.moves))]
  for (const id of arranged.dropped) changes.push(await dropTables(work, id))
  // Where they were to sit anyway nobody chose anything.
  if (isOwn(day, tables)) return changes
  return [...changes, await writeTables(work, booking.id, ascending(tables), booking.pinned ?? true)]
}
