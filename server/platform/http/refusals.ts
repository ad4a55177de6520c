import type { Endpoint } from '@venue-data/contract/webhooks/endpoint.ts'
import { limits } from '@venue-data/contract/limits.ts'
import { type EdgeReason, edgeReasons, reasons } from '@venue-data/contract/reasons.ts'
import { type Scope, scopes } from '@venue-data/contract/scopes.ts'
import { listInWords } from '../kernel/time/calendar.ts'
import { inBody } from '../kernel/problem.ts'
import { Refusal, badRequest, refuse } from '../kernel/refusal.ts'

/*
 * The refusals that come before any business logic (docs/api.md#errors). One sentence for each cause; a 401 has a
 * single sentence for all causes, so that nothing can be learned from it. A key in the wrong header gets its own
 * sentence, whether or not the key is valid.
 */

/** Its reason appears only in the problem form. */
const atEdge = (reason: EdgeReason, sentence: string, headers: Record<string, string> = {}): Refusal =>
  new Refusal(edgeReasons[reason].status, sentence, { problem: { reason }, headers })

export const unknownKey = (): Refusal =>
  atEdge(
    'unknown-key',
    'Send a valid API key in the X-Service-Key header; this request has none, or one that is unknown or revoked.',
  )

export const keyInAuthorization = (): Refusal =>
  atEdge(
    'unknown-key',
    'Send the API key in the X-Service-Key header; Authorization, where this request has it, is for staff sign-ins.',
  )

export const tooManyRequests = (limit: number, retryAfterSeconds: number, of = 'requests'): Refusal =>
  atEdge(
    'rate-limited',
    `This key has made more than ${limit} ${of} in a minute; try again in ${retryAfterSeconds} ${retryAfterSeconds === 1 ? 'second' : 'seconds'}.`,
    { 'retry-after': String(retryAfterSeconds) },
  )

export const venueMayNot = (): Refusal =>
  atEdge(
    'venue-may-not',
    'The venue cannot use the API now: its plan does not include it, its access is not approved, or its account is paused.',
  )

export const readOnlyKey = ({ method }: Pick<Endpoint, 'method'>): Refusal =>
  atEdge(
    'read-only-key',
    method === 'GET'
      ? 'This key is read-only; a read and write key is needed here, even to read.'
      : 'This key is read-only; a read and write key is needed to change anything.',
  )

export const ownSoftwareOnly = (): Refusal =>
  atEdge(
    'own-software-only',
    'An automation-platform key cannot do this; an API key with read and write access can.',
  )

export const apiKeyRequired = (): Refusal => refuse('api-key-required', reasons['api-key-required'].sentence)

export const scopeMissing = (scope: Scope): Refusal =>
  refuse('scope-missing', `This key may not ${scopes[scope]}; its owner can allow it.`)

export const staffOnly = (field: string): Refusal => refuse('staff-only', `A key cannot set ${field}.`)

export const nothingToChange = ({ body }: Pick<Endpoint, 'body'>): Refusal =>
  badRequest(
    `Name at least one field to change: ${Object.keys((body as unknown as { properties: object }).properties).join(', ')}.`,
    inBody('', 'missing'),
  )

export const addressNotAllowed = (address: string): Refusal =>
  refuse('address-not-allowed', `This key may not be used from ${address}; its owner can allow that address.`)

export const rotationOff = (): Refusal => refuse('rotation-off', reasons['rotation-off'].sentence)

export const contactsHidden = (): Refusal =>
  refuse('scope-missing', 'This key may not search by contact details; its owner can allow it.')

/** `meant`: the path that was probably meant, which has one. */
export const noDryRun = (meant?: string): Refusal =>
  refuse(
    'no-dry-run',
    meant === undefined
      ? reasons['no-dry-run'].sentence
      : `There is no dry run of this call. Send its whole path, ${meant}.`,
  )

export const venueGone = (): Refusal => atEdge('no-such-record', 'The venue of this key cannot be found.')

export const unknownAddress = (): Refusal => atEdge('no-such-address', 'There is nothing at this address.')

export const rootAddress = (): Refusal =>
  atEdge(
    'no-such-address',
    'There is nothing at this address itself; the documentation of the API is at /docs.',
  )

export const wrongMethod = (allowed: readonly string[]): Refusal =>
  atEdge('method-not-allowed', `This address takes only ${listInWords(allowed)}.`, {
    allow: allowed.join(', '),
  })

export const tooLarge = ({ bytes, status }: { bytes: number; status: 400 | 413 }): Refusal =>
  new Refusal(status, `The request is too large: its body may have at most ${bytes / 1024} KB.`, {
    problem: { reason: 'body-too-large' },
  })

export const unreadableRequest = (): Refusal =>
  badRequest('The request could not be read as HTTP.', 'request-unreadable')

export const lateRequest = (): Refusal =>
  badRequest('The request did not arrive in time; send its body without pauses.', 'request-unreadable')

export const faultyData = (): Refusal =>
  new Refusal(503, "The service could not reach the venue's data; try again shortly.", {
    headers: { 'retry-after': String(limits.retryAfterFaultSeconds) },
  })

export const noRoomToWrite = (): Refusal =>
  new Refusal(503, 'The database has no room left to write; what only reads is still answered.', {
    headers: { 'retry-after': String(limits.retryAfterFaultSeconds) },
  })

export const stillPreparing = (): Refusal =>
  new Refusal(503, 'The demo venue is being made; try again shortly.', {
    headers: { 'retry-after': String(limits.retryAfterFaultSeconds) },
  })

export const backgroundFails = (loops: readonly string[]): Refusal =>
  new Refusal(
    503,
    `Background work has failed again and again for some minutes: ${loops.join(', ')}. The log says by which error.`,
  )

export const ourFault = (): Refusal =>
  new Refusal(500, 'Something went wrong on our side; try again with a pause.')

export const answerErased = (): Refusal => refuse('answer-erased', reasons['answer-erased'].sentence)

export const differentBody = (): Refusal => refuse('different-body', reasons['different-body'].sentence)

export const stillProcessing = (): Refusal =>
  refuse('still-processing', reasons['still-processing'].sentence, undefined, {
    'retry-after': String(limits.retryAfterFaultSeconds),
  })

export const outcomeUnknown = (): Refusal =>
  refuse(
    'outcome-unknown',
    "An earlier try with this Idempotency-Key never finished, so its outcome is unknown; check the venue's data before trying with changed details, or wait a day.",
  )
