import type { Fault, OpenTime, Reason } from './generated/records.ts'

/** The details of a failed call. */
export type Sent = {
  readonly operation: string
  readonly attempts: number
  readonly idempotencyKey: string | undefined
}

/** The contents of a refusal. */
export type Refusal = Sent & {
  readonly status: number
  readonly headers: Headers
  readonly body: Readonly<Record<string, unknown>>
}

/** One thing that is wrong with a request. */
export type WrongPart = {
  /** A JSON pointer into the body. */
  readonly pointer?: string
  readonly parameter?: string
  readonly header?: string
  readonly reason: Fault
  readonly detail: string
}

/** The error of any failed call, except your own abort, which rejects with your signal's reason. */
export class VenueDataError extends Error {
  override name = 'VenueDataError'
  /** The call, by its id in the OpenAPI document: `createReservation`. */
  readonly operation: string
  /** How many attempts were made. */
  readonly attempts: number
  /** The key it was sent with. Send it again with this key and nothing is done twice. */
  readonly idempotencyKey: string | undefined

  constructor(message: string, { operation, attempts, idempotencyKey }: Sent) {
    super(message)
    this.operation = operation
    this.attempts = attempts
    this.idempotencyKey = idempotencyKey
  }

  /** For logs: it contains no personal data from a record. */
  toJSON(): Record<string, unknown> {
    const { name, message, operation, attempts, idempotencyKey } = this
    return { name, message, operation, attempts, idempotencyKey }
  }
}

/** No answer arrived, or only a part of one, after all attempts. */
export class ConnectionError extends VenueDataError {
  override name = 'ConnectionError'
  /** Whether the venue may have done it anyway: a write was sent, and its answer was lost. */
  readonly mayBeDone: boolean
  /** The runtime's error of the last attempt. */
  override readonly cause: { readonly name: string; readonly message: string; readonly code?: string }

  constructor(message: string, sent: Sent & { mayBeDone: boolean; cause: ConnectionError['cause'] }) {
    super(message, sent)
    this.mayBeDone = sent.mayBeDone
    this.cause = sent.cause
  }
}

/** The last attempt took too long. */
export class TimeoutError extends ConnectionError {
  override name = 'TimeoutError'
}

/** The service answered and refused. Branch on `status` and `reason`; show `sentence` to people. */
export class ApiError extends VenueDataError {
  override name = 'ApiError'
  readonly status: number
  readonly reason: Reason | undefined
  /** One plain sentence for a person. */
  readonly sentence: string
  /** Quote it when you ask about the request. */
  readonly requestId: string | undefined
  /** Everything that is wrong with the request, for a 400. */
  readonly errors: readonly WrongPart[]
  /** How long to wait, if the service said so. */
  readonly retryAfterSeconds: number | undefined
  /** The whole body, including any extra fields of the reason. */
  readonly body: Readonly<Record<string, unknown>>

  constructor(refusal: Refusal) {
    const { status, headers, body } = refusal
    const { error, reason, errors } = body
    const sentence = typeof error === 'string' ? error : `The service answered with status ${status}.`
    super(`${sentence} (${[status, reason].filter(Boolean).join(' ')})`, refusal)
    this.status = status
    this.reason = typeof reason === 'string' ? reason : undefined
    this.sentence = sentence
    this.requestId = headers.get('x-request-id') ?? undefined
    this.errors = Array.isArray(errors) ? (errors as WrongPart[]) : []
    this.retryAfterSeconds = retryAfter(headers)
    this.body = body
  }

  override toJSON(): Record<string, unknown> {
    const { status, reason, requestId } = this
    return { ...super.toJSON(), status, reason, requestId }
  }
}

/** 400, 405, 413: something is missing or cannot be read. Fix the request. */
export class BadRequestError extends ApiError {
  override name = 'BadRequestError'
}

/** 401: the key is unknown or revoked. Ask the owner for a new one. */
export class AuthenticationError extends ApiError {
  override name = 'AuthenticationError'
}

/** 402, 403: the venue or this key may not do this. */
export class PermissionError extends ApiError {
  override name = 'PermissionError'
}

/** 404: there is no such record at this venue. */
export class NotFoundError extends ApiError {
  override name = 'NotFoundError'
}

/** 410: the record is gone, or a cursor is too old (`cursor-expired`) or another venue's (`cursor-of-another-venue`). */
export class GoneError extends ApiError {
  override name = 'GoneError'
  /** The guest that replaced it, after `merged`. */
  get mergedInto(): number | undefined {
    return this.body['mergedInto'] as number | undefined
  }
}

/** 409: the venue said no, or an Idempotency-Key was used for something else. */
export class ConflictError extends ApiError {
  override name = 'ConflictError'
  /** Open times near the one refused, nearest first, if you asked for them. */
  get alternatives(): readonly OpenTime[] | undefined {
    return this.body['alternatives'] as readonly OpenTime[] | undefined
  }
}

/**
 * 412, 428: the record has changed since the version in `ifMatch`. Merge your change into `current` and send it with
 * `etag`.
 */
export class PreconditionError extends ApiError {
  override name = 'PreconditionError'
  readonly etag: string | undefined

  constructor(refusal: Refusal) {
    super(refusal)
    this.etag = refusal.headers.get('etag') ?? undefined
  }

  /** The record as it is now. */
  get current(): unknown {
    return this.body['current']
  }
}

/** 429: more requests than the key may make. `retryAfterSeconds` was longer than the call's remaining time. */
export class RateLimitError extends ApiError {
  override name = 'RateLimitError'
}

/** 5xx: a fault in the service, or in a proxy in front of it. */
export class ServerError extends ApiError {
  override name = 'ServerError'
}

/**
 * 409 `still-processing`, for longer than the call's remaining time: the first attempt under this Idempotency-Key is
 * still in progress. Send the call again with `idempotencyKey` to learn how it ended; until then, it may have been
 * done.
 */
export class StillProcessingError extends ApiError {
  override name = 'StillProcessingError'
}

/**
 * 409 `outcome-unknown`: an earlier attempt under this Idempotency-Key never finished, so its outcome is unknown.
 *
 * @example
 * try {
 *   await venue.reservations.create(booking, { idempotencyKey })
 * } catch (error) {
 *   if (!(error instanceof OutcomeUnknownError)) throw error
 *   const found = await error.resolve()
 *   if (found?.length === 0) await venue.reservations.create(booking, { idempotencyKey: crypto.randomUUID() })
 * }
 */
export class OutcomeUnknownError extends ApiError {
  override name = 'OutcomeUnknownError'
  /** What to do. */
  readonly advice =
    'Look whether it is there: resolve() does. If it is, use it. If not, send it with a new idempotencyKey, or wait a day.'
  readonly #lookUp: () => Promise<readonly unknown[] | undefined>

  constructor(refusal: Refusal, lookUp: () => Promise<readonly unknown[] | undefined>) {
    super(refusal)
    this.#lookUp = lookUp
  }

  /**
   * Looks for records the call may have created in the last 24 hours, newest first: those with the external id that was
   * sent, or else with its contact details, name and size. An empty list: it created none. `undefined`: this key cannot
   * tell, for example because it does not see contact details; ask the venue.
   */
  resolve(): Promise<readonly unknown[] | undefined> {
    return this.#lookUp()
  }
}

/** Seconds, even if a proxy gave a date: that is compared with the answer's own `Date`, so your clock may be wrong. */
export const retryAfter = (headers: Headers): number | undefined => {
  const said = headers.get('retry-after')
  if (said === null) return undefined
  const seconds = /^\d+(\.\d+)?$/.test(said)
    ? Number(said)
    : (Date.parse(said) - Date.parse(headers.get('date') ?? '')) / 1000
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds)
}

const families: Readonly<Record<number, typeof ApiError>> = {
  401: AuthenticationError,
  402: PermissionError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  410: GoneError,
  412: PreconditionError,
  428: PreconditionError,
  429: RateLimitError,
}

/** A status without its own class has the error of its family. */
export const errorFor = (refusal: Refusal): ApiError => {
  const { status, body } = refusal
  if (body['reason'] === 'still-processing') return new StillProcessingError(refusal)
  const family = status >= 500 ? ServerError : status >= 400 ? BadRequestError : ApiError
  return new (families[status] ?? family)(refusal)
}
