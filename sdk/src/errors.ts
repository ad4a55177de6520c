import type { Fault, OpenTime, Reason } from './generated/records.ts'

/** What every failed call says of itself. */
export type Sent = {
  readonly operation: string
  readonly attempts: number
  readonly idempotencyKey: string | undefined
}

/** What an answer that refuses says. */
export type Refusal = Sent & {
  readonly status: number
  readonly headers: Headers
  readonly body: Readonly<Record<string, unknown>>
}

/** A part of a request that is wrong. */
export type WrongPart = {
  /** A JSON pointer into the body. */
  readonly pointer?: string
  readonly parameter?: string
  readonly header?: string
  readonly reason: Fault
  readonly detail: string
}

/** Whatever a call fails with, but for your own abort, which rejects with your signal's reason. */
export class VenueDataError extends Error {
  override name = 'VenueDataError'
  /** The call, by its id in the OpenAPI document: `createReservation`. */
  readonly operation: string
  /** How often it was sent. */
  readonly attempts: number
  /** What it was sent under. Send it again with this one and nothing is done twice. */
  readonly idempotencyKey: string | undefined

  constructor(message: string, { operation, attempts, idempotencyKey }: Sent) {
    super(message)
    this.operation = operation
    this.attempts = attempts
    this.idempotencyKey = idempotencyKey
  }

  /** For logs: what a record holds of a person is not in it. */
  toJSON(): Record<string, unknown> {
    const { name, message, operation, attempts, idempotencyKey } = this
    return { name, message, operation, attempts, idempotencyKey }
  }
}

/** No answer arrived, or only a part of one, after all attempts. */
export class ConnectionError extends VenueDataError {
  override name = 'ConnectionError'
  /** Whether the venue may have done it nevertheless: an attempt to change something left, and its answer was lost. */
  readonly mayBeDone: boolean
  /** What the runtime said of the last attempt. */
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
  /** To quote when asking about the request. */
  readonly requestId: string | undefined
  /** Every part of the request that is wrong, of a 400. */
  readonly errors: readonly WrongPart[]
  /** How long to wait, where the service said so. */
  readonly retryAfterSeconds: number | undefined
  /** The whole body, with whatever the reason brings along. */
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

/** 410: the record was here and is gone, or a cursor is too old (`cursor-expired`). */
export class GoneError extends ApiError {
  override name = 'GoneError'
  /** The guest that took its place, after `merged`. */
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

/** 412, 428: the record is no longer as `ifMatch` says. Merge your change into `current` and send it with `etag`. */
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

/** 429: more requests than the key may make. `retryAfterSeconds` was longer than the call had left. */
export class RateLimitError extends ApiError {
  override name = 'RateLimitError'
}

/** 5xx: a fault of the service, or what lies before it. */
export class ServerError extends ApiError {
  override name = 'ServerError'
}

/**
 * 409 `still-processing`, for longer than the call had left: the first attempt under this Idempotency-Key is under way. Send
 * the call again with `idempotencyKey` to learn how it ended; until then it may be done.
 */
export class StillProcessingError extends ApiError {
  override name = 'StillProcessingError'
}

/**
 * 409 `outcome-unknown`: an earlier attempt under this Idempotency-Key never finished, so nobody can say whether it was done.
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
   * Looks for what the call may have made, in the last 24 hours, newest first: records with the external id that was sent, or
   * else with its contact details, name and size. An empty list: it was not made. `undefined`: this key cannot tell, such as
   * one that sees no contact details; ask the venue.
   */
  resolve(): Promise<readonly unknown[] | undefined> {
    return this.#lookUp()
  }
}

/** Seconds, also where a proxy gave a date: by the answer's own clock, so that yours may be wrong. */
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

/** The error of a status that no class of its own has: its family's. */
export const errorFor = (refusal: Refusal): ApiError => {
  const { status, body } = refusal
  if (body['reason'] === 'still-processing') return new StillProcessingError(refusal)
  const family = status >= 500 ? ServerError : status >= 400 ? BadRequestError : ApiError
  return new (families[status] ?? family)(refusal)
}
