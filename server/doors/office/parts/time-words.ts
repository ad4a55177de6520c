import { addDays } from '../../../platform/kernel/time/calendar.ts'
import { dayNear } from '../../../platform/kernel/time/in-words.ts'
import { type Moment, minuteOf, toInstant } from '../../../platform/kernel/time/moment.ts'
import type { LocalDate } from '../../../platform/kernel/time/written-time.ts'

/** Minutes from a moment to now, as both show on a clock; negative before it. */
export const minutesSince = (moment: Moment | Temporal.Instant, now: Temporal.Instant): number => {
  const then = typeof moment === 'string' ? toInstant(moment) : moment
  return minuteOf(then).until(minuteOf(now)).total('minutes')
}

/** "just now", "4 min ago". */
export const sinceInWords = (moment: Moment | Temporal.Instant, now: Temporal.Instant): string => {
  const then = typeof moment === 'string' ? toInstant(moment) : moment
  const minutes = Math.floor(then.until(now).total('minutes'))
  return minutes < 1 ? 'just now' : `${minutesInWords(minutes)} ago`
}

/** The minutes that a party still has its table: "5 left", "due"; once it is over time "3 over". */
export const leftInWords = (left: number): string =>
  left < 0 ? `${-left} over` : left === 0 ? 'due' : `${left} left`

/** Minutes where a column holds two digits: "in 95"; from 100 on as hours and minutes, "in 1:40". */
export const inMinutes = (minutes: number): string =>
  minutes < 100 ? `in ${minutes}` : `in ${hoursAndMinutes(minutes)}`

/** The same of time that is over: "95 over", "+1:40", as "over" does not fit behind so much. */
export const overMinutes = (minutes: number): string =>
  minutes < 100 ? `${minutes} over` : `+${hoursAndMinutes(minutes)}`

const hoursAndMinutes = (minutes: number): string =>
  `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`

/** A wait: "95 min"; from 100 minutes on "2 h 55 min". */
export const waitInWords = (minutes: number): string =>
  minutes < 100 ? `${minutes} min` : minutesInWords(minutes)

/** "25 min", "1 h 5 min", "3 h". */
export const minutesInWords = (minutes: number): string => {
  const hours = Math.floor(minutes / 60)
  const rest = minutes % 60
  if (hours === 0) return `${rest} min`
  return rest === 0 ? `${hours} h` : `${hours} h ${rest} min`
}

/** "New York", the city of an IANA zone, as people name a time zone. */
export const cityOf = (zone: string): string => (zone.split('/').at(-1) ?? zone).replaceAll('_', ' ')

/** "Today", "Tomorrow", "Yesterday", or undefined for other days. */
export const nearDay = (date: LocalDate, today: LocalDate): string | undefined =>
  date === today
    ? 'Today'
    : date === addDays(today, 1)
      ? 'Tomorrow'
      : date === addDays(today, -1)
        ? 'Yesterday'
        : undefined

/** "today", or "Friday 9 October", with its year where it is not this one: a day within a sentence. */
export const dayInSentence = (date: LocalDate, today: LocalDate): string =>
  nearDay(date, today)?.toLowerCase() ?? dayNear(date, today)

/** "1 guest", "4 guests". */
export const guestsInWords = (size: number | null): string =>
  size === null ? 'party size not given' : size === 1 ? '1 guest' : `${size} guests`

/** A record's id in a path, or undefined for anything that is not an id. */
export const idIn = (text: string | undefined): number | undefined =>
  text !== undefined && /^[1-9]\d{0,15}$/.test(text) && Number.isSafeInteger(Number(text))
    ? Number(text)
    : undefined
