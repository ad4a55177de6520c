import { type EdgeReason, type Reason, reasons } from '@venue-data/contract/reasons.ts'
import { type Problem, type Wrong, problemOf } from './problem.ts'

/**
 * A refusal: what the caller gets instead of what was asked for. The sentence is public and written for
 * a person; the reason is the stable code a program may act on (docs/api.md#errors).
 * Rules return refusals as values; an action throws one once; `platform/http/answer-error.ts` prints it.
 */
export class Refusal extends Error {
  readonly status: number
  readonly reason: Reason | undefined
  /** Details shown only in the problem form. */
  readonly problem: Problem | undefined
  /** Further public fields of the answer, such as the blockers of a checklist. */
  readonly details: Readonly<Record<string, unknown>>
  readonly headers: Readonly<Record<string, string>>
  /** The table that was asked for, where a booking rule refused it: who answers counts it (data/reports/demand). */
  readonly table: TableAsked | undefined

  constructor(
    status: number,
    sentence: string,
    more: {
      reason?: Reason | undefined
      problem?: Problem | undefined
      details?: Record<string, unknown>
      headers?: Record<string, string>
      table?: TableAsked
    } = {},
  ) {
    super(sentence)
    this.name = 'Refusal'
    this.status = status
    this.reason = more.reason
    this.problem = more.problem
    this.details = more.details ?? {}
    this.headers = more.headers ?? {}
    this.table = more.table
  }
}

/** A table somebody asked for, where it is in the venue's book. */
export type TableAsked = {
  readonly serviceDate: string
  /** Minutes after 00:00 of the service date. */
  readonly serviceMinute: number
  readonly partySize: number
}

/** What a booking rule refuses. */
export const refuseTable = (
  { reason, sentence }: { readonly reason: Reason; readonly sentence: string },
  table: TableAsked,
): Refusal => new Refusal(reasons[reason].status, sentence, { reason, table })

/** A refusal with a reason code; the reason carries the status. */
export const refuse = (
  reason: Reason,
  sentence: string,
  details?: Record<string, unknown>,
  headers?: Record<string, string>,
): Refusal =>
  new Refusal(reasons[reason].status, sentence, {
    reason,
    ...(details && { details }),
    ...(headers && { headers }),
  })

/** The same refusal, which says more. */
export const withDetails = (refusal: Refusal, details: Record<string, unknown>): Refusal =>
  new Refusal(refusal.status, refusal.message, {
    reason: refusal.reason,
    problem: refusal.problem,
    details: { ...refusal.details, ...details },
    headers: refusal.headers,
  })

/** 400: the request is missing something or cannot be read; the sentence says what, and `about` where. */
export const badRequest = (sentence: string, about: EdgeReason | Wrong = 'field-invalid'): Refusal =>
  new Refusal(400, sentence, { problem: problemOf(sentence, about) })

/** 404: one sentence for "never existed" and "another venue's", so that nobody can tell which. */
export const notFound = (what: string): Refusal =>
  new Refusal(404, `There is no such ${what} at this venue.`, { problem: { reason: 'no-such-record' } })
