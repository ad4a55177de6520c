import { badRequest } from '../../platform/kernel/refusal.ts'
import { type LocalDate, readDate, readMoment } from '../../platform/kernel/time/written-time.ts'
import { momentWallReaches } from '../../platform/kernel/time/venue-clock.ts'
import type { DateOrder } from './fields.ts'

/*
 * Cell values as other programs write them. A mistake is a 400 sentence that names the column, never the value: it is
 * kept in the report, and a report contains nobody's details.
 */

/**
 * A calendar date: `2026-10-05`, or numbers in the file's order with dots, slashes or dashes (`10/5/2026`,
 * `5.10.26`). A time after it is ignored. Undefined for ''; throws 400.
 */
export const dateCell = (what: string, text: string, order: DateOrder): LocalDate | undefined => {
  if (text === '') return undefined
  const day = text.split(/[T\s]/, 1)[0] ?? ''
  const date = readDate(day.replaceAll(/^(\d{4})[/.](\d{2})[/.](\d{2})$/g, '$1-$2-$3')) ?? ordered(day, order)
  if (date === undefined) {
    const form = order === 'month-first' ? 'month/day/year' : 'day.month.year'
    throw badRequest(`${what} must be a real date, as YYYY-MM-DD or ${form}.`)
  }
  return date
}

const ordered = (text: string, order: DateOrder): LocalDate | undefined => {
  const found = /^(\d{1,2})[./-](\d{1,2})[./-](\d{4}|\d{2})$/.exec(text)
  if (!found) return undefined
  const [, one = '', other = '', year = ''] = found
  const [month, day] = order === 'month-first' ? [one, other] : [other, one]
  return readDate(
    `${year.length === 2 ? `20${year}` : year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`,
  )
}

/** The order of numbers in dates, from a sample; if that is ambiguous, as the venue's country writes them. */
export const guessDateOrder = (texts: readonly string[], country: string): DateOrder => {
  for (const text of texts) {
    const found = /^(\d{1,2})[./-](\d{1,2})[./-]\d{2,4}/.exec(text)
    if (!found) continue
    if (Number(found[1]) > 12) return 'day-first'
    if (Number(found[2]) > 12) return 'month-first'
  }
  return country === 'US' ? 'month-first' : 'day-first'
}

/** A moment with a zone, or a date: then the start of that day at the venue. Undefined for ''; throws 400. */
export const momentCell = (
  what: string,
  text: string,
  order: DateOrder,
  zone: string,
): Temporal.Instant | undefined => {
  const moment = readMoment(text)
  if (moment) return moment
  const date = dateCell(what, text, order)
  return date === undefined ? undefined : momentWallReaches({ date, time: '00:00' }, zone)
}

/** A whole number; undefined for ''. Throws 400. */
export const numberCell = (what: string, text: string, most: number): number | undefined => {
  if (text === '') return undefined
  const number = /^\d{1,9}(?:\.0+)?$/.test(text) ? Number(text) : Number.NaN
  if (!(number <= most)) throw badRequest(`${what} must be a whole number from 0 to ${most}.`)
  return number
}

/** One name from a whole one, or from its two parts. */
export const nameCell = (whole: string, first: string, last: string): string =>
  whole || `${first} ${last}`.trim()
