import { type Board, type Guest, boardOf } from './board.ts'
import { type Steps, seatByChain } from './chains.ts'
import type { Evening, Party } from './evening.ts'
import { assignmentOf, byTurn, judgementSteps, seat } from './judge.ts'
import { whoMoves } from './who-moves.ts'

/** What the one party may use of the steps for moving others: about as much as a picker's judgement takes. */
const shareOfNext = 7 / 8

/** Who is here, as staff may seat them. `whole`: the id of the whole stay in place of which this is a short one. */
export type HeldUp = Party & { readonly whole?: string }

/**
 * Tables for booked parties that hold none, along with everybody else of the evening: the tables of each that got some, and of whom
 * it takes to move for them. Parties that hold a table still have one afterwards. The parties are looked after in the order of
 * their turns, each at a free place if there is one. Of the steps for moving others nearly all go to one of those who found
 * none, to another in each `round`, which is a minute: shared out among many they are too few for anybody, at every look. The
 * others share the rest, so that one that cannot be seated leaves some to the next. `heldUp`: who is here and could sit down at a
 * free place, which is left to them in their turn, for a short stay where there is no place for the whole one; nobody moves for
 * them, as staff decide where they sit.
 */
export const firstTables = (
  evening: Evening,
  parties: readonly Party[],
  {
    round = 0,
    bound = judgementSteps,
    heldUp = [],
  }: { readonly round?: number; readonly bound?: number; readonly heldUp?: readonly HeldUp[] } = {},
): ReadonlyMap<string, readonly number[]> => {
  const board = boardOf({ ...evening, parties: [...evening.parties, ...parties, ...heldUp] })
  const asked = new Set(parties.map(({ id }) => id))
  const left = new Map(heldUp.map(({ id, whole }) => [id, whole]))
  const waiting = board.guests.filter(({ stored }) => !stored).toSorted(byTurn)
  const forPlaces = { left: Math.floor(bound / 2) }
  // A place that is held has been promised.
  for (const guest of waiting) if (!asked.has(guest.id) && !left.has(guest.id)) seat(board, guest, forPlaces)
  // Not of these steps: a free place is found in as many as there are places.
  const forMoves = { left: bound - Math.floor(bound / 2) + Math.max(forPlaces.left, 0) }
  const found = new Set<string>()
  const guests = waiting
    .filter(({ id }) => asked.has(id) || left.has(id))
    .filter((guest) => {
      if (found.has(left.get(guest.id) ?? '')) return false
      const { seated } = seatByChain(board, guest, { left: board.places.length * 2 }, { least: 0, most: 0 })
      if (seated) found.add(guest.id)
      return !seated
    })
    .filter(({ id }) => asked.has(id))
  const [next] = guests.splice(round % guests.length, 1)
  if (next) seatWithin(board, next, forMoves, guests.length > 0 ? shareOfNext : 1)
  for (const [n, guest] of guests.entries()) seatWithin(board, guest, forMoves, 1 / (guests.length - n))
  const { given } = assignmentOf(board, board.guests)
  const placed = parties.flatMap((party) => {
    const tables = given.get(party.id)
    return tables ? [{ party, tables }] : []
  })
  const first = placed.map(({ party, tables }): [string, readonly number[]] => [party.id, tables])
  return new Map([...first, ...whoMoves(placed, evening.parties, given)])
}

/** Seats a guest, if a share of what is left of the steps is enough for it. */
const seatWithin = (board: Board, guest: Guest, all: Steps, share: number): void => {
  const most = Math.floor(all.left * share)
  const steps = { left: most }
  seat(board, guest, steps)
  all.left -= most - Math.max(steps.left, 0)
}
