import { randomUUIDv7 } from 'node:crypto'
import { type IncomingMessage, STATUS_CODES, type ServerResponse, maxHeaderSize } from 'node:http'
import type { Duplex } from 'node:stream'
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify'
import type { Endpoint } from '@venue-data/contract/webhooks/endpoint.ts'
import { limits } from '@venue-data/contract/limits.ts'
import type { Logger } from 'pino'
import { httpDate } from '../kernel/time/calendar.ts'
import type { Refusal } from '../kernel/refusal.ts'
import { answerError, endpointOf, refusalText, sendRefusal } from './answer-error.ts'
import { notForSearch } from './not-for-search.ts'
import { pathPattern, routeName } from './path.ts'
import { checkContentHeaders, parseJson } from './read-body.ts'
import {
  faultyData,
  lateRequest,
  rootAddress,
  unknownAddress,
  unreadableRequest,
  wrongMethod,
} from './refusals.ts'
import { serializerFor } from './serializers.ts'

/** How long a slow client may take to send a request's headers, in milliseconds. */
const headTimeoutMs = 30_000
/**
 * And for the whole request: a 50 MB file over a venue's slow line. Requests without a file are still answered within
 * seconds, and their connection is closed then.
 */
const requestTimeoutMs = 300_000

/**
 * Whose X-Forwarded-For to trust: a number of proxies in front, proxies at given addresses, or nobody, so that a
 * caller's own header has no effect.
 */
type TrustProxy = number | readonly string[] | undefined

export type Edge = {
  readonly trustProxy?: TrustProxy
  /** The service's public URL; with https, browsers are instructed to use nothing else (RFC 6797). */
  readonly publicUrl?: string
  /** A practice instance: nothing of it is for search engines. */
  readonly practice?: boolean
  /** The clock behind the `Date` header on a practice instance; otherwise Node uses the system's. */
  readonly dateBy?: (() => Temporal.Instant) | undefined
  /** Multiplies the time that an answer may take: for tests, as that of the database (db/pool.ts). */
  readonly patience?: number
}

/** Fastify, with every default overridden that would answer in a shape outside the contract. */
export const httpServer = (
  log: Logger,
  { trustProxy, publicUrl = '', practice = false, dateBy, patience = 1 }: Edge = {},
): FastifyInstance => {
  const always: Readonly<Record<string, string>> = {
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...(practice && notForSearch),
    ...(publicUrl.startsWith('https:') && { 'strict-transport-security': 'max-age=31536000' }),
  }
  const dated = (): Readonly<Record<string, string>> => (dateBy ? { date: httpDate(dateBy()) } : {})
  const app = fastify({
    logger: false,
    trustProxy: believing(trustProxy),
    exposeHeadRoutes: false,
    bodyLimit: limits.bodyBytes,
    // As long as Node allows a URL: a parameter over Fastify's 100 characters would be a 500 with the URL in the log,
    // but it is just an id that does not exist.
    routerOptions: { maxParamLength: maxHeaderSize },
    requestTimeout: requestTimeoutMs,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    genReqId: () => randomUUIDv7(),
    rewriteUrl: ({ url = '/' }) => routable(url),
    // A missing or second Host is refused below: Node would answer the first with an empty body, and drop the second.
    http: { requireHostHeader: false, headersTimeout: headTimeoutMs },
    frameworkErrors: (error, request, reply) => {
      reply.headers({ ...always, 'x-request-id': request.id })
      answerError(error, request, reply, log)
    },
    clientErrorHandler: (error: NodeJS.ErrnoException, socket) => {
      // A client that disconnected receives nothing.
      if (error.code === 'ECONNRESET') socket.destroy()
      else refuseOnSocket(socket, unreadableRequest(), { ...always, ...dated() })
    },
  })
  if (dateBy) {
    // A Node event, before everything else: every answer passes through here.
    app.server.prependListener('request', (_request: IncomingMessage, response: ServerResponse) =>
      response.setHeader('date', httpDate(dateBy())),
    )
  }
  // Without a listener, Node answers these two itself, in its own shapes.
  app.server.on('connect', (_request: IncomingMessage, socket: Duplex) =>
    refuseOnSocket(socket, unknownAddress(), { ...always, ...dated() }),
  )
  app.server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) =>
    app.server.emit('request', request, response),
  )
  app.setSerializerCompiler(serializerFor)
  app.decorateRequest('caller', undefined)
  app.decorateRequest('refusedFor', undefined)
  app.decorateRequest('contentHeaders', undefined)
  app.removeAllContentTypeParsers()
  // The size is checked as bytes arrive, before the content type.
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async (request: FastifyRequest, bytes: Buffer) => {
    checkContentHeaders(request.contentHeaders ?? request.headers)
    return parseJson(bytes)
  })
  app.setErrorHandler((error, request, reply) => answerError(error, request, reply, log))
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers({ ...always, 'x-request-id': request.id })
    answerInTime(request, reply, patience)
    const hosts = hostLines(request.raw.rawHeaders)
    if (hosts > 1 || (hosts === 0 && request.raw.httpVersionMinor > 0))
      sendRefusal(reply, unreadableRequest())
    else done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    // An allowlist: never the URL itself, whose query holds personal data.
    const { isProbe } = request.routeOptions.config as { isProbe?: boolean }
    log[isProbe ? 'debug' : 'info'](
      {
        requestId: request.id,
        method: request.method,
        route: routeName(request.routeOptions.url),
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        keyId: request.caller?.key.id,
      },
      'request',
    )
    done()
  })
  return app
}

/**
 * How many header lines name the host. Node keeps the first and silently drops the others, but a proxy in front may
 * have used another.
 */
const hostLines = (rawHeaders: readonly string[]): number => {
  let lines = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string
    if (name.length === 4 && name.toLowerCase() === 'host') lines += 1
  }
  return lines
}

const believing = (proxies: TrustProxy) => {
  if (proxies === undefined) return false
  return typeof proxies === 'number' ? (_address: string, hop: number) => hop < proxies : [...proxies]
}

/**
 * No request hangs. Fastify's own `handlerTimeout` would work, but it creates and aborts an AbortController for every
 * request, a sixth of the cost of a read. Work still running is left to finish; its answer is dropped.
 */
const answerInTime = (request: FastifyRequest, reply: FastifyReply, patience: number): void => {
  const { answerWithinSeconds } = request.routeOptions.config as { answerWithinSeconds?: number }
  const endpoint = endpointOf(request)
  const limitSeconds =
    endpoint?.callsOutForSeconds ??
    answerWithinSeconds ??
    limits.requestSeconds + secondsToWait(endpoint, request)
  const limit = setTimeout(
    () => {
      // A file in transit takes as long as its reader and the database need.
      if (reply.sent || reply.raw.headersSent) return
      if (request.raw.complete) {
        sendRefusal(reply, faultyData())
        return
      }
      // A request that never finishes is the caller's problem, and must not hold its connection open.
      sendRefusal(reply.header('connection', 'close'), lateRequest())
    },
    limitSeconds * 1000 * patience,
  )
  reply.raw.once('close', () => clearTimeout(limit))
}

/** The requested wait, where supported; an unreadable value is refused at once. */
const secondsToWait = (endpoint: Endpoint | undefined, { query }: FastifyRequest): number =>
  endpoint?.waitsForSeconds === undefined
    ? 0
    : Math.min(Number((query as { wait?: unknown }).wait) || 0, endpoint.waitsForSeconds)

/** URLs that people open, and the page they get instead of JSON when nothing is there. Never rejects. */
export type AnswerUnknown = {
  readonly below: RegExp
  readonly answer: (refusal: Refusal, request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>
}

/** A method that a URL accepts. */
export type Served = { readonly method: string; readonly path: string; readonly params?: object }

/** The methods of a page or a file: wherever GET works, HEAD does too. Endpoints take no HEAD. */
export const pageMethods = (method: 'GET' | 'POST'): string[] =>
  method === 'GET' ? ['GET', 'HEAD'] : [method]

/** The URLs of pages and files, for `answerUnknown`. */
export const servedPages = (pages: readonly { method: 'GET' | 'POST'; path: string }[]): Served[] =>
  pages.flatMap(({ method, path }) =>
    pageMethods(method).map((one) => ({ method: one, path: path.replaceAll(/:(\w+)/g, '{$1}') })),
  )

/**
 * 404 and 405 under the API, for every method. A known path with the wrong method lists the methods it accepts. Both
 * come before the key is checked.
 */
export const answerUnknown = (
  app: FastifyInstance,
  served: readonly Served[],
  forPeople: readonly AnswerUnknown[] = [],
): void => {
  // Fixed words before parameters, as in the router.
  const known = [...Map.groupBy(served, ({ path }) => path).values()]
    .map(([first, ...more]) => ({
      pattern: pathPattern(first as Served),
      methods: [first as Served, ...more].map(({ method }) => method),
      hasParameters: (first as Served).path.includes('{'),
    }))
    .toSorted((one, other) => Number(one.hasParameters) - Number(other.hasParameters))
  const hasDocs = served.some(({ path }) => path === '/docs')
  const refusalOf = (request: FastifyRequest): Refusal => {
    const path = pathOf(request.url)
    if (hasDocs && (path === '/api/v1' || path === '/api/v1/')) return rootAddress()
    const found = known.find(({ pattern }) => pattern.test(path))
    // A URL that accepts the method and still was not routed has an oversized parameter.
    return found && !found.methods.includes(request.method) ? wrongMethod(found.methods) : unknownAddress()
  }
  const answer = (request: FastifyRequest, reply: FastifyReply): unknown => {
    const path = pathOf(request.url)
    const pages = forPeople.find(({ below }) => below.test(path))
    return pages ? pages.answer(refusalOf(request), request, reply) : sendRefusal(reply, refusalOf(request))
  }
  app.setNotFoundHandler(answer)
  // Answered before the body is read: where nothing accepts it, its size and content do not matter.
  app.addHook('onRequest', (request, reply, done) => {
    if (request.is404) void answer(request, reply)
    else done()
  })
}

/**
 * A page's address whose escapes cannot be decoded is routed as it is spelled, to the 404 of that part of the pages: who
 * mistyped a link is a person. A program that calls the API so is told (`answer-error.ts`).
 */
const routable = (url: string): string => {
  if (!url.includes('%') || url.startsWith('/api/')) return url
  const [path = '', ...query] = url.split(/(?=[?#;])/)
  try {
    decodeURIComponent(path)
    return url
  } catch {
    return [path.replaceAll('%', '%25'), ...query].join('')
  }
}

/** The path as the router reads it: without the query or a host, with percent escapes decoded. */
const pathOf = (url: string): string => {
  const { pathname } = URL.parse(url, 'http://host') ?? { pathname: url }
  try {
    return decodeURIComponent(pathname)
  } catch {
    return pathname
  }
}

/** Answers input that never became a request: a malformed start line, oversized headers, a request cut off midway. */
const refuseOnSocket = (socket: Duplex, refusal: Refusal, always: Readonly<Record<string, string>>): void => {
  if (!socket.writable) {
    socket.destroy()
    return
  }
  const body = refusalText(refusal)
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    ...always,
    'x-request-id': randomUUIDv7(),
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}\r\n${lines.join('')}\r\n${body}`)
}
