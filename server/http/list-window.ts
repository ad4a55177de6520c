import { limits } from '@venue-data/contract/limits.ts'
import { wholeMilliseconds } from '../kernel/moment.ts'
import { badRequest } from '../kernel/refusal.ts'
import { inRange, readQueryMoment } from '../kernel/written-time.ts'

/** Which records of a list are wanted: at most `limit`, created at or after `since`. */
export type ListWindow = { readonly limit: number; readonly since: Temporal.Instant | undefined }

/** A query value as the URL had it: a parameter that was repeated arrives as an array. */
export type QueryValue = string | readonly string[] | undefined

/**
 * Reads `limit` and `since` of a list request; if absent, they are 25 and no bound. `since` is in whole milliseconds, as
 * moments are stored. Other parameters are ignored.
 *
 * @throws Refusal 400 when either is repeated, empty, has spaces around it or cannot be read.
 */
export const readListWindow = (query: {
  readonly limit?: QueryValue
  readonly since?: QueryValue
}): ListWindow => ({
  limit: readLimit(onlyValue('limit', query.limit), { standard: limits.listDefault, most: limits.listMost }),
  since: momentAsked('since', onlyValue('since', query.since)),
})

/** The value of a query parameter that may be given once. @throws Refusal 400 when it is repeated. */
export const onlyValue = (name: string, value: QueryValue): string | undefined => {
  if (value === undefined || typeof value === 'string') return value
  throw badRequest(`${name} can be given only once.`)
}

/** Digits and nothing else. However long the number, anything above the most is the most. */
export const readLimit = (
  text: string | undefined,
  { standard, most }: { readonly standard: number; readonly most: number },
): number => {
  if (text === undefined) return standard
  const digits = /^0*([0-9]*)$/.exec(text)?.[1]
  if (!digits) throw badRequest(`limit must be a whole number from 1 to ${most}.`)
  return digits.length > String(most).length ? most : Math.min(Number(digits), most)
}

/** A moment between two lists of records: those before it and those at it or after. */
export const momentAsked = (name: string, text: string | undefined): Temporal.Instant | undefined => {
  if (text === undefined) return undefined
  const moment = readQueryMoment(text)
  if (moment === undefined) {
    throw badRequest(`${name} must be a date and time with a zone, such as 2026-10-05T19:00:00Z.`)
  }
  // Rounded up: a record of .123 was not made at or after .1234, but before it. The last instant of 9999 has no next one.
  return (
    inRange(moment.round({ smallestUnit: 'millisecond', roundingMode: 'ceil' })) ?? wholeMilliseconds(moment)
  )
}
