import { type Board, type Guest, type Place, choicesOf, fits, isFree, put, stays, takeBack } from './board.ts'
import type { Steps } from './chains.ts'

/*
 * Seats a whole evening: empties a few tables that compete for the same guests, and fills them again, over and over. Whom one table takes of all who are without one is settled at once and at its best, since among spans that may not
 * overlap the heaviest choice is found in one pass by their ends. Large neighborhood search after Shaw (1998).
 *
 * It draws lots from a generator with a fixed seed: the same board gets the same lots.
 */

/** How many tables are emptied at once. */
const emptied = 4

/** How much a guest's weight is off from its worth, so that tables seldom take the very same guests again. */
const noise = 0.6

/** The share of its worth that a guest weighs more at the place it holds. */
const home = 0.3

/**
 * Seats as many covers as it finds room for, and leaves the best that it saw on the board, for good. Nobody who holds a
 * table ends without one; those who were given one only here may.
 */
export const refill = (board: Board, before: readonly Guest[], steps: Steps): void => {
  const draw = lots()
  const bound = steps.left
  let waiting = before
  let missed = worthOf(waiting)
  const seen = (): readonly (Place | undefined)[] => board.guests.map(({ place }) => place)
  let best = { missed, places: seen() }
  while (waiting.length > 0 && steps.left > 0) {
    const mark = board.trail.length
    const tables = competing(board, waiting, draw)
    const within = ({ tables: all }: Place): boolean => all.every((table) => tables.has(table))
    const places: Place[] = []
    let pool = [...waiting]
    for (const table of tables) {
      for (const guest of [...(board.held[table] as Guest[])]) {
        if (stays(guest) || !within(guest.place as Place)) continue
        put(board, guest, undefined)
        pool.push(guest)
      }
      for (const place of board.placesOf[table] as Place[]) {
        if (place.tables[0] === table && within(place)) places.push(place)
      }
    }
    pool.sort(byEnd)
    shuffle(places, draw)
    for (const place of places) {
      for (const guest of heaviest(board, place, pool, steps, draw)) put(board, guest, place)
      pool = pool.filter((guest) => !guest.place)
    }
    const now = worthOf(pool)
    // Now and then a step back is taken, less and less readily: the way to a full evening leads over less full ones.
    const worse = now - missed
    if (worse > 0 && draw() > 0.3 ** (worse * (1 + 4 * (1 - steps.left / bound)))) {
      takeBack(board, mark)
      continue
    }
    waiting = pool
    missed = now
    // What is kept need not be taken back; the trail of a whole evening would be long.
    board.trail.length = mark
    if (missed < best.missed) best = { missed, places: seen() }
  }
  for (const [n, guest] of board.guests.entries()) put(board, guest, best.places[n])
}

const worthOf = (guests: readonly Guest[]): number => guests.reduce((sum, guest) => sum + worth(guest), 0)

/** The covers of a guest. A guest that already holds a table is never given up for one that does not. */
const worth = ({ size, stored }: Guest): number => (stored ? 1000 + size : size)

const byEnd = (a: Guest, b: Guest): number => a.until - b.until || a.from - b.from || (a.id < b.id ? -1 : 1)

/** Tables that somebody who waits could have, and tables that those who are there now could have instead. */
const competing = (board: Board, waiting: readonly Guest[], draw: () => number): ReadonlySet<number> => {
  const tables = new Set<number>()
  const add = (guests: readonly Guest[]): void => {
    const choices = guests.length === 0 ? [] : choicesOf(board, pick(guests, draw))
    if (choices.length > 0) for (const table of pick(choices, draw).tables) tables.add(table)
  }
  add(waiting)
  // Guests with one choice lead nowhere else, so the tries are bounded too.
  for (let tries = 0; tries < 2 * emptied && tables.size < emptied; tries++) {
    add([...tables].flatMap((table) => board.held[table] as Guest[]))
  }
  return tables
}

/** Of the guests that a place is free for, those that together weigh most and are never there at the same time. */
const heaviest = (
  board: Board,
  place: Place,
  pool: readonly Guest[],
  steps: Steps,
  draw: () => number,
): readonly Guest[] => {
  const free = pool.filter((guest) => {
    if (!fits(board, guest, place)) return false
    steps.left--
    return isFree(board, guest, place)
  })
  // best[n] is the most that the first n weigh together, by their ends.
  const best = [0]
  const before: number[] = []
  const taken: boolean[] = []
  for (const [n, guest] of free.entries()) {
    let earlier = n
    while (earlier > 0 && (free[earlier - 1] as Guest).until > guest.from) earlier--
    const weight =
      worth(guest) * (1 + noise * (draw() - 0.5) + (guest.stored === place ? home : 0)) +
      (best[earlier] as number)
    before.push(earlier)
    taken.push(weight > (best[n] as number))
    best.push(Math.max(weight, best[n] as number))
  }
  const found: Guest[] = []
  for (let n = free.length; n > 0;) {
    if (taken[n - 1]) {
      found.push(free[n - 1] as Guest)
      n = before[n - 1] as number
    } else n--
  }
  return found
}

/** Numbers from 0 up to 1 in an order that is always the same: mulberry32 from a fixed seed. */
const lots = (): (() => number) => {
  let state = 1
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const pick = <T>(list: readonly T[], draw: () => number): T => list[Math.floor(draw() * list.length)] as T

const shuffle = (list: Place[], draw: () => number): void => {
  for (let last = list.length - 1; last > 0; last--) {
    const other = Math.floor(draw() * (last + 1))
    ;[list[last], list[other]] = [list[other] as Place, list[last] as Place]
  }
}
