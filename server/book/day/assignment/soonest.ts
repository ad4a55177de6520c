import { type Board, type Guest, type Place, guestOf, placesFor, put, takeBack } from './board.ts'
import { type Steps, seatByChain } from './chains.ts'
import { isTooCrowded } from './crowd.ts'
import type { Party } from './evening.ts'
import type { Laid } from './judge.ts'

/** Where and from when on a party could sit. */
export type Soonest = { readonly tables: readonly number[]; readonly from: number }

/** The most looks at a place for those who would sit down sooner by moving others, of all together and of one at one moment. */
const movingSteps = { all: 3_000, once: 1_000 }
/** The most parties that are moved for one: a press moves no more than these without a second look. */
const mostMoves = 2

/**
 * Where each of those asked about could sit down soonest, each by itself and after the line: whose parties sit down one after
 * another, each with those before it at their tables; theirs are in `line`. Others move for them, as they would once the moment has come, but for
 * those who are due within `due` of it. `party.from` is the earliest, and its span is how long it needs one. Undefined where no
 * table takes so many. Its steps are bounded by places times parties and by `movingSteps`; the evening stays as it was.
 */
export const soonestFor = (
  { board }: Laid,
  line: readonly Party[],
  asked: readonly Party[],
  due: number,
): { readonly line: readonly (Soonest | undefined)[]; readonly asked: readonly (Soonest | undefined)[] } => {
  const mark = board.trail.length
  const steps = { left: movingSteps.all }
  const seated = (party: Party): Soonest | undefined => {
    const best = sitDown(board, party, steps, due)
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
  return { line: inLine, asked: found }
}

type Best = { readonly place: Place; readonly from: number }

/** Puts a party where it could sit down soonest: with nobody moved, unless others can make room before that. */
const sitDown = (board: Board, party: Party, steps: Steps, due: number): Best | undefined => {
  const guest = guestOf(party)
  const best = bestFor(board, guest)
  if (!best) return undefined
  const length = party.until - party.from
  for (const from of momentsBefore(board, guest, best.from)) {
    const place = placeByMoving(board, guestOf({ ...party, from, until: from + length }), steps, due)
    if (place) return { place, from }
  }
  put(board, { ...guest, from: best.from, until: best.from + length }, best.place)
  return best
}

/** When it is worth a look: at once, and whenever somebody leaves one of a guest's places. */
const momentsBefore = (board: Board, guest: Guest, end: number): readonly number[] => {
  const moments = new Set([guest.from])
  for (const { tables } of placesFor(board, guest)) {
    for (const table of tables) for (const { until } of board.held[table] ?? []) moments.add(until)
  }
  return [...moments].filter((at) => at >= guest.from && at < end).toSorted((a, b) => a - b)
}

/** Seats a guest by moving others, and leaves it so; undefined where they cannot, and the board is as it was. */
const placeByMoving = (board: Board, guest: Guest, steps: Steps, due: number): Place | undefined => {
  if (steps.left <= 0) return undefined
  const look = { left: Math.min(steps.left, movingSteps.once) }
  steps.left -= look.left
  const mark = board.trail.length
  const { seated } = isTooCrowded(board, guest, look)
    ? { seated: false }
    : seatByChain(board, guest, look, { least: 1, most: mostMoves })
  steps.left += Math.max(look.left, 0)
  // Who is due so soon by then stays at the table they have.
  const isDone =
    seated &&
    board.trail
      .slice(mark)
      .every(({ guest: one, from }) => one === guest || !from || one.from - guest.from > due)
  if (!isDone) takeBack(board, mark)
  return isDone ? guest.place : undefined
}

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
    for (const table of tables) {
      for (const taken of [held[table] ?? [], unavailable[table] ?? []]) {
        for (const span of taken) {
          if (span.from < from + length && from < span.until) next = Math.max(next, span.until)
        }
      }
    }
    if (next === from) return from
    from = next
  }
}
