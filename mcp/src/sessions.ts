import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { isInitializeRequest } from '@modelcontextprotocol/sdk/types.js'
import { ApiError } from '@venue-data/sdk'
import type { Confirmations } from './confirmations.ts'
import type { HttpRefusal } from './http-checks.ts'
import { sentenceOf } from './refusals.ts'
import { type ServerOptions, createServer } from './server.ts'
import { confirmationsOf, fingerprint } from './session.ts'

export type SessionsOptions = Omit<ServerOptions, 'key'>

type Known = {
  readonly transport: StreamableHTTPServerTransport
  readonly owner: string
  readonly usedMs: number
}

export type Sessions = {
  /** Answers a request or refuses it. */
  handle(request: IncomingMessage, response: ServerResponse, body: unknown): Promise<HttpRefusal | undefined>
  stop(): Promise<void>
}

/**
 * The maximum number of sessions, in total and per key. Some clients never end theirs: a key's least recently used one
 * makes room.
 */
const mostSessions = 1000
const mostOfKey = 20
/** How long an unused session is kept, in milliseconds. */
const idleMs = 30 * 60 * 1000

export const openSessions = (options: SessionsOptions): Sessions => {
  const { now = Date.now } = options
  const known = new Map<string, Known>()

  /** By the fingerprint of the key; the key least recently begun with comes first. */
  const confirmations = new Map<string, Confirmations>()
  const keptOf = (key: string): Confirmations => {
    const owner = fingerprint(key)
    const kept = confirmations.get(owner) ?? confirmationsOf(key, now)
    confirmations.delete(owner)
    confirmations.set(owner, kept)
    if (confirmations.size > mostSessions) confirmations.delete(confirmations.keys().next().value as string)
    return kept
  }

  const begin = async (key: string): Promise<StreamableHTTPServerTransport> => {
    const server = await createServer({ ...options, key, confirmations: keptOf(key) })
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      enableJsonResponse: true,
      onsessioninitialized: (id) => void known.set(id, { transport, owner: fingerprint(key), usedMs: now() }),
      onsessionclosed: (id) => void known.delete(id),
    })
    await server.connect(transport)
    return transport
  }

  const drop = async (those: readonly (readonly [string, Known])[]): Promise<void> => {
    for (const [id, { transport }] of those) {
      known.delete(id)
      await transport.close()
    }
  }
  const dropIdle = () => drop([...known].filter(([, { usedMs }]) => now() - usedMs >= idleMs))
  const makeRoom = (owner: string) =>
    drop([...known].filter((one) => one[1].owner === owner).slice(0, 1 - mostOfKey))

  return {
    handle: async (request, response, body) => {
      const key = String(request.headers['x-service-key'])
      const id = request.headers['mcp-session-id']
      await dropIdle()
      if (id !== undefined) {
        const found = known.get(String(id))
        // With another key, somebody else's session does not exist.
        if (!found || found.owner !== fingerprint(key))
          return { status: 404, sentence: 'There is no such session; begin another.' }
        // The least recently used comes first.
        known.delete(String(id))
        known.set(String(id), { ...found, usedMs: now() })
        await found.transport.handleRequest(request, response, body)
        return undefined
      }
      if (!isInitializeRequest(body)) return { status: 400, sentence: 'Begin with initialize.' }
      await makeRoom(fingerprint(key))
      if (known.size >= mostSessions)
        return { status: 503, sentence: 'There are too many sessions; try again later.' }
      try {
        const transport = await begin(key)
        await transport.handleRequest(request, response, body)
        return undefined
      } catch (error) {
        return refusalFrom(error)
      }
    },
    stop: async () => {
      for (const { transport } of known.values()) await transport.close()
      known.clear()
    },
  }
}

/** A key that the service rejects is rejected here. */
const refusalFrom = (error: unknown): HttpRefusal => {
  // The service's client refuses invalid header values.
  if (error instanceof TypeError) return { status: 401, sentence: 'That is no key.' }
  return {
    status: error instanceof ApiError && error.status < 500 ? error.status : 503,
    sentence: sentenceOf(error),
  }
}
