import type { Queries } from '../../../platform/db/pool.ts'
import { type Moving, movesMany } from '../../../book/tables/arrange.ts'
import type { Late } from '../../../book/tables/offered/late-tables.ts'
import type { Needing } from '../../../book/tables/offered/open-tables.ts'
import { bookingsSeen } from '../../../book/tables/reads.ts'
import { joinedLabels } from '../../../book/rules/floor/written-floor.ts'
import type { Venue } from '../../../core/venue/venue.ts'

/*
 * An open table that the search for tables would give to somebody who has none yet: it says next to it for whom, and staff
 * decide.
 */

export type Named = ReadonlyMap<number, string>

/** What a party is called where there is little room; undefined: it has no name. */
export const surnameOf = (name: string | null | undefined): string | undefined => name?.split(' ').at(-1)

/** The names of bookings by their ids. */
export const namesOf = async (
  { db, venue }: { readonly db: Queries; readonly venue: Pick<Venue, 'id'> },
  reservations: readonly (number | undefined)[],
): Promise<Named> => {
  const ids = [...new Set(reservations.filter((id) => id !== undefined))]
  const rows = ids.length === 0 ? [] : await bookingsSeen(db, venue.id, ids)
  return new Map(rows.map(({ id, guest_name }) => [id, guest_name ?? 'No name']))
}

/**
 * "Zhao, 2, has no table yet and could sit here"; of who is known to be late: "Zhao, 2, who is late, has no …"; of several: "…, and
 * so could 1 more".
 */
export const neededWords = (
  { reservation, size, isBooked, isThere, more }: Needing,
  names: Named,
  isLate = false,
): string => {
  const could = `${isThere ? 'could sit here' : 'could be seated if another party moved here'}${more > 0 ? `, and so could ${more} more` : ''}`
  if (reservation === undefined) return `A party of ${size} is booking online and ${could}`
  const name = names.get(reservation) ?? 'No name'
  return `${name}, ${size}, ${isLate ? 'who is late, ' : ''}${isBooked ? 'has no table yet' : 'is waiting for your answer'} and ${could}`
}

/** A party whose turn it is at a table: booked and here, or of the line. */
type InTurn = { readonly name: string; readonly size: number; readonly booking?: number }

/** Those whose turn it is, without who is named already as having no table yet. */
export const turnsLeft = <Turn extends InTurn>(
  turns: readonly Turn[],
  neededBy: Needing | undefined,
): readonly Turn[] =>
  turns.filter(({ booking }) => booking === undefined || booking !== neededBy?.reservation)

/**
 * Who else could have a table: whose it is, late as they are; then, as they come, who is here, who has no table yet, and who waits
 * in line. Undefined: nobody.
 */
export const whoElseWords = (
  { neededBy, late }: { readonly neededBy?: Needing | undefined; readonly late?: readonly Late[] },
  turns: readonly InTurn[],
  names: Named,
): string | undefined => {
  const left = turnsLeft(turns, neededBy)
  const words = [
    ...(late ? [lateWords(late, names)] : []),
    ...left.filter(({ booking }) => booking !== undefined).map(turnWords),
    ...(neededBy ? [neededWords(neededBy, names)] : []),
    ...left.filter(({ booking }) => booking === undefined).map(turnWords),
  ]
  return words.length === 0 ? undefined : words.join('; ')
}

/** "Haddad, 4, waits in line and could sit here". */
const turnWords = ({ name, size, booking }: InTurn): string =>
  `${name}, ${size}, ${booking === undefined ? 'waits in line' : 'is here'} and could sit here`

/**
 * "Palumbo, 2, has it and is 46 min late": of a table kept for a party that may not come any more; of joined tables each party
 * that has one of them.
 */
export const lateWords = (late: readonly Late[], names: Named): string =>
  late
    .map(
      ({ reservation, size, minutes }) =>
        `${names.get(reservation) ?? 'No name'}, ${size}, has ${late.length === 1 ? 'it' : 'one'} and is ${minutes} min late`,
    )
    .join('; ')

/** "if Palumbo, 46 min late, doesn’t come", "if Wilson and Gray don’t come". */
export const ifLateWords = (
  late: readonly Late[],
  names: Named,
  /** How their minutes are said; absent: they are not. */
  unit?: 'late' | 'min late',
): string => {
  const who = late.map(({ reservation }) => names.get(reservation) ?? 'a party').join(' and ')
  const minutes = late.map((one) => one.minutes).join(' and ')
  return `if ${who}${unit ? `, ${minutes} ${unit},` : ''} ${late.length === 1 ? 'doesn’t' : 'don’t'} come`
}

/** "when 13 others move": names of so many would not be read. */
export const manyWords = ({ size }: Moving['moves']): string => `when ${size} others move`

/**
 * "when Haddad moves to 15", "when Haddad moves to 15 and Le to 16", "when 13 others move": what a press at such tables does to others. Who comes to one
 * of these tables does so at another hour, and is said last.
 */
export const movingWords = ({ tables: offered, moves }: Moving, names: Named): string => {
  if (movesMany({ moves })) return manyWords(moves)
  const moved = [...moves].map(([id, tables]) => ({
    who: surnameOf(names.get(id)) ?? 'a party',
    tables,
    comesHere: tables.some((table) => offered.some(({ id: one }) => one === table.id)),
  }))
  const inOrder = moved.toSorted((a, b) => Number(a.comesHere) - Number(b.comesHere))
  const each = inOrder.map(({ who, tables, comesHere }, n) => {
    const to = joinedLabels(tables.map(({ label }) => label))
    return `${who} ${n === 0 ? 'moves ' : ''}to ${to}${comesHere ? ' at another hour' : ''}`
  })
  const last = each.pop()
  return each.length === 0 ? `when ${last}` : `when ${each.join(', ')} and ${last}`
}
