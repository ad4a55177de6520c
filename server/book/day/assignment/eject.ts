import { type Board, type Guest, type Place, choicesOf, inTheWay, put, takeBack } from './board.ts'
import type { Steps } from './chains.ts'

/*
 * The last resort of a judgment: a guest that finds no free place takes one from others, who are then placed in turn.
 * Each guest that found none becomes harder to put out again, so that places go to those who have few. After Nagata and
 * Bräysy's "A powerful route minimization heuristic" (2009), with guests for customers and tables for vehicles.
 */

/** Seats a guest and leaves it so; or leaves the board as it was when the steps are used up. */
export const seatByEjection = (board: Board, guest: Guest, steps: Steps): boolean => {
  const mark = board.trail.length
  const hardships = new Map<Guest, number>()
  /** In which turn each was seated: of equal losses, those are put out who have been where they are for longest. */
  const settled = new Map<Guest, number>()
  const waiting = [guest]
  let settledLast: Guest | undefined
  for (let turn = 1; steps.left > 0; turn++) {
    const one = waiting.shift()
    if (!one) return true
    hardships.set(one, (hardships.get(one) ?? 1) + 1)
    let best: { readonly place: Place; readonly displaced: readonly Guest[] } | undefined
    let least = Infinity
    let leastRecent = Infinity
    for (const place of choicesOf(board, one)) {
      steps.left--
      const displaced = inTheWay(board, one, place)
      if (settledLast && displaced.includes(settledLast)) continue
      let loss = 0
      let last = 0
      for (const other of displaced) {
        loss += hardships.get(other) ?? 1
        last = Math.max(last, settled.get(other) ?? 0)
      }
      if (loss > least || (loss === least && last >= leastRecent)) continue
      least = loss
      leastRecent = last
      best = { place, displaced }
      if (loss === 0) break
    }
    if (!best) break // Nothing but the place that was just taken.
    for (const other of best.displaced) put(board, other, undefined)
    waiting.push(...best.displaced)
    put(board, one, best.place)
    settled.set(one, turn)
    settledLast = one
  }
  takeBack(board, mark)
  return false
}
