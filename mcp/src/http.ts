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
import { Refusal, Unauthorized, sentenceOf } from './refusals.ts'
import { serverFor } from './server.ts'
import { type KeysOptions, openKeys } from './keys.ts'
import { type ResourceOptions, isMetadata, openTokens, resourceMetadata } from './tokens.ts'

export type HttpOptions = KeysOptions & {
  readonly host: string
  /** 0: any free port. */
  readonly port: number
  /** Further names allowed in `Host`, in addition to the address's own; letter case makes no difference. */
  readonly allowedHosts?: readonly string[]
  /** Allowed values of `Origin`; without any, requests from web pages are refused. */
  readonly allowedOrigins?: readonly string[]
  /** The server's own address and sign-in, if clients come with tokens in place of keys. */
  readonly resource?: ResourceOptions
}

export type HttpServer = { readonly url: string; readonly stop: () => Promise<void> }

const path = '/mcp'

/**
 * Serves streamable HTTP, by the revision of the protocol that a request names. Every request carries the key of its
 * client in `X-Service-Key`, or with `resource` a token in `Authorization`, and is answered by itself: there are no
 * sessions, and nothing hangs on a connection.
 */
export const startHttp = async (options: HttpOptions): Promise<HttpServer> => {
  const { host, port, allowedHosts = [], allowedOrigins = [], resource } = options
  const keys = openKeys(options)
  const tokens = resource && openTokens(resource, options)
  const handler = createMcpHandler(
    async ({ requestInfo }) => {
      const key = requestInfo?.headers.get('x-service-key') ?? ''
      return serverFor(await keys.sessionOf(key, tokens?.ownerOf(key)), { ...options, key })
    },
    // There is nothing to listen for.
    { maxSubscriptions: 0 },
  )
  const handle = toNodeHandler(handler)
  /** The key of a request that the service accepts now. */
  const admit = async ({ headers }: IncomingMessage): Promise<string> => {
    if (!tokens) {
      const key = keyIn(headers)
      await keys.sessionOf(key)
      return key
    }
    return tokens.withKey(headers.authorization, (key, owner) => keys.sessionOf(key, owner))
  }
  const allowed: { current: Allowed } = { current: { hosts: [], origins: allowedOrigins } }
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    response.setHeaders(new Headers(headersForPages(request, allowed.current)))
    const refusal = refusalOf(request, path, allowed.current)
    if (resource && refusal?.status === 404 && isMetadata(resource, request.url)) {
      const metadata = await resourceMetadata(resource, options)
      return void response
        .writeHead(200, { 'content-type': 'application/json', 'access-control-allow-origin': '*' })
        .end(JSON.stringify(metadata))
    }
    if (refusal) return refuse(response, refusal)
    if (isPreflight(request)) return void response.writeHead(204).end()
    const key = await admit(request).catch(refusalFrom)
    if (typeof key !== 'string') return refuse(response, key)
    const body = request.method === 'POST' ? await readBody(request) : { value: undefined }
    if ('status' in body) return refuse(response, body)
    // The handler reads it there; a token goes no further than this.
    request.headers['x-service-key'] = key
    delete request.headers.authorization
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

const keyIn = (headers: IncomingMessage['headers']): string => {
  const key = headers['x-service-key']
  if (typeof key === 'string') return key
  const instead = headers.authorization === undefined ? '' : ', not in Authorization'
  throw new Unauthorized(`Send the key of the venue in the X-Service-Key header${instead}.`)
}

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
  if (error instanceof Unauthorized)
    return {
      status: 401,
      sentence: error.message,
      ...(error.challenge !== undefined && { headers: { 'www-authenticate': error.challenge } }),
    }
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
