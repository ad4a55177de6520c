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

/** " 13 bookings of past days were never closed, so …"; empty without any. */
export const neverClosed = (openEnds: readonly Row[]): string => {
  const open = total(openEnds)
  if (open === 0) return ''
  const [were, they] = open === 1 ? ['was', 'it counts'] : ['were', 'they count']
  return ` ${counted(open, 'booking')} of past days ${were} never closed, so ${they} neither as served nor as a no-show.`
}

/** " On average of 5 open days, 119.6 guests came a day; before, 114.7 on 6: 4% more per open day." Open: somebody was served. */
export const perOpenDay = (now: PerDay, before: PerDay | undefined): string => {
  if (now.days < 2) return ''
  const mean = ` On average of ${numberInWords(now.days)} open days, ${oneDecimal(now.guests / now.days)} guests came a day`
  if (before === undefined || before.days === 0 || before.days === now.days || before.guests < fewestCases)
    return `${mean}.`
  const [is, was] = [now.guests * before.days, before.guests * now.days]
  const change = wholePercent(Math.abs(is - was), was)
  const than = change === 0 ? 'about as many' : `${change}% ${is > was ? 'more' : 'fewer'}`
  return `${mean}; before, ${oneDecimal(before.guests / before.days)} on ${counted(before.days, 'open day')}: ${than} per open day.`
}
type PerDay = { readonly guests: number; readonly days: number }

/** Guests and open days of some days. */
export const perDayOf = (covers: readonly Row[]): PerDay => ({
  guests: total(covers),
  days: new Set(covers.map(({ key }) => key['date'])).size,
})

/** "7.5", "8". */
export const oneDecimal = (number: number): string => numberInWords(Math.round(number * 10) / 10)

export const sizeWords = (size: string): string =>
  size === 'unknown' ? 'Not known' : size === '1' ? '1 guest' : `${size.replace('-', '–')} guests`

export const leadWords = (days: string): string =>
  ({ '0': 'On the day', '1': 'A day' })[days] ?? `${days.replace('-', '–')} days`

export const sourceName = (source: string): string => (source === 'import' ? 'Imported' : sourceWords(source))
