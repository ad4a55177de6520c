/*
 * What was counted, by figure and by key: sums alone, so that the figures of a period are the sum of its days.
 */

export type Key = Readonly<Record<string, string | number>>

export type Cell = {
  readonly n: number
  readonly d: number
  /** How often each whole number occurred, so that the median of any period is exact. */
  readonly values?: Readonly<Record<number, number>>
}

/** By figure, then by key as JSON. */
export type Tally = Readonly<Record<string, Readonly<Record<string, Cell>>>>

export const nothing: Tally = {}

export const textOfKey = (key: Key): string => JSON.stringify(key)
export const keyOfText = (text: string): Key => JSON.parse(text) as Key

/** What two days, or two periods, are together. */
export const add = (a: Tally, b: Tally): Tally => sumOf([a, b])

/** Adds into cells of its own: a year has a hundred thousand of them. */
export const sumOf = (tallies: readonly Tally[]): Tally => {
  const sums: Record<string, Record<string, Sum>> = {}
  for (const tally of tallies) {
    for (const [figure, cells] of Object.entries(tally)) {
      const known = (sums[figure] ??= {})
      for (const [key, { n, d, values }] of Object.entries(cells)) {
        const sum = (known[key] ??= { n: 0, d: 0 })
        sum.n += n
        sum.d += d
        if (values === undefined) continue
        const histogram = (sum.values ??= {})
        for (const [value, times] of Object.entries(values)) {
          histogram[Number(value)] = (histogram[Number(value)] ?? 0) + times
        }
      }
    }
  }
  return sums
}

type Sum = { n: number; d: number; values?: Record<number, number> }

/** The lower of the two middle ones, where there are two. */
export const medianOf = (values: Readonly<Record<number, number>>): number | null => {
  const sorted = Object.entries(values)
    .map(([value, times]) => [Number(value), times] as const)
    .toSorted(([a], [b]) => a - b)
  const all = sorted.reduce((sum, [, times]) => sum + times, 0)
  let passed = 0
  for (const [value, times] of sorted) {
    passed += times
    if (2 * passed >= all) return value
  }
  return null
}
