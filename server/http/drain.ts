import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'

/** How long requests in flight may take to end, in milliseconds. */
const drainMs = 10_000

/**
 * Fastify's own `close()` waits for idle connections and never for half-sent requests, so stopping is done here:
 * answers carry `Connection: close`, nothing new is accepted, what is in flight ends, the rest is cut.
 */
export type Drain = {
  /** Whether the process should be sent new requests. */
  readonly isOpen: () => boolean
  readonly close: () => Promise<void>
}

export const drainable = (app: FastifyInstance): Drain => {
  const { server } = app
  let open = true
  const inFlight = new Set<ServerResponse>()
  let lastOneLeft: (() => void) | undefined

  // Node's own events, not Fastify's hooks: they also see requests that no route answers, and clients that hang up.
  server.prependListener('request', (_request: IncomingMessage, response: ServerResponse) => {
    inFlight.add(response)
    if (!open) response.setHeader('connection', 'close')
    response.once('close', () => {
      inFlight.delete(response)
      if (inFlight.size === 0) lastOneLeft?.()
    })
  })

  return {
    isOpen: () => open,
    close: async () => {
      open = false
      for (const response of inFlight) if (!response.headersSent) response.setHeader('connection', 'close')
      const stoppedListening = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeIdleConnections()
      if (inFlight.size > 0) {
        const { promise, resolve } = Promise.withResolvers<void>()
        lastOneLeft = resolve
        const limit = setTimeout(resolve, drainMs)
        await promise
        clearTimeout(limit)
      }
      server.closeAllConnections()
      await stoppedListening
      await app.close()
    },
  }
}
