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
export const weekdayOf = (date: LocalDate): number => {
  const sinceThursday = dayNumber(date) % 7
  return ((sinceThursday + 7 + 3) % 7) + 1
}

/**
 * Calendar arithmetic, never seconds: a day at the venue may have 23 or 25 hours. It stops at the first and the
 * last date that can be written and stored, so that the neighbors of every readable date are dates too.
 */
export const addDays = (date: LocalDate, days: number): LocalDate =>
  dateOf(Math.min(Math.max(dayNumber(date) + days, firstDay), lastDay))

/*
 * Dates as numbers of days since 1970-01-01, in the Gregorian calendar for all years. Temporal does the same at twenty
 * times the price, and a page of open times asks for thousands. Years begin in March here, so that the leap day is a year's
 * last, and 400 years, an era, always have the same number of days.
 */

const daysOfEra = 146_097
/** From 1 March of year 0 to 1970-01-01. */
const epochDay = 719_468

/** Days from 1970-01-01 to a date. */
export const dayNumber = (date: LocalDate): number => {
  const month = Number(date.slice(5, 7))
  const year = Number(date.slice(0, 4)) - (month <= 2 ? 1 : 0)
  const era = Math.floor(year / 400)
  const yearOfEra = year - era * 400
  const dayOfYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + Number(date.slice(8, 10)) - 1
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear
  return era * daysOfEra + dayOfEra - epochDay
}

const dateOf = (day: number): LocalDate => {
  const sinceMarch = day + epochDay
  const era = Math.floor(sinceMarch / daysOfEra)
  const dayOfEra = sinceMarch - era * daysOfEra
  const leapDays =
    Math.floor(dayOfEra / 1460) - Math.floor(dayOfEra / 36_524) + Math.floor(dayOfEra / 146_096)
  const yearOfEra = Math.floor((dayOfEra - leapDays) / 365)
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const monthFromMarch = Math.floor((5 * dayOfYear + 2) / 153)
  const month = ((monthFromMarch + 2) % 12) + 1
  const year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0)
  const dayOfMonth = dayOfYear - Math.floor((153 * monthFromMarch + 2) / 5) + 1
  return `${padded(year, 4)}-${padded(month, 2)}-${padded(dayOfMonth, 2)}`
}

const padded = (number: number, digits: number): string => String(number).padStart(digits, '0')

const firstDay = dayNumber('0001-01-01')
const lastDay = dayNumber('9999-12-31')

/** Monday is 1, Sunday 7. */
export const isoWeekdays = [1, 2, 3, 4, 5, 6, 7] as const

/** All seven, from the one that weeks begin with. */
export const weekdaysFrom = (first: number): readonly number[] =>
  isoWeekdays.map((_, at) => ((first - 1 + at) % 7) + 1)

/** "Friday", from an ISO weekday. */
export const weekdayName = (weekday: number): string => weekdays[weekday - 1] ?? ''

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

/** The first day of a date's week, where weeks begin with that weekday. */
export const firstOfWeek = (date: LocalDate, firstWeekday: number): LocalDate =>
  addDays(date, -((weekdayOf(date) - firstWeekday + 7) % 7))
