import { type Board, type Guest, type Place, guestOf, placesFor, put, takeBack } from './board.ts'
import type { Party } from './evening.ts'
import type { Laid } from './judge.ts'

/** Where and from when on a party could sit. */
export type Soonest = { readonly tables: readonly number[]; readonly from: number }

/**
 * Where each of those asked about could sit down soonest, with nobody moved, each by itself and after the line: whose parties
 * sit down one after another, each with those before it at their tables. `party.from` is the earliest, and its span is how
 * long it needs one. Undefined where no table takes so many. Its steps are bounded by places times parties; the evening stays
 * as it was.
 */
export const soonestFor = (
  { board }: Laid,
  line: readonly Party[],
  asked: readonly Party[],
): (Soonest | undefined)[] => {
  const mark = board.trail.length
  for (const party of line) {
    const guest = guestOf(party)
    const best = bestFor(board, guest)
    if (!best) continue
    const until = best.from + party.until - party.from
    put(board, { ...guest, from: best.from, until }, best.place)
  }
  const found = asked.map((party) => {
    const best = bestFor(board, guestOf(party))
    return best && { tables: best.place.tables.map((table) => board.ids[table] as number), from: best.from }
  })
  takeBack(board, mark)
  return found
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
