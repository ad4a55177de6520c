import type { LocalDate } from './written-time.ts'

const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const
/** From January on. */
export const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const

/** ISO weekday of a date: Monday is 1, Sunday is 7. */
export const weekdayOf = (date: LocalDate): number => Temporal.PlainDate.from(date).dayOfWeek

/**
 * Calendar arithmetic, never seconds: a day at the venue may have 23 or 25 hours. It stops at the first and the
 * last date that can be written and stored, so that the neighbors of every readable date are dates too.
 */
export const addDays = (date: LocalDate, days: number): LocalDate => {
  const from = Temporal.PlainDate.from(date)
  const within = Math.min(Math.max(days, from.until(firstDate).days), from.until(lastDate).days)
  return from.add({ days: within }).toString()
}

const firstDate = Temporal.PlainDate.from('0001-01-01')
const lastDate = Temporal.PlainDate.from('9999-12-31')

/** "Friday", from an ISO weekday. */
export const weekdayName = (weekday: number): string => weekdays[weekday - 1] ?? ''

/** "Tuesday 6 October". Written here rather than by Intl, whose wording changes between versions. */
export const dayInWords = (date: LocalDate): string => {
  const { dayOfWeek, day, month } = Temporal.PlainDate.from(date)
  return `${weekdayName(dayOfWeek)} ${day} ${months[month - 1]}`
}

/** "8 March 2026". */
export const dateInWords = (date: LocalDate): string => {
  const { day, month, year } = Temporal.PlainDate.from(date)
  return `${day} ${months[month - 1]} ${year}`
}

/** "Saturday 5 December 2026". */
export const dayAndYearInWords = (date: LocalDate): string =>
  `${weekdayName(weekdayOf(date))} ${dateInWords(date)}`

/** "Tue, 06 Oct 2026 19:00:00 GMT": a moment as HTTP writes it (RFC 9110, 5.6.7), to the second. */
export const httpDate = (moment: Temporal.Instant): string => {
  const { dayOfWeek, day, month, year, hour, minute, second } = moment.toZonedDateTimeISO('UTC')
  const two = (number: number): string => String(number).padStart(2, '0')
  const date = `${two(day)} ${months[month - 1]?.slice(0, 3)} ${String(year).padStart(4, '0')}`
  return `${weekdayName(dayOfWeek).slice(0, 3)}, ${date} ${two(hour)}:${two(minute)}:${two(second)} GMT`
}

/** "10:00", "10:00 and 12:00", "10:00, 12:00 and 13:30". */
export const listInWords = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
