import { STATUS_CODES } from 'node:http'
import { edgeReasons, problemTypes } from '@venue-data/contract/reasons.ts'
import type { Refusal } from '../kernel/refusal.ts'
import { weightOf } from './accept.ts'

/*
 * Refusals as problem details (RFC 9457), for callers that name that form in `Accept`. Each has a reason and lists
 * every wrong field or parameter of the request (docs/api.md#the-problem-form).
 */

export const problemType = 'application/problem+json'

/** Whether `Accept` names the form, with a weight above 0; wildcards get version 1's form. */
export const asksForProblem = (accept: string | undefined): boolean => weightOf(accept, problemType) > 0

/** `error` also holds the sentence, so that one parser reads both forms. */
export const problemText = (refusal: Refusal, requestId: string): string => {
  const { status, message, problem, details } = refusal
  const reason = refusal.reason ?? problem?.reason
  return JSON.stringify({
    ...kindOf(refusal),
    status,
    detail: message,
    instance: `urn:request:${requestId}`,
    ...(reason && { reason }),
    ...(problem?.errors && {
      errors: problem.errors.map(({ place, fault, sentence }) => ({
        ...place,
        reason: fault,
        detail: sentence,
      })),
    }),
    error: message,
    ...details,
  })
}

/** The reason's anchor on /docs/errors and its title; without an anchor, the problem is just its status. */
const kindOf = ({ status, reason, problem }: Refusal): { type: string; title: string } => {
  const ofStatus = STATUS_CODES[status] as string
  if (reason) return { type: `/docs/errors#reason-${reason}`, title: ofStatus }
  if (!problem) return { type: 'about:blank', title: ofStatus }
  const { type } = edgeReasons[problem.reason]
  return { type: `/docs/errors#${type}`, title: problemTypes[type] }
}
