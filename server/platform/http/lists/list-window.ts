import { limits } from '@venue-data/contract/limits.ts'
import { inQuery } from '../../kernel/problem.ts'
import { badRequest } from '../../kernel/refusal.ts'
import { type QueryValue, momentAsked, onlyValue, wholeFault } from '../query-words.ts'

/** The requested window of a list: at most `limit` records, created at or after `since`. */
export type ListWindow = { readonly limit: number; readonly since: Temporal.Instant | undefined }

/**
 * Reads `limit` and `since` of a list request; the defaults are 25 and no bound. `since` is in whole milliseconds, as
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

/** Digits only. A number of any length above the maximum means the maximum. */
export const readLimit = (
  text: string | undefined,
  { standard, most }: { readonly standard: number; readonly most: number },
): number => {
  if (text === undefined) return standard
  const digits = /^[0-9]*$/.test(text) ? text.replace(/^0+/, '') : ''
  if (!digits) {
    throw badRequest(`limit must be a whole number from 1 to ${most}.`, inQuery('limit', wholeFault(text)))
  }
  return digits.length > String(most).length ? most : Math.min(Number(digits), most)
}
