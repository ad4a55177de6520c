import { STATUS_CODES } from 'node:http'
import { edgeReasons, problemTypes } from '@venue-data/contract/reasons.ts'
import type { Refusal } from '../kernel/refusal.ts'

/*
 * Refusals as problem details (RFC 9457), for who names that form in `Accept`: with a reason for each, and every wrong
 * place of the request (docs/api.md#the-problem-form).
 */

export const problemType = 'application/problem+json'

/** Whether `Accept` lists the form itself, and not at weight 0; wildcards ask for what version 1 sends. */
export const asksForProblem = (accept: string | undefined): boolean =>
  // Nearly nobody asks, and every refusal comes by here.
  accept?.toLowerCase().includes(problemType) === true &&
  accept.split(',').some((one) => {
    const [type = '', ...parameters] = one.split(';').map((part) => part.trim().toLowerCase())
    return type === problemType && !parameters.some((parameter) => /^q\s*=\s*0(?:\.0*)?$/.test(parameter))
  })

/** `error` has the sentence, too, so that one parser reads both forms. */
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

/** Where /docs/errors tells of it, and its name; where that says nothing, it is what its status means. */
const kindOf = ({ status, reason, problem }: Refusal): { type: string; title: string } => {
  const ofStatus = STATUS_CODES[status] as string
  if (reason) return { type: `/docs/errors#reason-${reason}`, title: ofStatus }
  if (!problem) return { type: 'about:blank', title: ofStatus }
  const { type } = edgeReasons[problem.reason]
  return { type: `/docs/errors#${type}`, title: problemTypes[type] }
}
