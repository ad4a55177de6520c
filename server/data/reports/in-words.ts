import type { Figure } from '@venue-data/contract/records/figures.ts'
import { sourceWords } from '../../book/reservations/staff-sentences.ts'
import { isoWeekdays, weekdayOf } from '../../platform/kernel/time/calendar.ts'
import { dateInWords, numberInWords, shortDayInWords } from '../../platform/kernel/time/in-words.ts'
import type { LocalDate } from '../../platform/kernel/time/written-time.ts'
import type { OpenDays } from './open-days.ts'

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

/** The sum of each date. */
export const byDate = (rows: readonly Row[]): Map<LocalDate, number> => {
  const found = new Map<LocalDate, number>()
  for (const { key, n } of rows) {
    const date = String(key['date'])
    found.set(date, (found.get(date) ?? 0) + (n ?? 0))
  }
  return found
}

/** "Fri, Oct 2"; of another year with it. */
export const dayInWords = ({ today }: { readonly today: LocalDate }, date: LocalDate): string =>
  date.slice(0, 4) === today.slice(0, 4) ? shortDayInWords(date) : dateInWords(date)

/** With fewer cases, a share is no rate. */
export const fewestCases = 20

/** "4%", whole and halves up; of fewer than 20 cases "3 of 11". */
export const share = (n: number, d: number): string =>
  d < fewestCases ? `${numberInWords(n)} of ${numberInWords(d)}` : `${wholePercent(n, d)}%`

/** "135 · 63%"; of few, the number alone. */
export const countOf = (n: number, all: number): string =>
  all < fewestCases ? numberInWords(n) : `${numberInWords(n)} · ${share(n, all)}`

/** "4% of the parties that booked", "3 of 11 parties that booked", "1 of 1 party that booked". */
export const shareOf = (n: number, d: number, one: string, many: string): string =>
  d < fewestCases ? `${share(n, d)} ${d === 1 ? one : many}` : `${share(n, d)} of the ${many}`

/** "3 of 1,200". */
export const outOf = (n: number, d: number): string => `${numberInWords(n)} of ${numberInWords(d)}`

const pacingLimit = 'your pacing limit'

/** Whether the venue's own limit left no room for half of those who were refused, or more. */
export const isMostlyPaced = (limits: ReturnType<typeof limitsHitBy>): boolean =>
  limits.some((limit) => isPacing(limit) && limit.n * 2 >= limits.reduce((sum, one) => sum + one.n, 0))

export const isPacing = ({ name }: { readonly name: string }): boolean => name === pacingLimit

/** How often each limit left no room; what is paced is set by the venue, and tables are what they are. */
export const limitsHitBy = (refused: readonly Row[]) =>
  [
    { name: pacingLimit, of: ['pacing-covers-full', 'pacing-parties-full'] },
    { name: 'no free table', of: ['tables-full'] },
  ]
    .map(({ name, of }) => ({
      name,
      n: total(refused.filter(({ key }) => of.includes(String(key['reason'])))),
    }))
    .filter(({ n }) => n > 0)

/** "your pacing limit (9) and no free table (1)"; without numbers where there is one. */
export const limitsInWords = (limits: ReturnType<typeof limitsHitBy>): string =>
  limits.map(({ name, n }) => (limits.length === 1 ? name : `${name} (${numberInWords(n)})`)).join(' and ')

/** The rates of two periods, whole; with one decimal where whole ones would be the same of two that differ. */
export const ratesOf = (now: Rate, before: Rate): readonly [now: string, before: string] => {
  const whole = [now, before].map(({ n, d }) => wholePercent(n, d))
  const isSame = now.n * before.d === before.n * now.d
  const [is = '', was = ''] =
    whole[0] === whole[1] && !isSame
      ? [now, before].map(({ n, d }) => `${(Math.floor((2000 * n + d) / (2 * d)) / 10).toFixed(1)}%`)
      : whole.map((percent) => `${percent}%`)
  return [is, was]
}
type Rate = { readonly n: number; readonly d: number }

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

/** Whether those that nobody marked are a tenth or more of all. */
export const areManyUnmarked = (open: number, served: number): boolean =>
  open > 0 && open * 10 >= open + served

/**
 * "113 bookings were never marked seated or no-show, so these figures are too low."; empty where they are few: less than a tenth
 * of all whom the days are about.
 */
export const neverMarked = (openEnds: readonly Row[], served: readonly Row[]): string => {
  const open = total(openEnds)
  return !areManyUnmarked(open, total(served))
    ? ''
    : `${counted(open, 'booking')} ${open === 1 ? 'was' : 'were'} never marked seated or no-show, so these figures are too low.`
}

/**
 * " 119.6 guests a day over 5 open days, against 6 before; counting each weekday only as often as it was open both times, 119.6 a day
 * against 124.4: 4% fewer." A mean of all open days would rise where a weak weekday is closed.
 */
export const perOpenDay = (now: OpenDays, before: OpenDays | undefined): string => {
  const all = perDayOf(now)
  if (all.days < 2) return ''
  const mean = ` ${meanOf(all.guests / all.days, 'guest')} a day over ${numberInWords(all.days)} open days`
  const both = before === undefined ? undefined : onSameWeekdays(now, before)
  if (before === undefined || both === undefined || both.was * both.days < fewestCases) return `${mean}.`
  const change = wholePercent(Math.abs(both.is - both.was), both.was)
  const than = change === 0 ? 'about as many' : `${change}% ${both.is > both.was ? 'more' : 'fewer'}`
  return `${mean}, against ${numberInWords(perDayOf(before).days)} before; counting each weekday only as often as it was open both times, ${oneDecimal(both.is)} a day against ${oneDecimal(both.was)}: ${than}.`
}

/**
 * Guests a day of the weekdays that were open in both periods, each weekday as often as the period with fewer of it has it;
 * undefined where the two differ in nothing but their guests.
 */
const onSameWeekdays = (now: OpenDays, before: OpenDays) => {
  const pairs = isoWeekdays.map((_, at) => ({ is: perDayOf(now, at + 1), was: perDayOf(before, at + 1) }))
  if (pairs.every(({ is, was }) => is.days === was.days)) return undefined
  const shared = pairs
    .map(({ is, was }) => ({ is, was, days: Math.min(is.days, was.days) }))
    .filter(({ days }) => days > 0)
  const days = shared.reduce((sum, one) => sum + one.days, 0)
  if (days === 0) return undefined
  const mean = (of: 'is' | 'was'): number =>
    shared.reduce((sum, one) => sum + (one.days * one[of].guests) / one[of].days, 0) / days
  return { days, is: mean('is'), was: mean('was') }
}

type PerDay = { readonly guests: number; readonly days: number }

/** Guests and open days, of all days or of one weekday. */
export const perDayOf = (open: OpenDays, weekday?: number): PerDay => {
  const known = perDayBy.get(open) ?? perWeekday(open)
  perDayBy.set(open, known)
  return known[weekday ?? 0] ?? { guests: 0, days: 0 }
}

/** Of the same days, each weekday is asked for. */
const perDayBy = new WeakMap<OpenDays, readonly PerDay[]>()

/** All days, and then each weekday from Monday on. */
const perWeekday = ({ covers, dates }: OpenDays): readonly PerDay[] => {
  const found = Array.from({ length: 8 }, () => ({ guests: 0, days: 0 }))
  const add = (date: LocalDate, of: 'guests' | 'days', n: number): void => {
    for (const at of [0, weekdayOf(date)]) {
      const one = found[at]
      if (one) one[of] += n
    }
  }
  for (const { key, n } of covers) add(String(key['date']), 'guests', n ?? 0)
  for (const date of dates) add(date, 'days', 1)
  return found
}

/** "7.5 guests", "1 guest": of a mean, by how it is written. */
export const meanOf = (mean: number, one: string, many = `${one}s`): string => {
  const words = oneDecimal(mean)
  return `${words} ${words === '1' ? one : many}`
}

/** "7.5", "8". */
export const oneDecimal = (number: number): string => numberInWords(Math.round(number * 10) / 10)

export const sizeWords = (size: string): string =>
  size === 'unknown' ? 'Not known' : size === '1' ? '1 guest' : `${size.replace('-', '–')} guests`

/** "parties of 3–4", "parties of 7 or more". */
export const staySizeWords = (sizes: string): string =>
  `parties of ${sizes.replace('-', '–').replace(/\+$/, ' or more')}`

export const leadWords = (days: string): string =>
  ({ '0': 'On the day', '1': '1 day' })[days] ?? `${days.replace('-', '–')} days`

export const sourceName = (source: string): string => (source === 'import' ? 'Imported' : sourceWords(source))
