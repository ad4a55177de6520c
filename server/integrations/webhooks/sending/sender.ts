// The cast: one attempt at one delivery has two halves, and neither throws for anything a receiver does. `vet` resolves
// the name again and refuses it if any of its addresses is not public; that may take seconds, and nothing has started
// yet. `post` immediately connects to one of the vetted addresses (connections.ts), sends, and reports the outcome. In
// between, the engine checks whether the delivery may still start. It holds no state that a crash could lose.
import { isIP } from 'node:net'
import { limits } from '@venue-data/contract/limits.ts'
import { remember } from '../../../platform/kernel/running/remember.ts'
import { type Connection, createConnections, type Origin } from './connections.ts'
import {
  type Destination,
  bareHost,
  checkDestination,
  isLocalhostName,
} from '../../../platform/net/destination.ts'
import { isLoopbackAddress, isPublicAddress } from '../../../platform/net/public-address.ts'
import { createResolver, type ResolveName } from '../../../platform/net/resolve-name.ts'
import { type RunningTime, runningTime } from '../running-time.ts'

/** Longest time from the first connect to the end of headers and body, in milliseconds. */
export const ANSWER_LIMIT_MS = limits.deliveryAnswerSeconds * 1_000

/** Maximum bytes of a response body that are read; the rest is not waited for. */
export const MAX_ANSWER_BYTES = 65_536

/** Bytes from the start of an answer's body that are kept for the attempt log. */
export const KEPT_ANSWER_BYTES = 1_024

/** Maximum number of addresses a name may have; a name with more is refused. */
export const MAX_ADDRESSES = 64

/** How many of a name's addresses are tried when earlier ones could not be reached. */
export const MAX_ADDRESSES_TRIED = 4

/** How long to wait for one address (TCP) while there is another to try, in milliseconds. */
export const REACH_LIMIT_MS = 2_500

/** Maximum number of interim responses (1xx) before the answer. */
export const MAX_INTERIM_ANSWERS = 8

/** Destinations and addresses whose text has been checked, cached to avoid checking it at each attempt. */
const MAX_JUDGED = 4_096

/** How an attempt can end without an answer, in the published terms (docs/webhooks.md#when-your-endpoint-does-not-answer). */
export const noAnswerKinds = [
  'timeout',
  'connection failed',
  'tls failed',
  'address refused',
  'name not found',
] as const
export type NoAnswerKind = (typeof noAnswerKinds)[number]

/**
 * The outcome of one attempt. `durationMs`: whole milliseconds of both halves, including the DNS lookup. `body`: the
 * first 1,024 bytes of the response body as received, compressed if the receiver compressed it.
 */
export type Outcome =
  | {
      readonly kind: 'answered'
      readonly statusCode: number
      readonly body: Buffer
      readonly durationMs: number
    }
  | Unanswered
export type Unanswered = { readonly kind: NoAnswerKind; readonly durationMs: number }

/** A destination whose name has been resolved and all its addresses vetted, to be used at once. */
export type Vetted = {
  readonly kind: 'vetted'
  readonly target: Target
  /** In the order they are tried. */
  readonly addresses: readonly string[]
  readonly tookMs: number
}

export type Request = {
  /** `POST` where nothing is said. */
  readonly method?: 'GET' | 'POST'
  /** How much of the answer is kept; `KEPT_ANSWER_BYTES` where nothing is said. */
  readonly keptBytes?: number
  /** How long it may take, in milliseconds, if less than any other. */
  readonly limitMs?: number
  readonly body: Buffer
  /** All headers but Host, Connection and Content-Length. */
  readonly headers: Readonly<Record<string, string>>
}

/** The caller's permission to send. Connecting may take seconds, during which it can be withdrawn. */
export type GoAhead = {
  /** Whether it is still valid. Called right before the first byte. */
  readonly holds: () => boolean
  /** Requests it again. */
  readonly ask: () => Promise<boolean>
}

export type SenderOptions = {
  /** Practice instance: addresses of this machine are allowed, over http and on any port. */
  readonly practice?: boolean
  /** Replaces the usual rules for an address's text; for tests, whose receivers have names and any port. */
  readonly judge?: (address: string) => Destination
  readonly resolve?: ResolveName
  /** Certificate authorities to trust instead of the usual ones, PEM: for tests. */
  readonly ca?: string
  readonly limitMs?: number
  readonly maxIdle?: number
  /** For tests. */
  readonly time?: RunningTime
}

export type Sender = {
  /** The first half of an attempt: checks the address and resolves its name. Throws only after close. */
  readonly vet: (url: string) => Promise<Vetted | Unanswered>
  /**
   * The second half: connects at once and sends. If connecting outlasted the go-ahead, requests it again; undefined: it
   * was withdrawn, and nothing was sent. Throws only for a mistake of the caller: an invalid header, or a closed
   * sender.
   */
  readonly post: (vetted: Vetted, request: Request, goAhead: GoAhead) => Promise<Outcome | undefined>
  /** Takes nothing new, waits for running attempts (13 s at most) and closes the connections. */
  readonly close: () => Promise<void>
  readonly counts: () => { readonly inFlight: number; readonly idleConnections: number }
}

export const createSender = (options: SenderOptions = {}): Sender => {
  const practice = options.practice === true
  const mostMs = options.limitMs ?? ANSWER_LIMIT_MS
  const time = options.time ?? runningTime
  const elapsedMs = (startedAt: number): number => Math.round(time.nowMs() - startedAt)
  const judgeText = options.judge ?? ((address: string) => checkDestination(address, { practice }))
  const resolve = options.resolve ?? createResolver()
  const connections = createConnections({
    ...(options.ca !== undefined && { ca: options.ca }),
    ...(options.maxIdle !== undefined && { maxIdle: options.maxIdle }),
  })
  const targets = remember<string, Target | 'refused'>(MAX_JUDGED)
  const reachable = remember<string, boolean>(MAX_JUDGED)
  let inFlight = 0
  let closing: PromiseWithResolvers<void> | undefined

  const mayBeReached = (address: string): boolean =>
    reachable.getOr(address, () => isPublicAddress(address) || (practice && isLoopbackAddress(address)))

  /** The text is judged here too: rules may have been added since the endpoint was created. */
  const targetOf = (url: string): Target | 'refused' => targets.getOr(url, () => readTarget(judgeText(url)))

  const judge = async (url: string): Promise<Vetted | Unanswered> => {
    const startedAt = time.nowMs()
    const unanswered = (kind: NoAnswerKind): Unanswered => ({ kind, durationMs: elapsedMs(startedAt) })
    const target = targetOf(url)
    if (target === 'refused') return unanswered('address refused')
    let found: readonly string[]
    try {
      found = target.addresses ?? (await resolve(target.origin.host))
    } catch {
      return unanswered('name not found')
    }
    if (found.length === 0) return unanswered('name not found')
    if (found.length > MAX_ADDRESSES || !found.every(mayBeReached)) return unanswered('address refused')
    // Our own copy, so that only vetted addresses are connected to.
    return { kind: 'vetted', target, addresses: inOrder(found), tookMs: time.nowMs() - startedAt }
  }

  /** One request and its response, on one of the vetted addresses. */
  const exchange = (
    { target, addresses, tookMs }: Vetted,
    { method = 'POST', keptBytes = KEPT_ANSWER_BYTES, limitMs = mostMs, headers, body: sent }: Request,
    goAhead: GoAhead,
  ): Promise<Outcome | undefined> =>
    new Promise((settle, reject) => {
      const postedAt = time.nowMs()
      const startedAt = postedAt - tookMs
      let connection: Connection
      let addressesTried = 0
      let interimAnswers = 0
      let statusCode = 0
      let bytes = 0
      let body: Buffer = NOTHING
      let ended = false

      const leave = (reusable: boolean): void => {
        ended = true
        callOff()
        if (reusable) connections.give(connection)
        else connections.drop(connection)
      }
      const endAnswered = (reusable: boolean): void => {
        if (ended) return
        leave(reusable)
        settle({ kind: 'answered', statusCode, body, durationMs: elapsedMs(startedAt) })
      }
      const endUnanswered = (kind: NoAnswerKind): void => {
        leave(false)
        settle({ kind, durationMs: elapsedMs(startedAt) })
      }
      // Not at once: if this process was delayed, an answer that came in time may still be waiting to be read.
      const callOff = time.after(limitMs, () => setImmediate(() => ended || endUnanswered('timeout')))

      const dispatch = (): void => {
        connection.client.dispatch(
          { path: target.path, method, headers, body: method === 'GET' ? null : sent },
          handler,
        )
      }
      const isAnotherLeft = (): boolean => addressesTried < Math.min(addresses.length, MAX_ADDRESSES_TRIED)
      const dispatchAnew = (): void => {
        const address = addresses[addressesTried++] ?? ''
        connection = connections.open(target.origin, address, isAnotherLeft() ? REACH_LIMIT_MS : undefined)
        dispatch()
      }

      const askAgain = async (): Promise<void> => {
        const goesAhead = await goAhead.ask()
        if (ended) return
        if (goesAhead) return dispatch()
        leave(false)
        settle(undefined)
      }

      const handler = {
        /** The last check before the first byte. */
        onRequestStart(controller: { abort: (reason: Error) => void }) {
          if (ended) return
          if (time.nowMs() - postedAt > limitMs) {
            endUnanswered('timeout')
            controller.abort(new Error('Too late to start.'))
          }
          // Thrown, because an abort would close the new connection.
          else if (!goAhead.holds()) throw GO_AHEAD_IS_OLD
        },
        onResponseStart(controller: { abort: (reason: Error) => void }, status: number) {
          if (status >= 200) statusCode = status
          else if (++interimAnswers > MAX_INTERIM_ANSWERS)
            controller.abort(new Error('Too many interim answers.'))
        },
        onResponseData(_controller: unknown, chunk: Buffer) {
          if (body.length < keptBytes) {
            // Copied, because the chunk is a view of a much larger buffer.
            body = Buffer.concat([body, chunk.subarray(0, keptBytes - body.length)])
          }
          bytes += chunk.length
          // The status has decided the outcome; an endless body must not hold a place.
          if (bytes > MAX_ANSWER_BYTES) endAnswered(false)
        },
        onResponseEnd() {
          connection.answers += 1
          endAnswered(true)
        },
        onResponseError(_controller: unknown, error: Error & { code?: string }) {
          if (ended) return
          if (error === GO_AHEAD_IS_OLD) return void askAgain().catch(reject)
          if (error.code === 'UND_ERR_INVALID_ARG') {
            leave(false)
            return reject(error)
          }
          // The receiver closed a kept connection while the request was in transit. This is not a failed attempt; it is
          // retried only once, since the next connection is new. The receiver may have read the request, so a delivery
          // may arrive twice.
          const keptOneClosed = connection.answers > 0 && statusCode + interimAnswers === 0
          const neverReached = connection.stage === 'connecting'
          if (!(keptOneClosed || neverReached) || !isAnotherLeft()) {
            return endUnanswered(failureKind(connection, error))
          }
          connections.drop(connection)
          dispatchAnew()
        },
      }

      const idle = takeFirstIdle(target.origin, addresses)
      if (idle) {
        connection = idle
        dispatch()
      } else dispatchAnew()
    })

  const takeFirstIdle = (origin: Origin, addresses: readonly string[]): Connection | undefined => {
    for (const address of addresses) {
      const connection = connections.takeIdle(origin, address)
      if (connection) return connection
    }
    return undefined
  }

  const counted = <T>(half: () => Promise<T>): Promise<T> => {
    if (closing) return Promise.reject(new Error('The sender is closed.'))
    inFlight += 1
    return half().finally(() => {
      inFlight -= 1
      if (inFlight === 0) closing?.resolve()
    })
  }
  const vet: Sender['vet'] = (url) => counted(() => judge(url))
  const post: Sender['post'] = (vetted, request, goAhead) => counted(() => exchange(vetted, request, goAhead))

  const close = (): Promise<void> => {
    if (!closing) {
      closing = Promise.withResolvers<void>()
      connections.close()
      if (inFlight === 0) closing.resolve()
    }
    return closing.promise
  }

  return { vet, post, close, counts: () => ({ inFlight, idleConnections: connections.idleCount() }) }
}

type Target = {
  readonly origin: Origin
  readonly path: string
  /** Known without a lookup: the host is an address, or this machine's name. */
  readonly addresses: readonly string[] | undefined
}

const NOTHING = Buffer.alloc(0)
const GO_AHEAD_IS_OLD = new Error('Connecting outlasted the go-ahead.')

const readTarget = (destination: Destination): Target | 'refused' => {
  if (destination.kind === 'refused') return 'refused'
  const url = new URL(destination.address)
  const host = bareHost(url.hostname)
  const secure = url.protocol === 'https:'
  const port = url.port === '' ? (secure ? 443 : 80) : Number(url.port)
  return {
    origin: { secure, host, port, text: url.origin },
    path: `${url.pathname}${url.search}`,
    addresses: isIP(host) ? [host] : isLocalhostName(host) ? ['127.0.0.1', '::1'] : undefined,
  }
}

/** IPv4 first: a machine without IPv6 then loses no time, and a name without IPv4 none either. */
const inOrder = (addresses: readonly string[]): string[] =>
  addresses.toSorted((one, other) => isIP(one) - isIP(other))

/** Derived from how far the connection had come, not from the hundreds of error codes. */
const failureKind = (connection: Connection, error: { code?: string }): NoAnswerKind => {
  if (connection.stage === 'securing') return 'tls failed'
  // With TLS 1.3 a receiver may refuse the handshake after our half of it is done.
  return connection.stage === 'open' && /^(?:ERR_SSL_|EPROTO$)/.test(error.code ?? '')
    ? 'tls failed'
    : 'connection failed'
}
