import { defaultTurnMinutes } from '../../../book/rules/booking-rules.ts'
import type { TurnKind } from '../../../data/reports/turn-kinds.ts'

type Row = { readonly upTo: number; readonly minutes: number }

/** The last row that is written is for parties of up to so many, at least; it applies to larger ones, too. */
const mostGuests = 99

/** Turn times with another one for some sizes; all other sizes keep theirs. */
export const withTurn = <Minutes>(
  rows: readonly Row[],
  { first, last: until }: Pick<TurnKind, 'first' | 'last'>,
  minutes: Minutes,
): { readonly upTo: number; readonly minutes: number | Minutes }[] => {
  const end = Math.max(mostGuests, ...rows.map(({ upTo }) => upTo))
  const last = Math.min(until, end)
  const before = (size: number): number =>
    (rows.find(({ upTo }) => size <= upTo) ?? rows.at(-1))?.minutes ?? defaultTurnMinutes
  const ends = [...new Set([...rows.map(({ upTo }) => upTo), first - 1, last, end])]
    .filter((end) => end > 0)
    .toSorted((a, b) => a - b)
  return ends
    .map((upTo) => ({ upTo, minutes: first <= upTo && upTo <= last ? minutes : before(upTo) }))
    .filter((row, at, all) => row.minutes !== all[at + 1]?.minutes)
}
