import { AsyncLocalStorage } from 'node:async_hooks'
import { months, weekdayName, weekdayOf } from './calendar.ts'
import { type ClockHours, type Formats, formatsIn } from '../formats.ts'
import { type Moment, toInstant } from './moment.ts'
import { remember } from '../running/remember.ts'
import { wallTimeOf } from './venue-clock.ts'
import { type ClockTime, type LocalDate, clockTimeAt } from './written-time.ts'

/*
 * Dates, times and numbers in English sentences and on English pages, written for their readers: programs read the
 * contract's own form ("Tuesday 6 October", "19:30"), a venue's staff read what their country writes ("Tuesday,
 * October 6", "7:30 PM"). A rule's sentence goes to both, so who reads is known by the request, not by the caller: the
 * office says it once for each of its requests, and nobody else does (docs/decisions/0035-times-as-the-country-writes-them.md).
 */

/** How the staff of a venue read. */
export type StaffForm = {
  readonly country: string
  readonly clockHours: ClockHours
  /** What the venue's prices are in, where that is known. */
  readonly currency?: string | null | undefined
}

/** Dates and times as that staff reads them; no line of a crowded list breaks between "10:30" and "PM". */
export const staffFormats = ({ country, clockHours, currency }: StaffForm): StaffFormats =>
  kept.getOr(`${country} ${clockHours} ${currency}`, () => {
    const formats = formatsIn(`en-${country}`, clockHours)
    const { time, timeParts: parts, span } = formats
    return {
      ...formats,
      time: (one) => unbroken(time(one)),
      timeParts: (one) => ({ clock: parts(one).clock, half: unbroken(parts(one).half) }),
      span: (from, to) => unbroken(span(from, to)),
      ...{ country, currency },
    }
  })

type StaffFormats = Formats & Pick<StaffForm, 'country' | 'currency'>

const kept = remember<string, StaffFormats>(1_000)

const unbroken = (text: string): string => text.replaceAll(/\s(?=[ap]\.?m)/gi, '\u00a0')

/** Does work whose words that staff reads; with nobody given, in the contract's form. */
export const readBy = <Done>(form: StaffForm | undefined, work: () => Done): Done =>
  readers.run(form && staffFormats(form), work)

/** Context of a request, not state: it ends with the work it was given for. */
const readers = new AsyncLocalStorage<StaffFormats | undefined>()

/** What the prices are in that the staff who read have set; undefined: nobody is given. */
export const currencyRead = (): string | undefined => readers.getStore()?.currency ?? undefined

/** The country of the staff who read; undefined: nobody is given. */
export const countryRead = (): string | undefined => readers.getStore()?.country

/** "19:30", "7:30 PM". */
export const timeInWords = (time: ClockTime): string => readers.getStore()?.time(time) ?? time

/** The time of day at a minute of a service date: 1170 is "19:30", "7:30 PM". */
export const minuteInWords = (minute: number): string => timeInWords(clockTimeAt(minute))

/** Two such minutes: "17:00–23:00", "5:00 – 11:00 PM". */
export const spanInWords = (fromMinute: number, toMinute: number): string => {
  const [from, to] = [clockTimeAt(fromMinute), clockTimeAt(toMinute)]
  return readers.getStore()?.span(from, to) ?? `${from}–${to}`
}

/** A time whose half of the day can be left out where people see it: "7:30" and " PM". */
export const timeParts = (time: ClockTime): { readonly clock: string; readonly half: string } =>
  readers.getStore()?.timeParts(time) ?? { clock: time, half: '' }

/** "Tuesday 6 October", "Tuesday, October 6". */
export const dayInWords = (date: LocalDate): string =>
  readers.getStore()?.day(date) ?? `${weekdayName(weekdayOf(date))} ${dayOfMonthInWords(date)}`

/** "Tue 6 Oct", "Tue, Oct 6". */
export const shortDayInWords = (date: LocalDate): string =>
  readers.getStore()?.shortDay(date) ??
  `${weekdayName(weekdayOf(date)).slice(0, 3)} ${Number(date.slice(8))} ${monthName(date).slice(0, 3)}`

/** A day, with its year where it is not this one: last December would read like the next. */
export const dayNear = (date: LocalDate, today: LocalDate): string =>
  isOfYear(date, today) ? dayInWords(date) : dayAndYearInWords(date)

/** The same in short: "Tue, Oct 6", "Wed, Dec 17, 2025". */
export const shortDayNear = (date: LocalDate, today: LocalDate): string =>
  isOfYear(date, today)
    ? shortDayInWords(date)
    : (readers.getStore()?.shortDayAndYear(date) ?? `${shortDayInWords(date)} ${Number(date.slice(0, 4))}`)

const isOfYear = (date: LocalDate, today: LocalDate): boolean => date.slice(0, 4) === today.slice(0, 4)

/** "6 October", "October 6". */
export const dayOfMonthInWords = (date: LocalDate): string =>
  readers.getStore()?.dayOfMonth(date) ?? `${Number(date.slice(8))} ${monthName(date)}`

/** "8 March 2026", "March 8, 2026". */
export const dateInWords = (date: LocalDate): string =>
  readers.getStore()?.date(date) ?? `${dayOfMonthInWords(date)} ${Number(date.slice(0, 4))}`

/** "Saturday 5 December 2026", "Saturday, December 5, 2026". */
export const dayAndYearInWords = (date: LocalDate): string =>
  readers.getStore()?.fullDate(date) ?? `${weekdayName(weekdayOf(date))} ${dateInWords(date)}`

/** "March 2026". */
export const monthInWords = (date: LocalDate): string =>
  readers.getStore()?.month(date) ?? `${monthName(date)} ${Number(date.slice(0, 4))}`

/** A moment in the venue's local time: "6 October 2026, 15:04", "October 6, 2026, 3:04 PM". */
export const momentInWords = (moment: Moment | Temporal.Instant, zone: string): string => {
  const { date, time } = wallTimeOf(typeof moment === 'string' ? toInstant(moment) : moment, zone)
  return `${dateInWords(date)}, ${timeInWords(time)}`
}

/** A moment's time of day at the venue: "19:42", "7:42 PM". */
export const timeOf = (moment: Moment | Temporal.Instant, zone: string): string =>
  timeInWords(wallTimeOf(typeof moment === 'string' ? toInstant(moment) : moment, zone).time)

/** When a stay ends, as it is said everywhere: a minute that has begun is theirs, so 19:44:35 is "19:45". */
export const endOf = (moment: Temporal.Instant, zone: string): string => timeOf(endMinute(moment), zone)

/** The same as a moment. */
export const endMinute = (moment: Temporal.Instant): Temporal.Instant =>
  moment.round({ smallestUnit: 'minute', roundingMode: 'ceil' })

/** "12,400". JSON knows -0, which is nothing to anybody. */
export const numberInWords = (number: number): string => {
  const plain = number === 0 ? 0 : number
  return readers.getStore()?.number(plain) ?? plain.toLocaleString('en-US')
}

const monthName = (date: LocalDate): string => months[Number(date.slice(5, 7)) - 1] ?? ''
