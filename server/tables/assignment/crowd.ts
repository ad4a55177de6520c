import { type Board, type Guest, choicesOf, meet, stays } from './board.ts'
import type { Steps } from './chains.ts'

/*
 * Why there can be no assignment, seen at one instant: those who are there then need more tables than there are for them.
 * Nearly every refusal is of this kind, and it is found without trying a single move.
 */

/**
 * Whether a guest cannot be seated beside all who have a place, whatever is moved. False says nothing: it only looks at
 * instants one by one, and lets members of different combinations stand in for each other.
 */
export const isTooCrowded = (board: Board, guest: Guest, steps: Steps): boolean => {
  const others = board.guests.filter((other) => other.place && meet(guest, other))
  const instants = new Set([
    guest.from,
    ...others.map(({ from }) => from).filter((from) => from > guest.from),
  ])
  for (const instant of instants) {
    const groups = new Set<string>()
    const there = others.filter(({ from, until, group }) => {
      if (from > instant || instant >= until || (group !== null && groups.has(group))) return false
      // Of two halves of a booking one will do.
      if (group !== null) groups.add(group)
      return true
    })
    if (!canAllSit(board, [...there, guest], steps)) return true
  }
  return false
}

/**
 * Matches guests with tables, each with as many as the smallest of its places has. Tables of all its places will do, so
 * whoever can be seated can be matched. Those who have a place begin with tables of it, and the last one with none.
 */
const canAllSit = (board: Board, guests: readonly Guest[], steps: Steps): boolean => {
  const holders: (Guest | undefined)[] = board.ids.map(() => undefined)
  const seen = new Set<number>()
  const needs = (guest: Guest): number =>
    choicesOf(board, guest).reduce((least, { tables }) => Math.min(least, tables.length), Infinity)
  for (const guest of guests) {
    const tables = guest.place?.tables ?? []
    for (const table of stays(guest) ? tables : tables.slice(0, needs(guest))) holders[table] = guest
  }
  const find = (guest: Guest): boolean => {
    const own = guest.place ? [guest.place] : []
    for (const { tables } of [...choicesOf(board, guest), ...own]) {
      for (const table of tables) {
        if (seen.has(table) || holders[table] === guest) continue
        steps.left--
        seen.add(table)
        const holder = holders[table]
        if (holder && (stays(holder) || !find(holder))) continue
        holders[table] = guest
        return true
      }
    }
    return false
  }
  const last = guests.at(-1) as Guest
  for (let found = 0; found < needs(last); found++) {
    seen.clear()
    if (!find(last)) return false
  }
  return true
}
