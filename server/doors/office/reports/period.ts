import { limits } from '@venue-data/contract/limits.ts'
import { type Comparison, comparisons } from '@venue-data/contract/records/figures.ts'
import type { Days } from '../../../data/reports/report-reads.ts'
import { lengthOf } from '../../../data/reports/days-to-count.ts'
import type { Form } from '../frame/page.ts'
import { Refusal, badRequest } from '../../../platform/kernel/refusal.ts'
import {
  addDays,
  dayNumber,
  firstOfWeek,
  weekdayName,
  weekdayOf,
} from '../../../platform/kernel/time/calendar.ts'
import { type LocalDate, readDate } from '../../../platform/kernel/time/written-time.ts'

/** Periods that somebody can press, and what a comparison is with. */
export const periods = {
  'last-week': { name: 'Last week', before: 'the week before' },
  'this-week': { name: 'This week', before: 'last week' },
  '4-weeks': { name: '4 weeks', before: 'the 4 weeks before' },
  quarter: { name: 'Quarter', before: 'the 13 weeks before' },
  year: { name: 'Year', before: 'the 52 weeks before' },
} as const
export type PeriodName = keyof typeof periods

export type Asked = {
  /** Undefined: two days of their own. */
  readonly name: PeriodName | undefined
  readonly from: LocalDate
  readonly to: LocalDate
  readonly compare: Comparison | undefined
}

/** One day is compared with the same weekday: a Saturday and the Friday before it are nothing alike. */
export const comparisonOf = ({ from, to, compare }: Asked): Comparison | 'week' | undefined =>
  compare === 'before' && from === to ? 'week' : compare

/** Whether a period had hardly begun when the first booking came: all of it would be compared with a few days. */
export const isMostlyBefore = ({ from, to }: Days, first: LocalDate | null): boolean =>
  first === null || 7 * (dayNumber(first) - dayNumber(from)) > lengthOf({ from, to })

/** What a period is compared with, in words. */
export const beforeWordsOf = (asked: Asked): string | undefined => {
  const comparison = comparisonOf(asked)
  if (comparison === undefined) return undefined
  if (comparison === 'year') return 'the same weekdays a year before'
  if (comparison === 'week') return `the ${weekdayName(weekdayOf(asked.from))} before`
  return asked.name === undefined ? `the ${lengthOf(asked)} days before` : periods[asked.name].before
}

/**
 * Days of the rolling periods: whole weeks, so that each has as many Saturdays as the one before. All end with the last whole
 * week, so that figures of two of them are about the same last day.
 */
const daysOf = { '4-weeks': 28, quarter: 91, year: 364 } as const

/** The period that an address asks for: by itself last week, against the week before. */
export const askedOf = (query: URLSearchParams, today: LocalDate, firstWeekday: number): Asked => {
  const compare =
    query.get('compare') === 'none'
      ? undefined
      : (comparisons.find((one) => one === query.get('compare')) ?? 'before')
  const [typedFrom, typedTo] = [query.get('from') ?? '', query.get('to') ?? '']
  if (typedFrom !== '' || typedTo !== '') return { name: undefined, compare, ...ownDays(typedFrom, typedTo) }
  const name = periodNames.find((one) => one === query.get('period')) ?? 'last-week'
  return { name, compare, ...daysOfPeriod(name, today, firstWeekday) }
}

const periodNames = Object.keys(periods) as readonly PeriodName[]

const daysOfPeriod = (name: PeriodName, today: LocalDate, firstWeekday: number) => {
  if (name === 'last-week' || name === 'this-week') {
    const first = addDays(firstOfWeek(today, firstWeekday), name === 'last-week' ? -7 : 0)
    return { from: first, to: addDays(first, 6) }
  }
  const end = firstOfWeek(today, firstWeekday)
  return { from: addDays(end, -daysOf[name]), to: addDays(end, -1) }
}

/** The last whole weeks, as a report of 4 weeks has them: what is advised is about them, whatever report it is read in. */
export const lastWeeks = (today: LocalDate, firstWeekday: number): Days =>
  daysOfPeriod('4-weeks', today, firstWeekday)

const ownDays = (typedFrom: string, typedTo: string) => {
  const [from, to] = [readDate(typedFrom), readDate(typedTo)]
  if (from === undefined || to === undefined) {
    throw badRequest('The first and the last day must both be real dates, YYYY-MM-DD.')
  }
  if (to < from) throw badRequest('The last day must not be before the first.')
  if (lengthOf({ from, to }) > limits.figuresDays) {
    throw badRequest(`A report covers at most ${limits.figuresDays} days.`)
  }
  return { from, to }
}

/**
 * The days of the last weekly letter, which goes out on Mondays in every country and so ends on Sunday; undefined where they are
 * those of the report, or it is about other days than last week.
 */
export const letterWeekOf = ({ name, from }: Asked, today: LocalDate): Days | undefined => {
  const to = addDays(today, -weekdayOf(today))
  const first = addDays(to, -6)
  return name !== 'last-week' || first === from ? undefined : { from: first, to }
}

/** The same as a form sends it back, so that a press keeps the period that was on the page. */
export const periodIn = (form: Form): Record<string, string> =>
  Object.fromEntries(
    ['period', 'from', 'to', 'compare'].flatMap((name) =>
      form.text(name) === '' ? [] : [[name, form.text(name)] as const],
    ),
  )

/** Where a press was: what is on top of the page leads back there. */
export const placeOf = (form: Form, card: string): string => (form.text('on') === 'top' ? 'in-short' : card)

/** What is wrong with days that somebody typed, and last week in their place. */
export const faultIn = (query: URLSearchParams, today: LocalDate, firstWeekday: number) => {
  try {
    askedOf(query, today, firstWeekday)
    return undefined
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const typed = ['from', 'to'].map((name) => query.get(name) ?? '') as [string, string]
    return { sentence: error.message, typed }
  }
}

/** The period in the address of a page about it. */
export const queryOf = ({ name, from, to, compare }: Asked): Record<string, string> => ({
  ...(name === undefined ? { from, to } : { period: name }),
  ...(compare !== 'before' && { compare: compare ?? 'none' }),
})
