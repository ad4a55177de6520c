import { randomUUIDv7 } from 'node:crypto'
import type { Socket } from 'node:net'
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify'
import { type Endpoint, records } from '@venue-data/contract/endpoints.ts'
import { limits } from '@venue-data/contract/limits.ts'
import type { Logger } from 'pino'
import { answerError, refusalText, sendRefusal } from './answer-error.ts'
import { parseJson } from './read-body.ts'
import { unknownAddress, unreadableRequest, wrongMethod } from './refusals.ts'

/** How long a slow client may take to send a request, in milliseconds. */
const requestTimeoutMs = 30_000

/** Fastify with every default changed that would answer in another shape than the contract's. */
export const httpServer = (log: Logger): FastifyInstance => {
  const app = fastify({
    logger: false,
    exposeHeadRoutes: false,
    bodyLimit: limits.bodyBytes,
    requestTimeout: requestTimeoutMs,
    handlerTimeout: limits.requestSeconds * 1000,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    genReqId: () => randomUUIDv7(),
    frameworkErrors: (error, request, reply) => {
      finishHeaders(request, reply)
      answerError(error, request, reply as FastifyReply, log)
    },
    clientErrorHandler: (error, socket) =>
      answerSocketError(error as NodeJS.ErrnoException, socket as Socket),
  })
  for (const record of records) app.addSchema(record)
  app.decorateRequest('caller', undefined)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async (_request: FastifyRequest, bytes: Buffer) =>
    parseJson(bytes),
  )
  app.setErrorHandler((error, request, reply) => answerError(error, request, reply, log))
  app.addHook('onRequest', async (request, reply) => finishHeaders(request, reply))
  app.addHook('onResponse', async (request, reply) => {
    // An allow list: never the address itself, whose query holds personal data.
    log.info(
      {
        requestId: request.id,
        method: request.method,
        route: request.routeOptions.url,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        keyId: request.caller?.key.id,
      },
      'request',
    )
  })
  return app
}

const finishHeaders = (
  request: FastifyRequest,
  reply: { headers: (values: Record<string, string>) => unknown },
): void => {
  reply.headers({
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-request-id': request.id,
  })
}

/**
 * 404 and 405 under the API, for every method there is: a known path with another method names those it takes.
 * Both come before the key is looked at (decision 1.1).
 */
export const answerUnknown = (app: FastifyInstance, endpoints: readonly Endpoint[]): void => {
  const paths = new Map<string, Endpoint[]>()
  for (const endpoint of endpoints) paths.set(endpoint.path, [...(paths.get(endpoint.path) ?? []), endpoint])
  const known = [...paths.values()].map((group) => ({
    pattern: new RegExp(`^${(group[0] as Endpoint).path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
    methods: group.map(({ method }) => method),
  }))
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?', 1)[0] as string
    const found = known.find(({ pattern }) => pattern.test(path))
    return sendRefusal(reply, found ? wrongMethod(found.methods) : unknownAddress())
  })
}

/** What never became a request (a broken start line, too large a header, a request that stopped half-way). */
const answerSocketError = (error: NodeJS.ErrnoException, socket: Socket): void => {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const body = refusalText(unreadableRequest())
  socket.end(
    `HTTP/1.1 400 Bad Request\r\ncontent-type: application/json; charset=utf-8\r\ncache-control: no-store\r\nx-content-type-options: nosniff\r\nx-request-id: ${randomUUIDv7()}\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  )
}
