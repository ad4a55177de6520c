import type { Fault } from '@venue-data/contract/reasons.ts'
import { wholeMilliseconds } from '../kernel/moment.ts'
import { inQuery } from '../kernel/problem.ts'
import { badRequest } from '../kernel/refusal.ts'
import { type LocalDate, inRange, readDate, readQueryMoment } from '../kernel/written-time.ts'

/*
 * The forms in which query parameters are written, for every endpoint alike. Each reader takes the name for its sentence
 * and throws a Refusal 400 for what cannot be read.
 */

/** A query value as the URL had it: a parameter that was repeated arrives as an array. */
export type QueryValue = string | readonly string[] | undefined

/** The value of a query parameter that may be given once. @throws Refusal 400 when it is repeated. */
export const onlyValue = (name: string, value: QueryValue): string | undefined => {
  if (value === undefined || typeof value === 'string') return value
  throw badRequest(`${name} can be given only once.`, inQuery(name, 'repeated', 'query-repeated'))
}

/** A moment between two lists of records: those before it and those at it or after. */
export const momentAsked = (name: string, text: string | undefined): Temporal.Instant | undefined => {
  if (text === undefined) return undefined
  const moment = readQueryMoment(text)
  if (moment === undefined) {
    throw badRequest(
      `${name} must be a date and time with a zone, such as 2026-10-05T19:00:00Z.`,
      inQuery(name, 'not-a-moment'),
    )
  }
  // Rounded up: a record of .123 was not made at or after .1234, but before it. The last instant of 9999 has no next one.
  return (
    inRange(moment.round({ smallestUnit: 'millisecond', roundingMode: 'ceil' })) ?? wholeMilliseconds(moment)
  )
}

export const dateAsked = (name: string, text: string | undefined): LocalDate => {
  const date = text && readDate(text)
  if (!date) {
    throw badRequest(
      `${name} must be a real date, written YYYY-MM-DD.`,
      inQuery(name, text ? 'not-a-date' : 'missing'),
    )
  }
  return date
}

/** Digits and nothing else. `of`: what is counted, for the sentence. */
export const wholeAsked = (
  name: string,
  text: string | undefined,
  { from = 1, to, of }: { readonly from?: number; readonly to: number; readonly of?: string },
): number => {
  const number = /^[0-9]{1,9}$/.test(text ?? '') ? Number(text) : Infinity
  if (number < from || number > to) {
    throw badRequest(
      `${name} must be a whole number${of ? ` of ${of}` : ''} from ${from} to ${to}.`,
      inQuery(name, wholeFault(text)),
    )
  }
  return number
}

/** What keeps a text from being the whole number it should be. */
export const wholeFault = (text: string | undefined): Fault => {
  if (text === undefined) return 'missing'
  return /^-?[0-9]+$/.test(text) ? 'out-of-range' : 'not-an-integer'
}

/** One of two words. */
export const wordAsked = <const Word extends string>(
  name: string,
  text: string,
  words: readonly [Word, Word],
): Word => {
  const word = words.find((one) => one === text)
  if (!word) throw badRequest(`${name} must be ${words.join(' or ')}.`, inQuery(name, 'not-a-word'))
  return word
}
