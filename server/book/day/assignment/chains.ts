import { type Board, type Guest, type Place, choicesOf, inTheWay, missing, put, takeBack } from './board.ts'

/*
 * Seats one guest by moving as few others as possible: it takes a place, the guest in the way takes another, and so on.
 * Nobody moves twice, which loses nothing: a guest's last place is tried when it is moved first. So with enough steps
 * every assignment is found that moves no more than `mostMoves`, and of those with the fewest moves the best one wins.
 */

/** The most parties that are moved for one before anything else is tried. */
const mostMoves = 3

/** Looks at further chains of the same length, once there is one. */
const choosingSteps = 500

/** How many parties are moved, and who else stays besides those who always do. */
export type Moves = {
  readonly least: number
  readonly most: number
  readonly keeps?: ((guest: Guest) => boolean) | undefined
}

/** What is left of a bound. A step is one look at one place for one guest. */
export type Steps = { left: number }

/**
 * Seats a guest and leaves it so; or leaves the board as it was. `ended` says that the answer would be the same with more
 * steps and more moves.
 */
export const seatByChain = (
  board: Board,
  guest: Guest,
  steps: Steps,
  { least, most, keeps }: Moves = { least: 0, most: mostMoves },
): { readonly seated: boolean; readonly ended: boolean } => {
  let ended = false
  for (let moves = least; moves <= most && !ended && steps.left > 0; moves++) {
    const search: Search = { board, steps, keeps, chain: [], best: undefined, until: undefined, ended: true }
    explore(search, [{ guest, from: undefined }], moves)
    if (search.best) {
      const { chain } = search.best
      for (const { guest } of chain) put(board, guest, undefined)
      for (const { guest, to } of chain) put(board, guest, to)
      return { seated: true, ended: true }
    }
    ended = search.ended
  }
  return { seated: false, ended }
}

type Waiting = { readonly guest: Guest; readonly from: Place | undefined }
type Link = Waiting & { readonly to: Place }

type Search = {
  readonly board: Board
  readonly steps: Steps
  readonly keeps: Moves['keeps']
  /** Who has been put somewhere, in order. */
  readonly chain: Link[]
  best: { readonly chain: readonly Link[]; readonly cost: Cost } | undefined
  /** Where the steps are at an end: at nothing, or a while after the first chain was found. */
  until: number | undefined
  /** False once something was left out for want of moves or steps. */
  ended: boolean
}

const explore = (search: Search, [first, ...others]: readonly Waiting[], moves: number): void => {
  if (!first) return consider(search)
  const { board, steps, keeps, chain } = search
  const { guest, from } = first
  let free: Place | undefined
  for (const place of choicesOf(board, guest)) {
    // With nobody left to seat, a free place is better than every place that is worse for this guest.
    if (free && others.length === 0 && compare(costOf(guest, place), costOf(guest, free)) !== 0) return
    if (steps.left <= Math.max(search.until ?? 0, 0)) {
      search.ended = false
      return
    }
    steps.left--
    const displaced = inTheWay(board, guest, place)
    if (displaced.some((one) => chain.some((link) => link.guest === one))) continue
    if (keeps && displaced.some(keeps)) continue
    if (displaced.length > moves) {
      search.ended = false
      continue
    }
    if (displaced.length === 0) free ??= place
    const mark = board.trail.length
    const next = [...others, ...displaced.map((guest) => ({ guest, from: guest.place }))]
    for (const one of displaced) put(board, one, undefined)
    put(board, guest, place)
    chain.push({ guest, from, to: place })
    explore(search, next, moves - displaced.length)
    chain.pop()
    takeBack(board, mark)
  }
}

/** Keeps the chain on the board if it is the best so far. */
const consider = (search: Search): void => {
  const { board, chain, steps } = search
  const sum = (costs: readonly Cost[]): Cost => costs.reduce(add, nothing)
  const now = sum(chain.map(({ guest, to }) => costOf(guest, to)))
  const before = sum(chain.flatMap(({ guest, from }) => (from ? [costOf(guest, from)] : [])))
  // Chains of the same length move different parties, so what they had counts.
  const places = now.map((one, n) => one - (before[n] as number))
  const cost = [...places, imbalance(board)]
  search.until ??= steps.left - choosingSteps
  if (search.best && compare(cost, search.best.cost) >= 0) return
  search.best = { chain: [...chain], cost }
}

/** What a place costs for a guest; what comes first outweighs everything after it. */
type Cost = readonly number[]

/** Features missed, seats, tables, priority, what others lose: the goals after "fewest parties moved", in their order. */
export const costOf = (guest: Guest, place: Place): Cost => [
  missing(place, guest),
  place.most,
  place.tables.length,
  place.priority,
  place.reach,
]
const nothing: Cost = [0, 0, 0, 0, 0]

export const add = (a: Cost, b: Cost): Cost => a.map((one, n) => one + (b[n] as number))

export const compare = (a: Cost, b: Cost): number => {
  for (const [n, one] of a.entries()) {
    const difference = one - (b[n] as number)
    if (difference !== 0) return difference
  }
  return 0
}

/** How unevenly the covers are spread over the sections. */
const imbalance = ({ sections }: Board): number => sections.reduce((sum, covers) => sum + covers * covers, 0)
