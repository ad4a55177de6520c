/*
 * What was counted, by figure and by key: sums alone, so that the figures of a period are the sum of its days.
 */

export type Key = Readonly<Record<string, string | number>>

/**
 * How many, out of how many, and how often each whole number occurred, so that the median of any period is exact. A list, as
 * a year has a hundred thousand of them to read.
 */
export type Cell = readonly [n: number, d: number, values?: Readonly<Record<number, number>>]

/** By figure, then by key as text. */
export type Tally = Readonly<Record<string, Readonly<Record<string, Cell>>>>

export const nothing: Tally = {}

/** `weekday:5&measure=booked`: short, as it is most of what is kept of a day; a colon comes before a number. */
export const textOfKey = (key: Key): string => {
  let text = ''
  for (const word in key) {
    const value = key[word] ?? ''
    text += `${text && '&'}${word}${typeof value === 'number' ? `:${value}` : `=${encodeURIComponent(value)}`}`
  }
  return text
}

export const keyOfText = (text: string): Key => {
  const key: Record<string, string | number> = {}
  for (const part of text === '' ? [] : text.split('&')) {
    // Values that are written as text have both signs escaped.
    const at = part.search(/[:=]/)
    const value = part.slice(at + 1)
    key[part.slice(0, at)] = part[at] === ':' ? Number(value) : decodeURIComponent(value)
  }
  return key
}

/** What two days, or two periods, are together. */
export const add = (a: Tally, b: Tally): Tally => sumOf([a, b])

export const sumOf = (tallies: Iterable<Tally>): Tally => {
  const sums: Sums = {}
  for (const tally of tallies) {
    for (const figure in tally) {
      const [cells, known] = [tally[figure] ?? {}, (sums[figure] ??= {})]
      for (const key in cells) addCell(known, key, cells[key] ?? none)
    }
  }
  return sums
}

const none: Cell = [0, 0]

type Sum = [n: number, d: number, values?: Record<number, number>]

/** What is being counted: in cells of its own, which are changed where they are. */
export type Sums = Record<string, Record<string, Sum>>

export const addCell = (sums: Record<string, Sum>, key: string, [n, d, values]: Cell): void => {
  const sum = (sums[key] ??= [0, 0])
  sum[0] += n
  sum[1] += d
  if (values === undefined) return
  const histogram = (sum[2] ??= {})
  for (const value in values) histogram[value] = (histogram[value] ?? 0) + (values[value] ?? 0)
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
