import {
  type Board,
  type Guest,
  type Place,
  boardOf,
  choicesOf,
  fits,
  inTheWay,
  isFree,
  put,
  stays,
  takeBack,
} from './board.ts'
import { type Steps, add, compare, costOf, seatByChain } from './chains.ts'
import type { Assignment, Evening } from './evening.ts'
import { assignmentOf, largestFirst, spent } from './judge.ts'
import { refill } from './refill.ts'

/*
 * Gives tables to a whole evening at once: when tables are turned on, when a room is closed, or because somebody pressed
 * the button. A party that holds a table may get another, but always has one.
 */

/** The most looks at a place. Somebody waits for this too, but for an evening and not for one booking. */
export const tidySteps = 200_000

/** What moving few for one may use of that, and what is kept for parties that could sit better. */
const shareOfChains = 0.1
const shareOfPolish = 0.05

/**
 * The evening as well as it can be found: as many covers with a table as possible first, as few parties moved for that as
 * possible; then features, wasted seats, joined tables, priority and large tables kept free. For those, others are moved
 * where all together are better off, and never for nothing.
 *
 * A party whose tables are not for it (out of order, too small, somebody else's) counts as one that holds none; if no
 * table is found, it is among `unseated` and keeps what it has.
 */
export const tidy = (evening: Evening, bound = tidySteps): Assignment => {
  const board = boardOf(evening)
  const steps = { left: bound }
  for (const guest of board.guests.toSorted(largestFirst)) {
    if (guest.place && !stays(guest) && !isRight(board, guest)) put(board, guest, undefined)
  }
  const without = board.guests.filter((guest) => !guest.place && choicesOf(board, guest).length > 0)
  const seatMoving = (guests: readonly Guest[], least: number, most: number, of: Steps): readonly Guest[] =>
    guests.filter((guest) => !seatByChain(board, guest, of, { least, most }).seated)
  const crowded = seatMoving(without.toSorted(largestFirst), 0, 0, steps)
  const waiting = sharing(steps, shareOfChains, (part) => seatMoving(crowded, 1, 3, part))
  if (waiting.length > 0) sharing(steps, 1 - shareOfPolish, (part) => refill(board, waiting, part))
  while (polish(board, steps)) continue
  return { ...assignmentOf(board, board.guests), ...spent(board, bound, steps) }
}

/** Does a part of the work with its share of the steps; what it leaves is left for the rest. */
const sharing = <T>(steps: Steps, share: number, work: (part: Steps) => T): T => {
  const part = { left: Math.floor(steps.left * share) }
  steps.left -= part.left
  const done = work(part)
  steps.left += Math.max(part.left, 0)
  return done
}

const isRight = (board: Board, guest: Guest): boolean =>
  guest.place !== undefined && canHave(board, guest, guest.place)

/** Gives guests a better place that is free, or that of another where the two are better off together. */
const polish = (board: Board, steps: Steps): boolean => {
  let found = false
  for (const guest of board.guests) {
    if (stays(guest) || !isRight(board, guest)) continue
    const from = guest.place as Place
    const worst = costOf(guest, from)
    for (const place of choicesOf(board, guest)) {
      const cost = costOf(guest, place)
      if (steps.left <= 0 || compare(cost, worst) >= 0) break
      steps.left--
      const [other, ...more] = inTheWay(board, guest, place)
      if (more.length > 0) continue
      const mark = board.trail.length
      if (other) put(board, other, undefined)
      put(board, guest, place)
      if (
        !other ||
        (canHave(board, other, from) &&
          compare(add(cost, costOf(other, from)), add(worst, costOf(other, place))) < 0)
      ) {
        if (other) put(board, other, from)
        found = true
        break
      }
      takeBack(board, mark)
    }
  }
  return found
}

const canHave = (board: Board, guest: Guest, place: Place): boolean =>
  fits(board, guest, place) && isFree(board, guest, place)
