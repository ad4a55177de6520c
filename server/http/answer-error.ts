import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { limits } from '@venue-data/contract/limits.ts'
import type { Reason } from '@venue-data/contract/reasons.ts'
import type { Endpoint } from '@venue-data/contract/endpoint.ts'
import type { Scope } from '@venue-data/contract/scopes.ts'
import { isDatabaseDown, isWorthAnotherTry, CommitUnknown } from '../db/faults.ts'
import { GateTimeout } from '../db/gate.ts'
import { Refusal, badRequest, withDetails } from '../kernel/refusal.ts'
import { hidesContacts, maskedDetails } from './contacts-hidden.ts'
import { asksForProblem, problemText, problemType } from './problem-form.ts'
import { faultyData, ourFault, tooLarge, unreadableRequest } from './refusals.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The reason of the refusal, if it has one, for the metrics. */
    refusedFor: Reason | undefined
  }
}

/** The one place where anything thrown becomes an answer in the contract's shape. */
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

/** A refusal as a key with these scopes may see it: it may hold a record as it is now. */
export const maskedRefusal = (refusal: Refusal, endpoint: Endpoint, scopes: readonly Scope[]): Refusal =>
  hidesContacts(scopes) ? withDetails(refusal, maskedDetails(scopes, endpoint, refusal.details)) : refusal

/** Turns anything thrown into an answer; our own faults and the database's are logged with their cause. */
export const refusalOf = (error: unknown, request: FastifyRequest, log: Logger): Refusal => {
  const refusal = refusalFor(error, request)
  request.refusedFor = refusal.reason
  if (refusal.status >= 500) log.error({ requestId: request.id, ...causeOf(error) }, 'request failed')
  return refusal
}

/**
 * In the problem form for callers who name it in `Accept`; everybody else gets what version 1 always sent, to the byte.
 */
export const sendRefusal = (reply: FastifyReply, refusal: Refusal): FastifyReply => {
  const { headers, id } = reply.request
  const isAsked = asksForProblem(headers.accept)
  return (
    reply
      .code(refusal.status)
      .headers({ ...refusal.headers })
      .type(isAsked ? problemType : 'application/json; charset=utf-8')
      // As bytes: to a text Fastify would add a charset, which this type has not.
      .send(isAsked ? Buffer.from(problemText(refusal, id)) : refusalText(refusal))
  )
}

/** `{error, reason?}` as text: refusals have no response schema, their shape is the same everywhere. */
export const refusalText = ({ message, reason, details }: Refusal): string =>
  JSON.stringify({ error: message, ...(reason && { reason }), ...details })

const refusalFor = (error: unknown, request: FastifyRequest): Refusal => {
  if (error instanceof Refusal) return error
  // A client that hangs up halfway also breaks a connection, but not the one to the database.
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

/** The loggable part of an error: for PostgreSQL's only the code and the constraint, since its messages quote data. */
const causeOf = (error: unknown): Record<string, unknown> => {
  const { code, constraint, name, message, stack, cause } = error as Record<string, unknown>
  const fromDatabase = typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code)
  if (fromDatabase) return { code, constraint }
  return { code, name, message, stack, ...(cause instanceof Error && { cause: causeOf(cause) }) }
}
