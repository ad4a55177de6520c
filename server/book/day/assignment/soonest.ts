import {
  type Board,
  type Guest,
  type Place,
  guestOf,
  isThere,
  leavesAt,
  placesFor,
  put,
  stays,
  takeBack,
} from './board.ts'
import { type Steps, seatByChain } from './chains.ts'
import type { Party } from './evening.ts'
import type { Laid } from './judge.ts'

/** Where and from when on a party could sit. */
export type Soonest = { readonly tables: readonly number[]; readonly from: number }

/**
 * The most looks at a place for one party that would sit down sooner if another moved. Each has its own: what is found for one
 * does not hang on how hard it was to place those before it, so that it is found again after the next press.
 */
export const movingSteps = 1_500

/**
 * Who is moved for one. With two the search would plan moves that the press then makes in another way, and everybody behind
 * would hear something else.
 */
const moves = { least: 1, most: 1 }

/**
 * Where each of those asked about could sit down soonest, each by itself and after the line: whose parties sit down one after
 * another, each with those before it at their tables; theirs are in `line`. Another moves for them, as once the moment has come,
 * but for those who are due within `due` of it. `party.from` is the earliest, and its span is how long it needs a table. Undefined
 * where no table takes so many. As long as everybody comes and leaves when they are expected to, and who sits down does so as
 * it says here, it says the same the next time. Its steps are bounded by places times parties and by `movingSteps`; the evening stays
 * as it was.
 */
export const soonestFor = (
  { board }: Laid,
  line: readonly Party[],
  asked: readonly Party[],
  due: number,
): {
  readonly line: readonly (Soonest | undefined)[]
  readonly asked: readonly (Soonest | undefined)[]
  readonly steps: number
} => {
  const mark = board.trail.length
  let spent = 0
  const seated = (party: Party): Soonest | undefined => {
    const steps = { left: movingSteps }
    const best = sitDown(board, party, steps, due)
    spent += movingSteps - Math.max(0, steps.left)
    return best && { tables: best.place.tables.map((table) => board.ids[table] as number), from: best.from }
  }
  const inLine = line.map(seated)
  const found = asked.map((party) => {
    const before = board.trail.length
    const soonest = seated(party)
    takeBack(board, before)
    return soonest
  })
  takeBack(board, mark)
  return { line: inLine, asked: found, steps: spent }
}

type Best = { readonly place: Place; readonly from: number }

/** Puts a party where it could sit down soonest: with nobody moved, unless others can make room before that. */
const sitDown = (board: Board, party: Party, steps: Steps, due: number): Best | undefined => {
  const guest = guestOf({ ...party, waits: true })
  const best = bestFor(board, guest)
  if (!best) return undefined
  for (const from of momentsBefore(board, guest, best.from)) {
    const place = placeByMoving(board, guestOf(comingAt(guest, from)), steps, due)
    if (place) return { place, from }
  }
  put(board, guestOf(comingAt(guest, best.from)), best.place)
  return best
}

/** The same party, and as long a stay, from another instant on. */
const comingAt = (party: Party, from: number): Party => ({
  ...party,
  from,
  until: from + party.until - party.from,
  leaves: from + leavesAt(party) - party.from,
})

/** When it is worth a look: at once, and whenever somebody leaves one of a guest's places. */
const momentsBefore = (board: Board, guest: Guest, end: number): readonly number[] => {
  const moments = new Set([guest.from])
  for (const { tables } of placesFor(board, guest)) {
    for (const table of tables) for (const one of board.held[table] ?? []) moments.add(leavesAt(one))
  }
  return [...moments].filter((at) => at >= guest.from && at < end).toSorted((a, b) => a - b)
}

/** Seats a guest by moving others, and leaves it so; undefined where they cannot, and the board is as it was. */
const placeByMoving = (board: Board, guest: Guest, steps: Steps, due: number): Place | undefined => {
  guest.choices = placesFor(board, guest).filter(({ tables }) =>
    tables.every((table) => isLeft(board, table, guest)),
  )
  // Who is due so soon by then stays at the table they have.
  const keeps = ({ from }: Guest): boolean => from - guest.from <= due
  return seatByChain(board, guest, steps, { ...moves, keeps }).seated ? guest.place : undefined
}

/** Whether a table takes a guest once others move: nobody who stays in any case is still there. */
const isLeft = ({ held, unavailable }: Board, table: number, guest: Guest): boolean =>
  (held[table] ?? []).every((one) => !stays(one) || !isThere(one, guest)) &&
  (unavailable[table] ?? []).every(({ from, until }) => until <= guest.from || guest.until <= from)

const bestFor = (
  board: Board,
  guest: Guest,
): { readonly place: Place; readonly from: number } | undefined => {
  let best: { place: Place; from: number } | undefined
  for (const place of placesFor(board, guest)) {
    const from = freeFrom(board, guest, place)
    if (best === undefined || from < best.from) best = { place, from }
    // The best places come first, and there is no sooner.
    if (from === guest.from) break
  }
  return best
}

/** From when on a place is free for as long as a guest needs it. */
const freeFrom = ({ held, unavailable }: Board, guest: Guest, { tables }: Place): number => {
  const length = guest.until - guest.from
  for (let from = guest.from; ;) {
    let next = from
    const after = (span: { readonly from: number }, end: number): void => {
      if (span.from < from + length && from < end) next = Math.max(next, end)
    }
    for (const table of tables) {
      for (const one of held[table] ?? []) after(one, leavesAt(one))
      for (const off of unavailable[table] ?? []) after(off, off.until)
    }
    if (next === from) return from
    from = next
  }
}
