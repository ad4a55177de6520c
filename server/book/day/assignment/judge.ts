import {
  type Board,
  type Guest,
  type Place,
  boardOf,
  byId,
  choicesOf,
  guestOf,
  meet,
  put,
  takeBack,
} from './board.ts'
import { type Steps, seatByChain } from './chains.ts'
import { isTooCrowded } from './crowd.ts'
import type { Assignment, Evening, Judgement, Party } from './evening.ts'
import { seatByEjection } from './eject.ts'

/*
 * Finds tables for those who have none, along with all who have one: a free place if there is one, otherwise by moving others,
 * as few as possible. Bounds are counted in steps and never in time, so that the same evening gets the same answer on
 * every machine: what a picker shows is what the booking then meets.
 */

/** The most looks at a place that one judgement takes. */
export const judgementSteps = 5_000

/** What chains may use of that before others are put out. */
const shareOfChains = 0.2

/** An evening that parties can be judged against, one after another; each judgement leaves it as it was. */
export type Laid = { readonly board: Board; readonly base: Assignment }

/**
 * Prepares an evening. Parties that hold no table get theirs first, by their turns: a request counts for the next one. Those that find none are in `base.unseated`, and nobody is refused because of them.
 */
export const layOut = (evening: Evening, bound = judgementSteps): Laid => {
  const board = boardOf(evening)
  const steps = { left: bound }
  for (const guest of board.guests.filter(({ stored }) => !stored).toSorted(byTurn)) {
    seat(board, guest, steps)
  }
  return { board, base: { ...assignmentOf(board, board.guests), ...spent(board, bound, steps) } }
}

/**
 * Whether a party that is not part of the evening can be seated along with all of it, and with which assignment. The stored
 * assignment is kept where it has a place that is free.
 */
export const judge = ({ board, base }: Laid, party: Party, bound = judgementSteps): Judgement => {
  const guest = guestOf(party)
  const steps = { left: bound }
  const mark = board.trail.length
  const { seated, ended } = seatWhereNobodyMoves({ board, base }, guest, steps) ?? seat(board, guest, steps)
  const found = assignmentOf(board, [...board.guests, guest])
  takeBack(board, mark)
  return { seated, ...found, steps: bound - Math.max(steps.left, 0), ended: ended && base.ended }
}

/**
 * Where the evening as it is laid out moves somebody for a party that gets nothing yet, a place can be free on the board and
 * taken in the book: who has it would move after all. So the places that are free in both come first. Undefined where there
 * are none, or no difference.
 */
const seatWhereNobodyMoves = (
  { board, base }: Laid,
  guest: Guest,
  steps: Steps,
): { readonly seated: boolean; readonly ended: boolean } | undefined => {
  const moved = base.moved.length === 0 ? [] : board.guests.filter((one) => isMoved(one) && meet(one, guest))
  if (moved.length === 0) return undefined
  const all = choicesOf(board, guest)
  guest.choices = all.filter(({ tables }) =>
    moved.every(({ stored }) => !stored?.tables.some((table) => tables.includes(table))),
  )
  const found = seatByChain(board, guest, steps, { least: 0, most: 0 })
  guest.choices = all
  return found.seated ? found : undefined
}

const isMoved = ({ stored, place }: Guest): boolean => stored !== undefined && place !== stored

export const seat = (
  board: Board,
  guest: Guest,
  steps: Steps,
): { readonly seated: boolean; readonly ended: boolean } => {
  const atOnce = seatByChain(board, guest, steps, { least: 0, most: 0 })
  if (atOnce.ended) return atOnce
  if (isTooCrowded(board, guest, steps)) return { seated: false, ended: true }
  const forChains = { left: Math.floor(steps.left * shareOfChains) }
  steps.left -= forChains.left
  const byMoves = seatByChain(board, guest, forChains, { least: 1, most: 3 })
  steps.left += Math.max(forChains.left, 0)
  if (byMoves.ended) return byMoves
  const mark = board.trail.length
  const seated = seatByEjection(board, guest, steps)
  if (seated) sendHome(board, mark, guest)
  return { seated, ended: seated }
}

/**
 * Takes back what a search moved for no reason. A guest had to move only where somebody who had to move is now in its
 * place, beginning with the one the search was for; all others find theirs as they left it.
 */
const sendHome = (board: Board, mark: number, guest: Guest): void => {
  const homes = new Map<Guest, Place>()
  for (const { guest: moved, from } of board.trail.slice(mark)) {
    if (from && moved !== guest && !homes.has(moved)) homes.set(moved, from)
  }
  const hadTo = [guest]
  for (const one of hadTo) {
    const { tables } = one.place as Place
    for (const [other, home] of homes) {
      if (!meet(one, other) || other === one || !home.tables.some((table) => tables.includes(table))) continue
      hadTo.push(other)
      homes.delete(other)
    }
  }
  for (const other of homes.keys()) put(board, other, undefined)
  for (const [other, home] of homes) put(board, other, home)
}

export const byTurn = (a: Party, b: Party): number => turnOf(a) - turnOf(b) || largestFirst(a, b)

const turnOf = ({ turn = Number.MAX_SAFE_INTEGER }: Party): number => turn

export const largestFirst = (a: Party, b: Party): number => b.size - a.size || a.from - b.from || byId(a, b)

/** How much work was done, and whether it left nobody without a place who could be put anywhere at all. */
export const spent = (board: Board, bound: number, { left }: Steps): Pick<Assignment, 'steps' | 'ended'> => ({
  steps: bound - Math.max(left, 0),
  ended: board.guests.every((guest) => guest.place || choicesOf(board, guest).length === 0),
})

export const assignmentOf = (
  { ids }: Board,
  guests: readonly Guest[],
): Pick<Assignment, 'given' | 'moved' | 'unseated'> => {
  const changed = guests.filter(({ place, stored }) => place && place !== stored)
  return {
    given: new Map(
      changed.map(({ id, place }) => [id, (place?.tables ?? []).map((table) => ids[table] as number)]),
    ),
    moved: changed.filter(({ stored }) => stored).map(({ id }) => id),
    unseated: guests.filter(({ place }) => !place).map(({ id }) => id),
  }
}
