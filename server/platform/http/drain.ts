import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

/** How long requests in flight may take to finish, in milliseconds. */
const drainMs = 10_000

/**
 * Fastify's own `close()` waits for idle connections and never for half-sent requests, so shutdown happens here, in two
 * steps. For `noticeMs` the process only reports itself as not ready and keeps serving: a load balancer notices on its
 * next probe and sends requests until then. After that, answers carry `Connection: close`, nothing new is accepted,
 * requests in flight finish, and the rest are cut off.
 */
export type Drain = {
  /** Whether the process should receive new requests. */
  readonly isOpen: () => boolean
  readonly close: (noticeMs: number) => Promise<void>
}

const endings = new WeakMap<FastifyInstance, (() => void)[]>()

/** Runs at the first sign of shutdown; anything that only waits ends then. */
export const whenStopping = (app: FastifyInstance, run: () => void): void => {
  endings.set(app, [...(endings.get(app) ?? []), run])
  app.addHook('preClose', (done) => {
    run()
    done()
  })
}

export const drainable = (app: FastifyInstance): Drain => {
  const { server } = app
  let open = true
  let closing = false
  let inFlight = 0
  let lastOneLeft: (() => void) | undefined
  const ended = (): void => {
    if (--inFlight === 0) lastOneLeft?.()
  }

  // A Node event instead of a Fastify hook, because it also reports requests that no route answers.
  server.prependListener('request', (_request: IncomingMessage, response: ServerResponse) => {
    inFlight++
    if (closing) response.setHeader('connection', 'close')
    // Counted down on close, not on answer: a client that hangs up must be counted out too.
    response.once('close', ended)
  })
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (closing) reply.header('connection', 'close')
    done()
  })

  return {
    isOpen: () => open,
    close: async (noticeMs) => {
      open = false
      for (const run of endings.get(app) ?? []) run()
      if (noticeMs > 0) await wait(noticeMs)
      closing = true
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
