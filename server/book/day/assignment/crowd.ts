import { type Board, type Guest, type Place, choicesOf, meet, stays } from './board.ts'
import type { Steps } from './chains.ts'

/*
 * Why there can be no assignment, seen at one instant: those who are there then need more tables than there are for them.
 * Nearly every refusal is of this kind, and it is found without trying a single move.
 */

/**
 * Whether a guest cannot be seated along with all who have a place, even by moving others. False says nothing: it only looks at
 * instants one by one, and lets members of different combinations stand in for each other.
 */
export const isTooCrowded = (board: Board, guest: Guest, steps: Steps): boolean => {
  const others = board.guests.filter((other) => other.place && meet(guest, other))
  const instants = new Set([
    guest.from,
    ...others.map(({ from }) => from).filter((from) => from > guest.from),
  ])
  const needs = new Map([...others, guest].map((one) => [one, fewestTables(board, one)]))
  for (const instant of instants) {
    const groups = new Set<string>()
    const there = others.filter(({ from, until, group }) => {
      if (from > instant || instant >= until || (group !== null && groups.has(group))) return false
      // Of two halves of a booking one will do.
      if (group !== null) groups.add(group)
      return true
    })
    if (!canAllSit(board, [...there, guest], needs, steps)) return true
  }
  return false
}

/** How many tables the smallest of a guest's places has: one, unless only joined tables are for so many. */
const fewestTables = (board: Board, guest: Guest): number => {
  let fewest = Infinity
  for (const { tables } of choicesOf(board, guest)) {
    if (tables.length === 1) return 1
    fewest = Math.min(fewest, tables.length)
  }
  return fewest
}

/**
 * Matches guests with tables, each with as many as the smallest of its places has. Tables of all its places will do, so
 * any guest that can be seated can be matched. Those who have a place begin with tables of it, and the last one with none.
 */
const canAllSit = (
  board: Board,
  guests: readonly Guest[],
  needs: ReadonlyMap<Guest, number>,
  steps: Steps,
): boolean => {
  const holders: (Guest | undefined)[] = board.ids.map(() => undefined)
  const seen = new Set<number>()
  for (const guest of guests) {
    const tables = guest.place?.tables ?? []
    for (const table of stays(guest) ? tables : tables.slice(0, needs.get(guest))) holders[table] = guest
  }
  const find = (guest: Guest): boolean =>
    choicesOf(board, guest).some((place) => findAt(guest, place)) ||
    (guest.place !== undefined && findAt(guest, guest.place))
  const findAt = (guest: Guest, { tables }: Place): boolean => {
    for (const table of tables) {
      if (seen.has(table) || holders[table] === guest) continue
      steps.left--
      seen.add(table)
      const holder = holders[table]
      if (holder && (stays(holder) || !find(holder))) continue
      holders[table] = guest
      return true
    }
    return false
  }
  const last = guests.at(-1) as Guest
  for (let found = 0; found < (needs.get(last) ?? 1); found++) {
    seen.clear()
    if (!find(last)) return false
  }
  return true
}
