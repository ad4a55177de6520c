import type { CountedFigure } from './figure-names.ts'
import { type Key, type Sums, type Tally, addCell, textOfKey } from './tally.ts'

/** Service dates with somebody served, by weekday: what arrivals are divided by. */
export const openDays = 'open_days'

/** Guests who came for the first time on a date after their first, by the days since then: who came back is made of it. */
export const returns = 'returns'

type Counted = CountedFigure | typeof openDays | typeof returns
export type Count = (figure: Counted, key: Key, n: number, d?: number, value?: number) => void

/** What is being counted. */
export const openTally = (): { readonly tally: Tally; readonly count: Count } => {
  const tally: Sums = {}
  const count: Count = (figure, key, n, d = 0, value) =>
    addCell((tally[figure] ??= {}), textOfKey(key), value === undefined ? [n, d] : [n, d, { [value]: 1 }])
  return { tally, count }
}
