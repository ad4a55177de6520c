/*
 * What was counted, by figure and by key: sums alone, so that the figures of a period are the sum of its days.
 */

export type Key = Readonly<Record<string, string | number>>

/**
 * How many, out of how many, and how often each whole number occurred, so that the median of any period is exact. A list, as
 * a year has a hundred thousand of them to read.
 */
export type Cell = readonly [n: number, d: number, values?: Values]

/** How often each whole number occurred. As it is kept, each number is followed by how often: a list is read three times as fast. */
type Values = Readonly<Record<number, number>> | readonly number[]

export const eachValue = (values: Values, take: (value: number, times: number) => void): void => {
  if (Array.isArray(values)) {
    const list: readonly number[] = values
    for (let at = 0; at < list.length; at += 2) take(list[at] ?? 0, list[at + 1] ?? 0)
  } else for (const [value, times] of Object.entries(values)) take(Number(value), times)
}

/** A day as it is kept. */
export const textOfTally = (tally: Tally): string =>
  JSON.stringify(tally, (_, value: unknown) =>
    isCell(value) && value.length === 3 ? [value[0], value[1], listOf(value[2] ?? [])] : value,
  )

const isCell = (value: unknown): value is Cell => Array.isArray(value) && typeof value[2] === 'object'

const listOf = (values: Values): number[] => {
  const list: number[] = []
  eachValue(values, (value, times) => list.push(value, times))
  return list
}

/** By figure, then by key as text. */
export type Tally = Readonly<Record<string, Readonly<Record<string, Cell>>>>

export const nothing: Tally = {}

/** `weekday:5&measure=booked`: short, as it is most of what is kept of a day; a colon comes before a number. */
export const textOfKey = (key: Key): string => {
  let text = ''
  for (const word in key) {
    const value = key[word] ?? ''
    text += `${text && '&'}${word}${typeof value === 'number' ? `:${value}` : `=${isPlain.test(value) ? value : encodeURIComponent(value)}`}`
  }
  return text
}

/** Nearly every word is: it is tested in a fraction of the time it takes to escape it. */
const isPlain = /^[\w-]*$/

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
  eachValue(values, (value, times) => {
    histogram[value] = (histogram[value] ?? 0) + times
  })
}

/** The lowest value up to which at least this share of all lie: of two in the middle the lower one. */
export const quantileOf = (values: Values, share: 0.25 | 0.5 | 0.75): number | null => {
  const sorted: (readonly [value: number, times: number])[] = []
  eachValue(values, (value, times) => sorted.push([value, times]))
  sorted.sort(([a], [b]) => a - b)
  const all = sorted.reduce((sum, [, times]) => sum + times, 0)
  let passed = 0
  for (const [value, times] of sorted) {
    passed += times
    if (passed >= share * all) return value
  }
  return null
}
