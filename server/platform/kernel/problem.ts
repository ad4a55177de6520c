import type { EdgeReason, Fault } from '@venue-data/contract/reasons.ts'

/*
 * What a refusal says only to who asks for the problem form (docs/api.md#the-problem-form): why, where the plain form has
 * no reason, and each place of the request that is wrong. Names and limits, never what was sent there.
 */

export type Problem = { readonly reason: EdgeReason; readonly errors?: readonly WrongPlace[] }

/** A place in the request, what is wrong there, and a sentence that says so. */
export type WrongPlace = { readonly place: Place; readonly fault: Fault; readonly sentence: string }

/** A field of the body by its JSON pointer, a query parameter, or a header. */
export type Place =
  | { readonly pointer: string }
  | { readonly parameter: string }
  | { readonly header: string }

/** What a 400 is about: a place with its fault, and the reason that follows from it. */
export type Wrong = { readonly reason: EdgeReason; readonly place: Place; readonly fault: Fault }

/** How a place is named. Readers that serve both bodies and queries get the naming that fits. */
export type Naming = (name: string, fault: Fault, reason?: EdgeReason) => Wrong

/** A field of the body, by its path as sentences have it: `consent.at`, `segment.of[0].type`. */
export const inBody: Naming = (path, fault, reason = reasonOf(fault)) => ({
  reason,
  place: { pointer: pointerTo(path.split(/[.[\]]+/).filter((name) => name !== '')) },
  fault,
})

const reasonOf = (fault: Fault): EdgeReason => {
  if (fault === 'missing') return 'field-missing'
  return fault === 'too-long' ? 'field-too-long' : 'field-invalid'
}

/** A JSON pointer (RFC 6901) in the form that URLs have. */
export const pointerTo = (path: readonly (string | number)[]): string =>
  `#${path.map((name) => `/${encodeURIComponent(escaped(String(name)))}`).join('')}`

const escaped = (name: string): string => name.toWellFormed().replaceAll('~', '~0').replaceAll('/', '~1')

export const inQuery: Naming = (parameter, fault, reason = 'query-invalid') => ({
  reason,
  place: { parameter },
  fault,
})

export const inHeader = (header: string, fault: Fault, reason: EdgeReason): Wrong => ({
  reason,
  place: { header },
  fault,
})

/** The problem of a refusal whose sentence is about one place, or about none in particular. */
export const problemOf = (sentence: string, about: EdgeReason | Wrong): Problem => {
  if (typeof about === 'string') return { reason: about }
  const { reason, place, fault } = about
  return { reason, errors: [{ place, fault, sentence }] }
}
