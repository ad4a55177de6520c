import { type Board, type Guest, type Place, boardOf, choicesOf, inTheWay, put } from './board.ts'
import type { Assignment, Evening, Judgement, Party } from './evening.ts'

/*
 * Finds tables for those who have none, beside all who have: a free place if there is one, otherwise by moving others,
 * as few as possible. Bounds are counted in steps and never in time, so that the same evening gets the same answer on
 * every machine: what a picker shows is what the booking then meets.
 */

/** The most looks at a place that one judgement takes. */
export const judgementSteps = 10_000

/** The most parties that are moved for one. */
const mostMoves = 3

/** The most for a whole evening that somebody waits for: on the press of a button, not between a guest and their booking. */
export const tidySteps = 250_000

/** An evening that parties can be judged against, one after another; each judgement leaves it as it was. */
export type Laid = { readonly board: Board; readonly base: Assignment }

/**
 * Prepares an evening. Parties that hold no table get theirs first, the largest first: a request counts for the next one.
 * Whoever of them finds none is in `base.unseated`, and nobody is refused because of them.
 */
export const layOut = (evening: Evening, bound = judgementSteps): Laid => {
  const board = boardOf(evening)
  const search = { board, left: bound, ended: true }
  const waiting = board.guests
    .filter(({ stored }) => !stored)
    .toSorted((a, b) => b.size - a.size || a.from - b.from || (a.id < b.id ? -1 : 1))
  for (const guest of waiting) seat(search, guest)
  return { board, base: assignmentOf(board, bound, search) }
}

/**
 * Whether a party that is not part of the evening can be seated beside all of it, and with which assignment. The stored
 * assignment is kept where it has a place that is free.
 */
export const judge = ({ board, base }: Laid, party: Party, bound = judgementSteps): Judgement => {
  const guest: Guest = { ...party, stored: undefined, choices: undefined, place: undefined }
  const search = { board, left: bound, ended: true }
  const before = board.guests.map(({ place }) => place)
  const seated = seat(search, guest)
  const all = { ...board, guests: [...board.guests, guest] }
  const found = assignmentOf(all, bound, search)
  put(board, guest, undefined)
  board.guests.forEach((one, n) => {
    if (one.place !== before[n]) put(board, one, before[n])
  })
  return { seated, ...found, ended: seated || (found.ended && base.ended) }
}

/** Gives tables to everybody of an evening who has none, where that can be done; with more patience than a judgement has. */
export const tidy = (evening: Evening, bound = tidySteps): Assignment => layOut(evening, bound).base

type Search = { readonly board: Board; left: number; ended: boolean }

/** Finds a place for one guest, moving as few others as possible. */
const seat = (search: Search, guest: Guest): boolean => {
  for (let moves = 0; moves <= mostMoves; moves++) {
    const all = { ...search, ended: true }
    const seated = seatAll(all, [guest], new Set(), moves)
    search.left = all.left
    if (seated) return true
    // Nothing was left out for want of moves or steps, so more of them would find nothing either.
    if (all.ended) return false
  }
  search.ended = false
  return false
}

/** Seats each of these, moving no more than so many of those who have a place, and nobody twice. */
const seatAll = (
  search: Search,
  waiting: readonly Guest[],
  settled: ReadonlySet<Guest>,
  moves: number,
): boolean => {
  const { board } = search
  const [guest, ...others] = waiting
  if (!guest) return true
  const nowSettled = new Set(settled).add(guest)
  for (const place of choicesOf(board, guest)) {
    if (search.left-- <= 0) {
      search.ended = false
      return false
    }
    const displaced = inTheWay(board, guest, place)
    if (displaced.some((one) => (one.fixed && one.stored) || settled.has(one))) continue
    if (displaced.length > moves) {
      search.ended = false
      continue
    }
    const from = displaced.map((one): [Guest, Place | undefined] => [one, one.place])
    for (const one of displaced) put(board, one, undefined)
    put(board, guest, place)
    if (seatAll(search, [...others, ...displaced], nowSettled, moves - displaced.length)) return true
    put(board, guest, undefined)
    for (const [one, place] of from) put(board, one, place)
  }
  return false
}

const assignmentOf = ({ guests, ids }: Board, bound: number, { left, ended }: Search): Assignment => {
  const changed = guests.filter(({ place, stored }) => place && place !== stored)
  return {
    given: new Map(
      changed.map(({ id, place }) => [id, (place as Place).tables.map((table) => ids[table] as number)]),
    ),
    moved: changed.filter(({ stored }) => stored).map(({ id }) => id),
    unseated: guests.filter(({ place }) => !place).map(({ id }) => id),
    steps: bound - Math.max(left, 0),
    ended,
  }
}
