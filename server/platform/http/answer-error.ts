import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { limits } from '@venue-data/contract/limits.ts'
import type { Reason } from '@venue-data/contract/reasons.ts'
import type { Endpoint } from '@venue-data/contract/webhooks/endpoint.ts'
import type { Scope } from '@venue-data/contract/scopes.ts'
import { isDatabaseDown, isWorthAnotherTry, CommitUnknown } from '../db/faults.ts'
import { GateTimeout } from '../db/gate.ts'
import { Refusal, badRequest, withDetails } from '../kernel/refusal.ts'
import { maskedDetails, seesAll } from './records/contacts-hidden.ts'
import { asksForProblem, problemText, problemType } from './problem-form.ts'
import { faultyData, ourFault, tooLarge, unreadableRequest } from './refusals.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The reason of the refusal, if it has one, for the metrics. */
    refusedFor: Reason | undefined
  }
}

/** Turns anything thrown into an answer in the contract's shape, in this one place. */
export const answerError = (
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  log: Logger,
): FastifyReply => {
  const refusal = refusalOf(error, request, log)
  const endpoint = endpointOf(request)
  return sendRefusal(
    reply,
    endpoint ? maskedRefusal(refusal, endpoint, request.caller?.key.scopes ?? []) : refusal,
  )
}

/** A refusal with the details that these scopes may see; details can include the record's current state. */
export const maskedRefusal = (refusal: Refusal, endpoint: Endpoint, scopes: readonly Scope[]): Refusal =>
  seesAll(scopes, endpoint) ? refusal : withDetails(refusal, maskedDetails(scopes, endpoint, refusal.details))

/**
 * Turns anything thrown into an answer. Our own faults and the database's are logged with their cause; a refusal that we
 * meant is no fault, and its sentence says all there is.
 */
export const refusalOf = (error: unknown, request: FastifyRequest, log: Logger): Refusal => {
  const refusal = refusalFor(error, request)
  request.refusedFor = refusal.reason
  if (error instanceof Refusal) {
    if (refusal.status >= 500)
      log.warn({ requestId: request.id, refusal: refusal.message }, 'request refused')
  } else if (refusal.status >= 500) {
    log.error({ requestId: request.id, ...causeOf(error) }, 'request failed')
  }
  return refusal
}

/** Callers that name the problem form in `Accept` get it; all others get version 1's form, byte for byte. */
export const sendRefusal = (reply: FastifyReply, refusal: Refusal): FastifyReply => {
  const { headers, id } = reply.request
  const isAsked = asksForProblem(headers.accept)
  return (
    reply
      .code(refusal.status)
      .headers({ ...refusal.headers })
      .type(isAsked ? problemType : 'application/json; charset=utf-8')
      // As bytes, because Fastify would add a charset to text, and this media type has none.
      .send(isAsked ? Buffer.from(problemText(refusal, id)) : refusalText(refusal))
  )
}

/** `{error, reason?}` as text. Refusals share one shape everywhere, so they need no response schema. */
export const refusalText = ({ message, reason, details }: Refusal): string =>
  JSON.stringify({ error: message, ...(reason && { reason }), ...details })

const refusalFor = (error: unknown, request: FastifyRequest): Refusal => {
  if (error instanceof Refusal) return error
  // A client that hangs up early also breaks a connection, but not the database's.
  if (request.raw.readableAborted) return unreadableRequest()
  if (isDatabaseDown(error) || isWorthAnotherTry(error)) return faultyData()
  if (error instanceof CommitUnknown || error instanceof GateTimeout) return faultyData()
  switch ((error as FastifyError).code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return tooLarge(endpointOf(request)?.bodyLimit ?? { bytes: limits.bodyBytes, status: 400 })
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return badRequest('The body is shorter or longer than its Content-Length says.', 'request-unreadable')
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return badRequest('The body is of a type that this address does not take.', 'body-encoding')
    case 'FST_ERR_HANDLER_TIMEOUT':
      return faultyData()
    case 'FST_ERR_BAD_URL':
      return badRequest('The address of the request cannot be read.', 'request-unreadable')
    case 'ERR_HTTP_REQUEST_TIMEOUT':
    case 'ECONNRESET':
    case 'ECONNABORTED':
      return unreadableRequest()
    default:
      return ourFault()
  }
}

export const endpointOf = (request: FastifyRequest): Endpoint | undefined =>
  (request.routeOptions.config as { endpoint?: Endpoint }).endpoint

/**
 * The part of an error that is safe to log. For PostgreSQL, only the code and the constraint: its messages quote data.
 */
export const causeOf = (error: unknown): Record<string, unknown> => {
  const { code, constraint, name, message, stack, cause } = error as Record<string, unknown>
  const fromDatabase = typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code)
  if (fromDatabase) return { code, constraint }
  return { code, name, message, stack, ...(cause instanceof Error && { cause: causeOf(cause) }) }
}
