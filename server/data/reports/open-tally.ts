import type { CountedFigure } from './figure-names.ts'
import { type Key, type Sums, type Tally, addCell, textOfKey } from './tally.ts'

/** Service dates with somebody served, by weekday: what arrivals are divided by. */
export const openDays = 'open_days'

type Counted = CountedFigure | typeof openDays
export type Count = (figure: Counted, key: Key, n: number, d?: number, value?: number) => void

/** What is being counted. */
export const openTally = (): { readonly tally: Tally; readonly count: Count } => {
  const tally: Sums = {}
  const count: Count = (figure, key, n, d = 0, value) =>
    addCell((tally[figure] ??= {}), textOfKey(key), value === undefined ? [n, d] : [n, d, { [value]: 1 }])
  return { tally, count }
}
