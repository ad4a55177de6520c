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
  let open = true
  let inFlight = 0
  let lastOneLeft: (() => void) | undefined

  app.addHook('onRequest', async (_request, reply) => {
    inFlight++
    if (!open) reply.header('connection', 'close')
    // Not Fastify's onResponse: a client that hangs up must be counted out too.
    reply.raw.once('close', () => {
      if (--inFlight === 0) lastOneLeft?.()
    })
  })
  app.addHook('onSend', async (_request, reply) => {
    if (!open) reply.header('connection', 'close')
  })

  return {
    isOpen: () => open,
    close: async () => {
      open = false
      const { server } = app
      const stoppedListening = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeIdleConnections()
      if (inFlight > 0) {
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
