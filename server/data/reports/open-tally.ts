import type { FigureName } from '@venue-data/contract/records/figures.ts'
import { type Cell, type Key, textOfKey } from './tally.ts'

/** Service dates with somebody served, by weekday: what arrivals are divided by. */
export const openDays = 'open_days'

type Counted = FigureName | typeof openDays
export type Count = (figure: Counted, key: Key, n: number, d?: number, value?: number) => void

/** What is being counted. */
export const openTally = () => {
  const tally: Record<string, Record<string, Cell>> = {}
  const count: Count = (figure, key, n, d = 0, value) => {
    const cells = (tally[figure] ??= {})
    const text = textOfKey(key)
    const { values = {}, ...known } = cells[text] ?? { n: 0, d: 0 }
    cells[text] = {
      ...{ n: known.n + n, d: known.d + d },
      ...(value !== undefined && { values: { ...values, [value]: (values[value] ?? 0) + 1 } }),
    }
  }
  return { tally, count }
}
