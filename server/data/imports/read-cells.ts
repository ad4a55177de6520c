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
  const { day } = dayAndRest(text)
  const date = readDate(day.replaceAll(/^(\d{4})[/.](\d{2})[/.](\d{2})$/g, '$1-$2-$3')) ?? ordered(day, order)
  if (date === undefined) {
    const example = order === 'month-first' ? '10/25/2026' : '25.10.2026'
    throw badRequest(`${what} must be a real date, such as ${example}.`)
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

/**
 * A cell that begins with a day, as the day and what is behind it, such as a time. A day with a named month comes back
 * as YYYY-MM-DD.
 */
export const dayAndRest = (text: string): { readonly day: string; readonly rest: string } => {
  const named = namedDay(text)
  if (named?.year !== undefined)
    return { day: `${named.year}-${twoDigits(named.month)}-${twoDigits(named.day)}`, rest: named.rest }
  const [day = ''] = text.split(/[T\s]/, 1)
  return { day, rest: text.slice(day.length).replace(/^(?:T|\s+)/, '') }
}

/** The languages whose months are known by their names. */
const languages = ['en', 'de', 'es', 'fr', 'it', 'nl', 'pt', 'ja'] as const

const plainWord = (text: string): string => text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()

/** Months by their names and by every beginning of three letters or more that only one month has. */
const months: ReadonlyMap<string, number> = (() => {
  const found = new Map<string, number>()
  for (const language of languages) {
    for (const form of ['long', 'short'] as const) {
      for (let month = 1; month <= 12; month++) {
        const word = plainWord(
          new Temporal.PlainDate(2024, month, 15).toLocaleString(language, { month: form }),
        ).replaceAll(/[^\p{L}]/gu, '')
        for (let letters = 3; letters <= word.length; letters++) {
          const start = word.slice(0, letters)
          const other = found.get(start)
          found.set(start, other === undefined || other === month ? month : 0)
        }
      }
    }
  }
  return found
})()

export type NamedDay = {
  readonly year: string | undefined
  readonly month: number
  readonly day: number
  readonly rest: string
}

const weekday = String.raw`(?:\p{L}[\p{L}-]{1,14}[.,]{0,2}\s{1,3})?`
const dayNumber = String.raw`(?<day>\d{1,2})(?:\.|st|nd|rd|th|er|o)?`
const monthName = String.raw`(?<month>\p{L}{3,12})`
const yearAfter = String.raw`(?:[.,]{0,2}[\s-]{1,3}(?:del?\s)?(?<year>\d{4}|\d{2}(?![\d:])))?`
const rest = String.raw`(?![\d:])[.,]?(?<rest>.*)$`
const dayFirst = new RegExp(
  `^${weekday}${dayNumber}[\\s-]{1,3}(?:de\\s)?${monthName}${yearAfter}${rest}`,
  'su',
)
const monthFirst = new RegExp(`^${weekday}${monthName}[.]?[\\s-]{1,3}${dayNumber}${yearAfter}${rest}`, 'su')
const japanese = /^(?:(?<year>\d{4})年)?(?<month>\d{1,2})月(?<day>\d{1,2})日(?<rest>.*)$/su

/** A day whose month is named, in eight languages: `Oct 5, 2026`, `5. Oktober 2026`, `5-Oct-26`, `5 de octubre`. */
export const namedDay = (text: string): NamedDay | undefined => {
  const plain = plainWord(text.slice(0, 80).trim())
  for (const form of [dayFirst, monthFirst, japanese]) {
    const { day = '', month = '', year, rest = '' } = form.exec(plain)?.groups ?? {}
    const number = form === japanese ? Number(month) : (months.get(month) ?? 0)
    if (number < 1 || number > 12) continue
    return {
      year: year?.length === 2 ? `20${year}` : year,
      month: number,
      day: Number(day),
      rest: rest.replace(/^[\s,-]{0,5}(?:(?:at|um|om|alle)\s)?/, '').trim(),
    }
  }
  return undefined
}

const twoDigits = (number: number): string => String(number).padStart(2, '0')

/** A time of day as programs write it: `7:30:00 PM` and `7:30 p. m.` as `7:30pm`. */
export const timeCell = (text: string): string =>
  text
    .slice(0, 40)
    .replace(
      /^(\d{1,2}[:.]\d{2})(?::\d{2})?\s?([ap])\.?\s?m\.?$/i,
      (_, clock: string, half: string) => `${clock}${half.toLowerCase()}m`,
    )

/** A language that guests can read us in, from its code or its name; undefined for another. */
export const languageCell = (text: string): string | undefined => {
  const plain = plainWord(text.trim())
  const [code = ''] = plain.split(/[-_]/, 1)
  return languages.find(
    (one) =>
      one === code ||
      ['en', one].some(
        (as) => plainWord(new Intl.DisplayNames(as, { type: 'language' }).of(one) ?? '') === plain,
      ),
  )
}

/** Yes, in the words of a few languages; anything else is none. */
export const yesCell = (text: string): boolean => /^(?:y|yes|true|1|x|vip|ja|oui|s[ií]|sim|✓)$/i.test(text)

/** Tags as programs write them in one cell. */
export const tagsCell = (text: string): string[] =>
  text
    .split(/[;,|\n]/)
    .map((tag) => tag.replaceAll(/\s+/g, ' ').trim())
    .filter(Boolean)

/** The order of numbers in dates, from a sample; if that is ambiguous, as the venue's country writes them. */
export const guessDateOrder = (texts: readonly string[], country: string): DateOrder => {
  for (const text of texts) {
    const order = orderIn(text)
    if (order) return order
  }
  return country === 'US' ? 'month-first' : 'day-first'
}

const numbers = /^(\d{1,2})[./-](\d{1,2})[./-]\d{2,4}/

/** The order of the numbers in a date, where only one is possible. */
export const orderIn = (text: string): DateOrder | undefined => {
  const [, first, second] = numbers.exec(text) ?? []
  if (Number(first) > 12) return 'day-first'
  return Number(second) > 12 ? 'month-first' : undefined
}

/** Whether a date means another day with the numbers in the other order. */
export const isEitherOrder = (text: string): boolean => {
  const [, first, second] = numbers.exec(text) ?? []
  return first !== undefined && orderIn(text) === undefined && Number(first) !== Number(second)
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
