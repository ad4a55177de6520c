import { dayNumber } from './time/calendar.ts'
import { remember } from './running/remember.ts'
import { type ClockTime, type LocalDate, minutesPerDay } from './time/written-time.ts'

/** Dates, times and numbers as people of one language and country read them, by `Intl`. */
export type Formats = {
  readonly locale: string
  /** "Saturday, October 10, 2026" */
  readonly fullDate: (date: LocalDate) => string
  /** "October 10, 2026" */
  readonly date: (date: LocalDate) => string
  /** "Saturday, October 10" */
  readonly day: (date: LocalDate) => string
  /** "Sat, Oct 10" */
  readonly shortDay: (date: LocalDate) => string
  readonly shortDayAndYear: (date: LocalDate) => string
  /** "October 10" */
  readonly dayOfMonth: (date: LocalDate) => string
  /** "Saturday" */
  readonly weekday: (date: LocalDate) => string
  /** "S" */
  readonly weekdayLetter: (date: LocalDate) => string
  /** "October 2026" */
  readonly month: (date: LocalDate) => string
  /** "October – November 2026", or the one month that both are in. */
  readonly months: (from: LocalDate, to: LocalDate) => string
  /** "Oct" */
  readonly shortMonth: (date: LocalDate) => string
  /** "7:30 PM" */
  readonly time: (time: ClockTime) => string
  /** "7:30" and " PM", for lists in which the half of the day is plain to the eye; `half` is empty on 24 hours. */
  readonly timeParts: (time: ClockTime) => TimeParts
  /** "5:00 – 11:00 PM" */
  readonly span: (from: ClockTime, to: ClockTime) => string
  readonly number: (number: number) => string
  /** "A, B, and C" */
  readonly list: (parts: readonly string[]) => string
  /** ISO weekday on which a week begins: 1 Monday, 7 Sunday. */
  readonly firstWeekday: number
  /** How many hours the clock has, as `Intl` and browsers name it; undefined as the country has it. */
  readonly hourCycle: 'h12' | 'h23' | undefined
}

type TimeParts = { readonly clock: string; readonly half: string }

/** Hours of the clock on which times are written; null: as the country's clocks have it. */
export type ClockHours = 12 | 24 | null

/** `locale` is a language and a country, such as `en-US`. */
export const formatsIn = (locale: string, hours: ClockHours = null): Formats =>
  kept.getOr(`${locale} ${hours}`, () => makeFormats(locale, hours))

/** Making them costs milliseconds, and there are few. */
const kept = remember<string, Formats>(1_000)

const dayMs = 86_400_000

const inHalves = (parts: readonly Intl.DateTimeFormatPart[]): TimeParts => {
  const half = parts.findIndex(({ type }) => type === 'dayPeriod')
  const upTo = half === -1 ? parts.length : half - 1
  const text = (some: typeof parts): string => some.map(({ value }) => value).join('')
  return { clock: text(parts.slice(0, upTo)), half: text(parts.slice(upTo)) }
}

/**
 * A full date with the weekday set off as in the date without a year: British pages would otherwise show
 * "Friday, 25 December 2026" next to "Friday 25 December".
 */
const weekdayFirst =
  (
    full: (date: LocalDate) => string,
    weekday: (date: LocalDate) => string,
    day: (date: LocalDate) => string,
  ) =>
  (date: LocalDate): string => {
    const [whole, name, short] = [full(date), weekday(date), day(date)]
    return whole.startsWith(`${name}, `) && short.startsWith(`${name} `)
      ? `${name} ${whole.slice(name.length + 2)}`
      : whole
  }

const makeFormats = (locale: string, hours: ClockHours): Formats => {
  const dated = (options: Intl.DateTimeFormatOptions) => {
    // As a moment: a date by itself is written with numbers alone in Japanese.
    const format = new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' })
    return (date: LocalDate): string => format.format(dayNumber(date) * dayMs)
  }
  const hourCycle = hours === null ? undefined : hours === 12 ? 'h12' : 'h23'
  const clock = new Intl.DateTimeFormat(locale, {
    hour: 'numeric',
    minute: '2-digit',
    ...(hourCycle && { hourCycle }),
  })
  const plain = (time: ClockTime): Temporal.PlainTime => Temporal.PlainTime.from(time)
  const times = remember<ClockTime, string>(minutesPerDay)
  const halves = remember<ClockTime, TimeParts>(minutesPerDay)
  const list = new Intl.ListFormat(locale)
  const months = new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' })
  const numbers = new Intl.NumberFormat(locale)
  return {
    locale,
    fullDate: weekdayFirst(
      dated({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' }),
      dated({ weekday: 'long' }),
      dated({ weekday: 'long', day: 'numeric', month: 'long' }),
    ),
    date: dated({ day: 'numeric', month: 'long', year: 'numeric' }),
    day: dated({ weekday: 'long', day: 'numeric', month: 'long' }),
    shortDay: dated({ weekday: 'short', day: 'numeric', month: 'short' }),
    shortDayAndYear: dated({ weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' }),
    dayOfMonth: dated({ day: 'numeric', month: 'long' }),
    weekday: dated({ weekday: 'long' }),
    weekdayLetter: dated({ weekday: 'narrow' }),
    month: dated({ month: 'long', year: 'numeric' }),
    months: (from, to) => months.formatRange(dayNumber(from) * dayMs, dayNumber(to) * dayMs),
    shortMonth: dated({ month: 'short' }),
    time: (time) => times.getOr(time, () => clock.format(plain(time))),
    timeParts: (time) => halves.getOr(time, () => inHalves(clock.formatToParts(plain(time)))),
    span: (from, to) => clock.formatRange(plain(from), plain(to)),
    number: (number) => numbers.format(number),
    list: (parts) => list.format(parts),
    firstWeekday: new Intl.Locale(locale).getWeekInfo().firstDay,
    hourCycle,
  }
}
