import { timeInWords, timeOf } from '../../../platform/kernel/time/in-words.ts'
import type { ClockTime } from '../../../platform/kernel/time/written-time.ts'
import { type Guest, meet } from '../../day/assignment/board.ts'
import type { Party } from '../../day/assignment/evening.ts'
import { type Laid, layOut } from '../../day/assignment/judge.ts'
import { freeFor } from '../../day/assignment/walk-in.ts'
import { type FloorDay, type Load, type Wanted, beside, loadOf, partyWanted } from '../../day/day-floor.ts'
import { type ShortStay, shortStays } from '../../day/short-stays.ts'
import type { DiningTable } from '../../rules/floor/floor.ts'
import { byLabel, joinedLabels } from '../../rules/floor/written-floor.ts'

/*
 * The tables that are open for a party: nobody holds them while it stays, and they are in use. Everything staff read about open
 * tables comes from here, so no page says that no table is open when one is. The search for tables may need one of them
 * for a party that has none yet. That is no reason to hide it: the page says so next to it, and people decide.
 */

/** A table that is open, or tables that may be joined. */
export type OpenTable = {
  readonly tables: readonly DiningTable[]
  /** When its next party comes, or it goes out of use; null if nobody follows. */
  readonly until: Temporal.Instant | null
  /** Who has no table yet and would get this one; undefined: nobody. */
  readonly neededBy: Needing | undefined
}

/** The same for a while only. */
export type ForAWhile = ShortStay & Pick<OpenTable, 'neededBy'>

/** A party without a table for which the search would use a table. */
export type Needing = {
  /** The booking; undefined for a guest who is booking online now. */
  readonly reservation: number | undefined
  readonly size: number
  /** It is in the book as confirmed; otherwise it waits for an answer, or is only about to be booked. */
  readonly isBooked: boolean
  /** It would sit there itself; otherwise somebody else would move there to make room for it. */
  readonly isThere: boolean
  /** How many others there are. */
  readonly more: number
  /** All of them are late, and none is here. */
  readonly isLate: boolean
}

/**
 * The open tables for a party's whole stay, best first: those that nobody needs before those that somebody could sit at.
 * `load`: the parties it is judged with; absent: as it is.
 */
export const openTables = (
  day: FloorDay,
  wanted: Wanted,
  load: Load = loadOf(day, partyWanted(day, wanted)),
): readonly OpenTable[] => {
  const party = partyWanted(day, wanted)
  const { floor } = day
  const all = floor.tables.length + floor.combinations.length
  return freeFor(laidAtTables(day), party, all, floor.turnoverMinutes * 60_000)
    .map(({ tables, until }) => ({
      tables: floor.tables.filter(({ id }) => tables.includes(id)),
      until: until === null ? null : Temporal.Instant.fromEpochMilliseconds(until),
      neededBy: neededBy(day, party, tables, load),
    }))
    .toSorted(neededLast)
}

/** The evening with those alone who have tables, where they have them. */
export const laidAtTables = ({ evening }: FloorDay): Laid =>
  layOut({ ...evening, parties: evening.parties.filter(({ tables }) => tables.length > 0) })

/**
 * The tables that are open for a while only: those that nobody needs before those that somebody without a table could sit
 * at. A party that is late makes one of them of a table that was open for a whole stay.
 */
export const openForAWhile = (day: FloorDay, wanted: Wanted): readonly ForAWhile[] => {
  const party = partyWanted(day, wanted)
  const free = shortStays(day, wanted)
  const needed = notAmong(free, shortStays(day, wanted, laidAtTables(day)))
    .map((one) => ({
      ...one,
      neededBy: neededBy(
        day,
        { ...party, until: one.until.epochMilliseconds },
        one.tables.map(({ id }) => id),
      ),
    }))
    .filter((one) => one.neededBy?.reservation !== undefined)
  return [...free.map((one) => ({ ...one, neededBy: undefined })), ...needed]
}

type Place = { readonly tables: readonly DiningTable[] }

/** Those of some places that are at other tables than the ones known. */
export const notAmong = <Found extends Place>(known: readonly Place[], found: readonly Found[]): Found[] => {
  const keys = new Set(known.map(keyOf))
  return found.filter((one) => !keys.has(keyOf(one)))
}

/** The tables of a place, which the floor has in one order. */
const keyOf = ({ tables }: Place): string => tables.map(({ id }) => id).join()

/** Whether nobody else needs a table; for who is here, nobody but parties that are late. */
export const isFreeFor = ({ neededBy }: Pick<OpenTable, 'neededBy'>, isHere: boolean): boolean =>
  !neededBy || (isHere && neededBy.isLate)

/** Those that nobody needs before those that somebody could sit at. */
export const neededLast = (a: Pick<OpenTable, 'neededBy'>, b: Pick<OpenTable, 'neededBy'>): number =>
  Number(a.neededBy !== undefined) - Number(b.neededBy !== undefined)

/** Who would get these tables for some of a party's time, of those who have none yet. */
export const neededBy = (
  day: FloorDay,
  party: Party,
  tables: readonly number[],
  load: Load = loadOf(day, party),
): Needing | undefined => {
  const counts = new Set([...beside(day.evening, load).parties, ...day.waiting].map(({ id }) => id))
  const laid = day.laid('new')
  const found = guestsAt(laid, party, tables).flatMap((guest) => {
    const needs = beneficiary(laid, guest)
    return needs && counts.has(needs.id) ? [{ needs, isThere: guest.stored === undefined }] : []
  })
  // Who goes first is named: who is here before who is late, and then who is booked.
  const [first] = found.toSorted((a, b) => turnOf(a.needs) - turnOf(b.needs))
  if (!first) return undefined
  const { group, size, turn } = first.needs
  return {
    reservation: group === null ? undefined : Number(group),
    size,
    isBooked: turn !== undefined,
    isThere: first.isThere,
    more: new Set(found.map(({ needs }) => needs.id)).size - 1,
    isLate: found.every(({ needs }) => day.lateWithout.has(needs.id)),
  }
}

const turnOf = ({ turn = Number.MAX_SAFE_INTEGER }: Pick<Guest, 'turn'>): number => turn

/** Who would be at these tables while a party stays, once everybody without a table has one. */
const guestsAt = ({ board }: Laid, party: Party, tables: readonly number[]): readonly Guest[] =>
  tables.flatMap((id) => board.held[board.ids.indexOf(id)] ?? []).filter((guest) => meet(guest, party))

/** For whom somebody moves, in the end: who has no table, and not who makes room for them. */
const beneficiary = (laid: Laid, guest: Guest, seen: ReadonlySet<Guest> = new Set()): Guest | undefined => {
  if (guest.stored === undefined) return guest
  const left = guest.stored.tables.map((position) => laid.board.ids[position] as number)
  const known = new Set([...seen, guest])
  for (const other of guestsAt(laid, guest, left)) {
    const found = known.has(other) ? undefined : beneficiary(laid, other, known)
    if (found) return found
  }
  return undefined
}

/** Open tables named in a sentence; the rest is counted. */
const mostNamed = 3

/** Why a party gets no table at a time, for staff: none is open, or others need the ones that are. */
export const noTableSentence = (
  day: FloorDay | undefined,
  wanted: Wanted & { readonly time: ClockTime },
): string => {
  const [time, size] = [timeInWords(wanted.time), wanted.partySize]
  const open = day ? openTables(day, wanted) : []
  const [first] = open
  if (!first) {
    const [short] = day ? shortStays(day, wanted) : []
    if (!day || !short) return `There is no table for ${size} at ${time}.`
    const until = timeOf(short.until, day.rules.timezone)
    return `No table for ${size} is open for the whole stay at ${time}; ${joinedLabels(short.tables.map(({ label }) => label))} is open until ${until}.`
  }
  const labels = open.map(({ tables }) => joinedLabels(tables.map(({ label }) => label))).toSorted(byLabel)
  if (labels.length > 1) {
    const more = labels.length > mostNamed ? ` and ${labels.length - mostNamed} more` : ''
    return `Tables ${labels.slice(0, mostNamed).join(', ')}${more} are open at ${time}, but parties without a table need them.`
  }
  const who = first.neededBy ? `a party of ${first.neededBy.size}` : 'a party'
  return `Table ${labels[0]} is open at ${time}, but ${who} without a table needs it.`
}
