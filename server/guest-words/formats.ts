import type { GuestLanguage } from '../kernel/guest-language.ts'
import { remember } from '../kernel/remember.ts'
import { wallTimeOf } from '../kernel/venue-clock.ts'
import type { ClockTime, LocalDate } from '../kernel/written-time.ts'
import { wordsIn } from './words.ts'

/** Dates, times and numbers as a guest reads them: by `Intl`, in the language and as the venue's country writes them. */
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
  /** "Saturday" */
  readonly weekday: (date: LocalDate) => string
  /** "S" */
  readonly weekdayLetter: (date: LocalDate) => string
  /** "October 2026" */
  readonly month: (date: LocalDate) => string
  /** "7:30 PM" */
  readonly time: (time: ClockTime) => string
  /** "5:00 – 11:00 PM" */
  readonly span: (from: ClockTime, to: ClockTime) => string
  /** The venue's wall at a moment, "7:30 PM". */
  readonly timeAt: (moment: Temporal.Instant) => string
  readonly number: (number: number) => string
  /** "A, B, and C" */
  readonly list: (parts: readonly string[]) => string
  /** "New York time": the zone of all times, once on each page. */
  readonly zone: string
  /** ISO weekday on which a week begins: 1 Monday, 7 Sunday. */
  readonly firstWeekday: number
}

type About = { readonly country: string; readonly timezone: string }

export const formatsFor = (language: GuestLanguage, { country, timezone }: About): Formats =>
  kept.getOr(`${language} ${country} ${timezone}`, () => makeFormats(language, country, timezone))

/** Making them costs milliseconds, and a venue has a few. */
const kept = remember<string, Formats>(1_000)

const whenNamed = Temporal.Instant.from('2026-01-15T00:00Z').epochMilliseconds

const makeFormats = (language: GuestLanguage, country: string, timezone: string): Formats => {
  const locale = `${language}-${country}`
  const dated = (options: Intl.DateTimeFormatOptions) => {
    // As a moment: a date by itself is written with numbers alone in Japanese.
    const format = new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' })
    return (date: LocalDate): string =>
      format.format(Temporal.PlainDate.from(date).toZonedDateTime('UTC').epochMilliseconds)
  }
  const clock = new Intl.DateTimeFormat(locale, { hour: 'numeric', minute: '2-digit' })
  const time = (one: ClockTime): string => clock.format(Temporal.PlainTime.from(one))
  const list = new Intl.ListFormat(locale)
  const words = wordsIn(language)
  const place = new Intl.DateTimeFormat(words.zoneLocale, {
    timeZone: timezone,
    timeZoneName: words.zoneStyle,
  })
    // By the clocks of today: half a century ago fewer places changed theirs.
    .formatToParts(whenNamed)
    .find(({ type }) => type === 'timeZoneName')
  return {
    locale,
    fullDate: dated({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' }),
    date: dated({ day: 'numeric', month: 'long', year: 'numeric' }),
    day: dated({ weekday: 'long', day: 'numeric', month: 'long' }),
    shortDay: dated({ weekday: 'short', day: 'numeric', month: 'short' }),
    weekday: dated({ weekday: 'long' }),
    weekdayLetter: dated({ weekday: 'narrow' }),
    month: dated({ month: 'long', year: 'numeric' }),
    time,
    span: (from, to) => clock.formatRange(Temporal.PlainTime.from(from), Temporal.PlainTime.from(to)),
    timeAt: (moment) => time(wallTimeOf(moment, timezone).time),
    number: (number) => new Intl.NumberFormat(locale).format(number),
    list: (parts) => list.format(parts),
    zone: words.zone(place?.value ?? timezone),
    firstWeekday: new Intl.Locale(locale).getWeekInfo().firstDay,
  }
}
