import { defaultTurnMinutes } from '../../../book/rules/booking-rules.ts'

type Row = { readonly upTo: number; readonly minutes: number }

/** No table is held for more guests. */
const mostGuests = 99

/** Turn times with another one for a class of sizes, such as `3-4` or `7+`; all other sizes keep theirs. */
export const withTurn = <Minutes>(
  rows: readonly Row[],
  sizes: string,
  minutes: Minutes,
): { readonly upTo: number; readonly minutes: number | Minutes }[] => {
  const [first = 1, last = mostGuests] = sizes
    .split(/[-+]/)
    .flatMap((size) => (size === '' ? [] : Number(size)))
  const before = (size: number): number =>
    (rows.find(({ upTo }) => size <= upTo) ?? rows.at(-1))?.minutes ?? defaultTurnMinutes
  const ends = [...new Set([...rows.map(({ upTo }) => upTo), first - 1, last, mostGuests])]
    .filter((end) => end > 0)
    .toSorted((a, b) => a - b)
  return ends
    .map((upTo) => ({ upTo, minutes: first <= upTo && upTo <= last ? minutes : before(upTo) }))
    .filter((row, at, all) => row.minutes !== all[at + 1]?.minutes)
}
