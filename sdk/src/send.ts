import { type Received, TookTooLong, attempt } from './attempt.ts'
import type { Answer } from './call-types.ts'
import {
  ConnectionError,
  OutcomeUnknownError,
  StillProcessingError,
  TimeoutError,
  type VenueDataError,
  errorFor,
} from './errors.ts'
import { type Operation, operations } from './generated/operations.ts'
import { lookUp } from './look-up.ts'
import type { Settings } from './options.ts'
import { type Request, addressOf, headersOf } from './request.ts'
import { waitBefore } from './retry.ts'

/**
 * A retry that would have less time than this, in milliseconds, is not made: its timeout would only hide what the service
 * had said before.
 */
const leastAttemptMs = 500

/** Sends a call until it gets an answer, or may not be repeated. */
export const send = async (settings: Settings, id: string, request: Request): Promise<Answer<unknown>> => {
  const { runtime } = settings
  const operation = operations[id] as Operation
  const { signal, timeoutMs = settings.timeoutMs, retries = settings.retries } = request
  const { method = 'GET', keyed, safe, seconds = 0 } = operation
  const idempotencyKey = keyed && (request.idempotencyKey ?? crypto.randomUUID())
  const repeatable = method === 'GET' || Boolean(keyed ?? safe)
  const deadline = runtime.now() + timeoutMs
  const attemptMs = settings.attemptMs + (seconds + Number(request.query['wait'] ?? 0)) * 1000
  const leastMs = Math.min(leastAttemptMs, attemptMs)
  const url = addressOf(settings.address, operation, request)
  const body = request.body === undefined ? undefined : JSON.stringify(request.body)

  for (let attempts = 1, retried = 0; ; attempts++) {
    signal?.throwIfAborted()
    const key = await settings.key()
    const sent = { operation: id, attempts, idempotencyKey }
    let error: VenueDataError
    try {
      const init = {
        method,
        headers: headersOf(key, request, idempotencyKey),
        redirect: 'manual',
        body,
      } as const
      const left = Math.max(0, Math.min(attemptMs, deadline - runtime.now()))
      const received = await attempt(settings, url, init as RequestInit, left, signal)
      const answer = read(received, attempts, key)
      if (answer.status === 304 || (answer.status >= 200 && answer.status < 300)) return answer
      const refusal = { ...sent, ...answer, body: answer.body as Record<string, unknown> }
      error =
        refusal.body['reason'] === 'outcome-unknown'
          ? new OutcomeUnknownError(refusal, () =>
              lookUp(operation, request.body, answer.headers, (list, query) =>
                send(settings, list, { path: [], query }),
              ),
            )
          : errorFor(refusal)
    } catch (thrown) {
      if (signal?.aborted) throw signal.reason
      error = unanswered(thrown, key, { ...sent, mayBeDone: method !== 'GET' && !safe })
    }
    const waitMs = waitBefore(error, repeatable, retried, runtime.random, request.query['wait'] !== undefined)
    // To wait for the first attempt is no retry.
    const isCounted = !(error instanceof StillProcessingError)
    if (waitMs === undefined || (isCounted && retried >= retries)) throw error
    if (runtime.now() + waitMs + leastMs > deadline) throw error
    if (isCounted) retried++
    settings.onRetry?.({ operation: id, attempts, waitMs, error })
    await runtime.sleep(waitMs, signal)
  }
}

/** @throws SyntaxError when an answer that should be JSON is not: it is incomplete */
const read = ({ response, text }: Received, attempts: number, key: string): Answer<unknown> => {
  const { status, headers } = response
  return {
    status,
    body: response.ok ? JSON.parse(text) : status === 304 ? undefined : readRefusal(hide(text, key), headers),
    etag: headers.get('etag') ?? undefined,
    requestId: headers.get('x-request-id') ?? undefined,
    replayed: headers.get('idempotent-replayed') === 'true',
    attempts,
    headers,
  }
}

/** A refusal may come from a proxy in front of the service, in any form. */
const readRefusal = (text: string, headers: Headers): object =>
  /\bjson\b/.test(headers.get('content-type') ?? '') ? Object(JSON.parse(text)) : {}

const unanswered = (
  thrown: unknown,
  key: string,
  sent: Omit<ConstructorParameters<typeof ConnectionError>[1], 'cause'>,
): ConnectionError => {
  const { name, message, code } = innermost(thrown)
  const cause = { name, message: hide(message, key), ...(code !== undefined && { code }) }
  return thrown instanceof TookTooLong
    ? new TimeoutError(`The service did not answer in time. ${message}`, { ...sent, cause })
    : new ConnectionError(`No whole answer arrived: ${cause.message}`, { ...sent, cause })
}

/** The root cause, since fetch itself only says that it failed. */
const innermost = (thrown: unknown): ConnectionError['cause'] => {
  if (!(thrown instanceof Error)) return { name: 'Error', message: String(thrown) }
  if (thrown.cause instanceof Error) return innermost(thrown.cause)
  const { name, message, code } = thrown as Error & { code?: unknown }
  return { name, message, ...(typeof code === 'string' && { code }) }
}

/** The text with the key removed, wherever it came from. */
const hide = (text: string, key: string): string => text.replaceAll(key, '[key]')
