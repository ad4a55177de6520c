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

export const add = (a: Tally, b: Tally): Tally => merged(a, b, (one, other) => merged(one, other, addCells))

const addCells = (a: Cell, b: Cell): Cell => ({
  n: a.n + b.n,
  d: a.d + b.d,
  ...((a.values ?? b.values) && {
    values: merged(a.values ?? {}, b.values ?? {}, (one, other) => one + other),
  }),
})

const merged = <Value>(
  a: Readonly<Record<string, Value>>,
  b: Readonly<Record<string, Value>>,
  both: (one: Value, other: Value) => Value,
): Record<string, Value> => {
  const sum = { ...a }
  for (const [key, value] of Object.entries(b)) {
    const known = sum[key]
    sum[key] = known === undefined ? value : both(known, value)
  }
  return sum
}

/** Adds by halves: one after the other would copy what was added before for each day. */
export const sumOf = (tallies: readonly Tally[]): Tally => {
  if (tallies.length < 2) return tallies[0] ?? nothing
  const half = Math.ceil(tallies.length / 2)
  return add(sumOf(tallies.slice(0, half)), sumOf(tallies.slice(half)))
}

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
