import type { ServicePeriod } from '../../../book/rules/booking-rules.ts'
import { addDays, dayNumber } from '../../../platform/kernel/time/calendar.ts'
import { timeInWords } from '../../../platform/kernel/time/in-words.ts'
import { badRequest } from '../../../platform/kernel/refusal.ts'
import { wallTimeOf } from '../../../platform/kernel/time/venue-clock.ts'
import {
  type ClockTime,
  type LocalDate,
  clockTimeAt,
  minuteOfDay,
  minutesPerDay,
  readTime,
} from '../../../platform/kernel/time/written-time.ts'
import { type When, readWhen } from '../../../book/day/when.ts'

type Served = readonly Pick<ServicePeriod, 'startMinute' | 'endMinute'>[]

/**
 * A time as staff type it in a hurry, read as the day's services make likely: at a dinner "8", "830", "8.30" and
 * "8:30" are in the evening. What leaves no doubt is read as anywhere: "8p", "8 am", "2030", "08:30", "19.30".
 * Undefined where nobody could read it. For staff only: the API reads times as docs/api.md says.
 */
export const readStaffTime = (typed: string, periods: Served): ClockTime | undefined => {
  const morning = shortMinute(typed)
  if (morning === undefined) return readTime(typed)
  // Between two that are served, or two that are not, guests rather mean the later one.
  return clockTimeAt(
    isServed(periods, morning) && !isServed(periods, morning + noon) ? morning : morning + noon,
  )
}

/**
 * When a party arrives, as staff type it on a day: as above, but rather ahead than past, and after midnight in the same
 * service where that is what it can mean: at 8 PM "1230" is half an hour past midnight, if dinner runs that long. 400
 * with a sentence for staff for a time that nobody could read.
 */
export const readStaffWhen = (
  { date, typed }: { readonly date: LocalDate; readonly typed: string },
  periods: Served,
  timezone: string,
  now: Temporal.Instant,
): When => {
  const minute = staffMinute(typed, periods, minutesSince(date, wallTimeOf(now, timezone)))
  if (minute === undefined)
    throw badRequest(
      `The time cannot be read; write it like ${timeInWords('19:30')} or ${has24Hours() ? '1930' : '730'}.`,
    )
  const written = { date: addDays(date, Math.floor(minute / minutesPerDay)), time: clockTimeAt(minute) }
  return readWhen({ ...written, startsAt: undefined }, timezone, now)
}

/** How long before the doors open and after they close somebody may be at work. */
const aroundMinutes = 180

/**
 * A time at which somebody comes or goes, as staff type it for a service, as minutes of its date: "9" at a dinner is in the
 * evening, "9" at a brunch before the doors open, "1" after midnight where the service runs that long. Undefined where nobody
 * could read it.
 */
export const readServiceMinute = (
  typed: string,
  { startMinute, endMinute }: Pick<ServicePeriod, 'startMinute' | 'endMinute'>,
): number | undefined => {
  const morning = shortMinute(typed)
  const time = morning === undefined ? readTime(typed) : undefined
  const first = morning ?? (time === undefined ? undefined : minuteOfDay(time))
  if (first === undefined) return undefined
  const others = morning === undefined ? [] : [first + noon, first + minutesPerDay + noon]
  const meant = [first, ...others, first + minutesPerDay].toSorted((a, b) => a - b)
  const within = (around: number) =>
    meant.find((minute) => startMinute - around <= minute && minute <= endMinute + around)
  return within(0) ?? within(aroundMinutes) ?? first
}

/** The minute of the day that is meant, beyond 24 hours after midnight; `passed`: how many of them are over. */
const staffMinute = (typed: string, periods: Served, passed: number): number | undefined => {
  const time = readStaffTime(typed, periods)
  const morning = shortMinute(typed)
  if (time === undefined) return undefined
  if (morning === undefined || isWholeDay(typed)) return minuteOfDay(time)
  const ahead = [morning + noon, morning, morning + minutesPerDay].find(
    (minute) => minute >= passed && isServed(periods, minute),
  )
  return ahead ?? minuteOfDay(time)
}

/** "12:30" where the clock has 24 hours is no time after midnight: a form shows it so. */
const isWholeDay = (typed: string): boolean => /[:.h]/.test(typed) && has24Hours()
const has24Hours = (): boolean => timeInWords('13:00').startsWith('13')

/** A time that may be before or after noon, as minutes of the morning: "8", "830", "8.30", "8:30". */
const shortMinute = (typed: string): number | undefined => {
  const short = /^(1[0-2]|[1-9])(?:[:.h ]?([0-5]\d))?$/.exec(typed.normalize('NFKC').trim())
  return short ? (Number(short[1]) % 12) * 60 + Number(short[2] ?? 0) : undefined
}

const isServed = (periods: Served, minute: number): boolean =>
  periods.some(({ startMinute, endMinute }) => startMinute <= minute && minute < endMinute)

/** From a day's midnight until now; negative for a day ahead. */
const minutesSince = (date: LocalDate, now: { readonly date: LocalDate; readonly time: ClockTime }): number =>
  (dayNumber(now.date) - dayNumber(date)) * minutesPerDay + minuteOfDay(now.time)

/** A time of an address or a record, as a field shows it; what cannot be read stays as it is. */
export const timeShown = (text: string): string => {
  const time = readTime(text)
  return time === undefined ? text : timeInWords(time)
}

const noon = 12 * 60
