import type { Fault } from '@venue-data/contract/reasons.ts'
import { wholeMilliseconds } from '../kernel/time/moment.ts'
import { inQuery } from '../kernel/problem.ts'
import { badRequest } from '../kernel/refusal.ts'
import { type LocalDate, inRange, readDate, readQueryMoment } from '../kernel/time/written-time.ts'

/*
 * The syntax of query parameters, the same for every endpoint. Each reader takes the parameter's name for its sentence
 * and throws a Refusal 400 for anything it cannot read.
 */

/** A query value as the URL had it: a repeated parameter arrives as an array. */
export type QueryValue = string | readonly string[] | undefined

/** The value of a parameter that may be given once. @throws Refusal 400 when it is repeated. */
export const onlyValue = (name: string, value: QueryValue): string | undefined => {
  if (value === undefined || typeof value === 'string') return value
  throw badRequest(`${name} can be given only once.`, inQuery(name, 'repeated', 'query-repeated'))
}

/** A moment that splits lists of records: those before it, and those at or after it. */
export const momentAsked = (name: string, text: string | undefined): Temporal.Instant | undefined => {
  if (text === undefined) return undefined
  const moment = readQueryMoment(text)
  if (moment === undefined) {
    throw badRequest(
      `${name} must be a date and time with a zone, such as 2026-10-05T19:00:00Z.`,
      inQuery(name, 'not-a-moment'),
    )
  }
  // Rounded up: a record of .123 was made before .1234, not after. The last instant of 9999 has no successor.
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

/** Digits only. `of`: what is counted, for the sentence. */
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

/** Why a text is not the whole number it should be. */
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
