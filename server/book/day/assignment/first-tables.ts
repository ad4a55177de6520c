import { boardOf } from './board.ts'
import { seatByChain } from './chains.ts'
import type { Evening, Party } from './evening.ts'
import { assignmentOf, byTurn, judgementSteps, seat } from './judge.ts'
import { whoMoves } from './who-moves.ts'

/**
 * Tables for booked parties that hold none, along with everybody else of the evening: the tables of each that got some, and of whom
 * it takes to move for them. Parties that hold a table still have one afterwards. The parties are looked after in the order of
 * their turns, each at a free place if there is one; the steps for moving others are shared out, so that one that cannot be
 * seated leaves some to the next.
 */
export const firstTables = (
  evening: Evening,
  parties: readonly Party[],
  bound = judgementSteps,
): ReadonlyMap<string, readonly number[]> => {
  const board = boardOf({ ...evening, parties: [...evening.parties, ...parties] })
  const asked = new Set(parties.map(({ id }) => id))
  const waiting = board.guests.filter(({ stored }) => !stored).toSorted(byTurn)
  const forPlaces = { left: Math.floor(bound / 2) }
  // A place that is held has been promised.
  for (const guest of waiting) if (!asked.has(guest.id)) seat(board, guest, forPlaces)
  let left = bound - Math.floor(bound / 2)
  const guests = waiting.filter(({ id }) => asked.has(id))
  for (const [n, guest] of guests.entries()) {
    // Not of the shared steps: these are bounded by the places there are.
    if (seatByChain(board, guest, { left: board.places.length * 2 }, { least: 0, most: 0 }).seated) continue
    const share = Math.floor(left / (guests.length - n))
    const steps = { left: share }
    seat(board, guest, steps)
    left -= share - Math.max(steps.left, 0)
  }
  const { given } = assignmentOf(board, board.guests)
  const placed = parties.flatMap((party) => {
    const tables = given.get(party.id)
    return tables ? [{ party, tables }] : []
  })
  const first = placed.map(({ party, tables }): [string, readonly number[]] => [party.id, tables])
  return new Map([...first, ...whoMoves(placed, evening.parties, given)])
}
