import type { CountedFigure } from './figure-names.ts'
import { type Key, type Sums, type Tally, addCell, textOfKey } from './tally.ts'

/** Service dates with somebody served, by weekday: what arrivals are divided by. */
export const openDays = 'open_days'

/**
 * By date and source, guests who came that day for the first time (`d`), and those who did so on a date after their first (`n`), by
 * the days since then: who came back is made of it.
 */
export const returns = 'returns'

/** How many parties and guests sat at each table, by its number: three figures are made of it. */
export const atTables = 'at_tables'

type Counted = CountedFigure | typeof openDays | typeof returns | typeof atTables
/** `value`: a whole number that occurred; `times`: how often, once where it is absent. */
export type Count = (figure: Counted, key: Key, n: number, d?: number, value?: number, times?: number) => void

/** What is being counted. */
export const openTally = (): { readonly tally: Tally; readonly count: Count } => {
  const tally: Sums = {}
  const count: Count = (figure, key, n, d = 0, value, times = 1) =>
    addCell((tally[figure] ??= {}), textOfKey(key), value === undefined ? [n, d] : [n, d, { [value]: times }])
  return { tally, count }
}
