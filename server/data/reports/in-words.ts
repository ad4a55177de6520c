import type { Figure } from '@venue-data/contract/records/figures.ts'
import { sourceWords } from '../../book/reservations/staff-sentences.ts'
import { numberInWords } from '../../platform/kernel/time/in-words.ts'

/* Figures in the sentences of people: the report's page and the letter about each week say them alike. */

export type Row = Figure['rows'][number]

/** The row of a key; a key with more words is another row. */
export const rowOf = (rows: readonly Row[], key: Row['key']): Row | undefined => {
  const known = byKey.get(rows) ?? new Map(rows.map((row) => [textOf(row.key), row]))
  byKey.set(rows, known)
  return known.get(textOf(key))
}

/** Of a list of rows, each by its key: a year of tickets is asked for thousands of them. */
const byKey = new WeakMap<readonly Row[], ReadonlyMap<string, Row>>()

const textOf = (key: Row['key']): string =>
  Object.entries(key)
    .map(([word, value]) => `${word}=${value}`)
    .toSorted()
    .join(' ')

export const total = (rows: readonly Row[]): number => rows.reduce((sum, { n }) => sum + (n ?? 0), 0)

/** With fewer cases, a share is no rate. */
export const fewestCases = 20

/** "4%", whole and halves up; of fewer than 20 cases "3 of 11". */
export const share = (n: number, d: number): string =>
  d < fewestCases ? `${numberInWords(n)} of ${numberInWords(d)}` : `${wholePercent(n, d)}%`

/** "4% of the parties that booked", "3 of 11 parties that booked". */
export const shareOf = (n: number, d: number, whom: string): string =>
  d < fewestCases ? `${share(n, d)} ${whom}` : `${share(n, d)} of the ${whom}`

export const wholePercent = (n: number, d: number): number => Math.floor((200 * n + d) / (2 * d))

const mostChange = 300

/** ", 8% more than the week before"; empty where nothing, or too little, is there to compare with. */
export const compared = (now: number, before: number, words: string | undefined): string => {
  if (words === undefined || before < fewestCases) return ''
  const change = wholePercent(Math.abs(now - before), before)
  // More is no comparison: there was hardly anything to compare with.
  if (change > mostChange) return ''
  return change === 0
    ? `, ${now === before ? '' : 'about '}as many as ${words}`
    : `, ${change}% ${now > before ? 'more' : 'fewer'} than ${words}`
}

/** "1 day", "12 days". */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${numberInWords(count)} ${count === 1 ? one : many}`

export const parties = (count: number): string => counted(count, 'party', 'parties')
export const guests = (count: number): string => counted(count, 'guest')

/** "7.5", "8". */
export const oneDecimal = (number: number): string => numberInWords(Math.round(number * 10) / 10)

export const sizeWords = (size: string): string =>
  size === 'unknown' ? 'Not known' : size === '1' ? '1 guest' : `${size.replace('-', '–')} guests`

export const leadWords = (days: string): string =>
  ({ '0': 'On the day', '1': 'A day' })[days] ?? `${days.replace('-', '–')} days`

export const sourceName = (source: string): string => (source === 'import' ? 'Imported' : sourceWords(source))
