import { type Board, type Guest, type Place, guestOf, placesFor, put, takeBack } from './board.ts'
import type { Party } from './evening.ts'
import type { Laid } from './judge.ts'

/** Where and from when on a party could sit. */
export type Soonest = { readonly tables: readonly number[]; readonly from: number }

/**
 * Where each of these parties could sit down soonest, with nobody moved: one after another, each with those before it at their
 * tables. `party.from` is the earliest, and its span is how long it needs one. Undefined where no table takes so many.
 * Its steps are bounded by places times parties; the evening stays as it was.
 */
export const soonestFor = ({ board }: Laid, parties: readonly Party[]): (Soonest | undefined)[] => {
  const mark = board.trail.length
  const found = parties.map((party) => {
    const guest = guestOf(party)
    let best: { place: Place; from: number } | undefined
    for (const place of placesFor(board, guest)) {
      const from = freeFrom(board, guest, place)
      if (best === undefined || from < best.from) best = { place, from }
      // The best places come first, and there is no sooner.
      if (from === party.from) break
    }
    if (!best) return undefined
    const { place, from } = best
    put(board, { ...guest, from, until: from + party.until - party.from }, place)
    return { tables: place.tables.map((table) => board.ids[table] as number), from }
  })
  takeBack(board, mark)
  return found
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
