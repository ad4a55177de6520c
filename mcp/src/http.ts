import { type IncomingMessage, type Server, type ServerResponse, createServer as createHttp } from 'node:http'
import type { AddressInfo } from 'node:net'
import { toNodeHandler } from '@modelcontextprotocol/node'
import { createMcpHandler } from '@modelcontextprotocol/server'
import { ApiError } from '@venue-data/sdk'
import {
  type Allowed,
  type HttpRefusal,
  headersForPages,
  isPreflight,
  readBody,
  refusalOf,
} from './http-checks.ts'
import { Refusal, sentenceOf } from './refusals.ts'
import { serverFor } from './server.ts'
import { type KeysOptions, openKeys } from './keys.ts'

export type HttpOptions = KeysOptions & {
  readonly host: string
  /** 0: any free port. */
  readonly port: number
  /** Further names allowed in `Host`, in addition to the address's own; letter case makes no difference. */
  readonly allowedHosts?: readonly string[]
  /** Allowed values of `Origin`; without any, requests from web pages are refused. */
  readonly allowedOrigins?: readonly string[]
}

export type HttpServer = { readonly url: string; readonly stop: () => Promise<void> }

const path = '/mcp'

/**
 * Serves streamable HTTP, by the revision of the protocol that a request names. Every request carries the key of its
 * client in `X-Service-Key` and is answered by itself: there are no sessions, and nothing hangs on a connection.
 */
export const startHttp = async (options: HttpOptions): Promise<HttpServer> => {
  const { host, port, allowedHosts = [], allowedOrigins = [] } = options
  const keys = openKeys(options)
  const handler = createMcpHandler(
    async ({ requestInfo }) => {
      const key = keyIn(requestInfo?.headers)
      return serverFor(await keys.sessionOf(key), { ...options, key })
    },
    // There is nothing to listen for.
    { maxSubscriptions: 0 },
  )
  const handle = toNodeHandler(handler)
  const allowed: { current: Allowed } = { current: { hosts: [], origins: allowedOrigins } }
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    response.setHeaders(new Headers(headersForPages(request, allowed.current)))
    const refusal = refusalOf(request, path, allowed.current)
    if (refusal) return refuse(response, refusal)
    if (isPreflight(request)) return void response.writeHead(204).end()
    const body = request.method === 'POST' ? await readBody(request) : { value: undefined }
    if ('status' in body) return refuse(response, body)
    const session = await keys.sessionOf(String(request.headers['x-service-key'])).catch(refusalFrom)
    if ('status' in session) return refuse(response, session)
    await handle(request as IncomingMessage & { method: string; url: string }, response, body.value)
  }
  const server = createHttp({ requestTimeout: 30_000 }, (request, response) => {
    answer(request, response).catch(() => {
      // The error may contain what was sent.
      if (response.headersSent) response.destroy()
      else refuse(response, { status: 500, sentence: 'Something went wrong in this server.' })
    })
  })
  await listen(server, host, port)
  const at = (server.address() as AddressInfo).port
  const own = ['127.0.0.1', 'localhost', '[::1]'].map((name) => `${name}:${at}`)
  allowed.current = {
    hosts: [...own, ...allowedHosts].map((name) => name.toLowerCase()),
    origins: allowedOrigins,
  }
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${at}${path}`,
    stop: async () => {
      await handler.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const keyIn = (headers: Headers | undefined): string => headers?.get('x-service-key') ?? ''

const listen = (server: Server, host: string, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', (error: Error & { code?: string }) => {
      const sentence = whyNot(host, port)[error.code ?? '']
      reject(sentence === undefined ? error : new Refusal(sentence))
    })
    server.listen({ host, port }, resolve)
  })

/** Sentences for the codes with which `listen` fails. */
const whyNot = (host: string, port: number): Readonly<Record<string, string>> => ({
  EADDRINUSE: `Port ${port} on ${host} is in use by another program: stop that program, or choose another port with --port.`,
  EACCES: `This user may not use port ${port} on ${host}: choose one of 1024 or above with --port.`,
  EADDRNOTAVAIL: `${host} is not an address of this machine: choose one that is with --host.`,
  ENOTFOUND: `${host} is not an address of this machine: choose one that is with --host.`,
})

/** A key that the service rejects is rejected here. */
const refusalFrom = (error: unknown): HttpRefusal => {
  // The service's client refuses invalid header values.
  if (error instanceof TypeError) return { status: 401, sentence: 'That is no key.' }
  return {
    status: error instanceof ApiError && error.status < 500 ? error.status : 503,
    sentence: sentenceOf(error),
  }
}

/** Refusals have the form that protocol clients read. */
const refuse = (response: ServerResponse, { status, sentence, headers = {} }: HttpRefusal): void => {
  response.writeHead(status, { 'content-type': 'application/json', connection: 'close', ...headers })
  response.end(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32_000, message: sentence } }))
}
