import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client'
import type { Context } from '../../context.ts'
import type { PoolCounts } from '../db/pool.ts'
import { routeName } from './path.ts'

export type Metrics = { readonly registry: Registry; readonly stop: () => Promise<void> }

/** Counts and times every answer, and serves the metrics on a separate port, away from the public one. */
export const serveMetrics = async (app: FastifyInstance, host: string, port: number): Promise<Metrics> => {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the first byte of a request to the last of its answer.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  })
  const faults = new Counter({
    name: 'http_faults_total',
    help: 'Answers of 500 and above.',
    labelNames: ['route'],
    registers: [registry],
  })
  const refusals = new Counter({
    name: 'http_refusals_total',
    help: 'Refusals with a reason, such as the rule that was against a booking.',
    labelNames: ['route', 'reason'],
    registers: [registry],
  })
  new Gauge({
    name: 'build_info',
    help: 'Always 1; the labels say which version runs, and on which Node.',
    labelNames: ['version', 'node'],
    registers: [registry],
  }).set({ version: await ownVersion(), node: process.versions.node }, 1)
  app.addHook('onResponse', (request, reply, done) => {
    // The route's template, never the URL: URLs contain personal data and are unlimited in number.
    const route = routeName(request.routeOptions.url) ?? 'none'
    duration.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000)
    if (reply.statusCode >= 500) faults.inc({ route })
    if (request.refusedFor) refusals.inc({ route, reason: request.refusedFor })
    done()
  })
  const server = createServer((request, response) => {
    if (request.url !== '/metrics') {
      response.writeHead(404).end()
      return
    }
    void registry
      .metrics()
      .then((text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  return {
    registry,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Whether sending from a restored copy is still on hold; every process reports it, in any role. */
export const showHold = (registry: Registry, { hold }: Pick<Context, 'hold'>): Gauge =>
  new Gauge({
    name: 'sending_on_hold',
    help: '1 while webhooks, hooks and campaigns wait after a restore, until `resume sending`; else 0.',
    registers: [registry],
    collect() {
      this.set(hold.isOn() ? 1 : 0)
    },
  })

/** Database connection metrics, read on each scrape. */
export const showConnections = (
  registry: Registry,
  { db, workerDb }: Pick<Context, 'db' | 'workerDb'>,
): void => {
  const own = (name: string, help: string, of: keyof PoolCounts) =>
    new Gauge({
      name,
      help,
      labelNames: ['pool', 'kind'],
      registers: [registry],
      collect() {
        for (const [pool, database] of [
          ['requests', db],
          ['background', workerDb],
        ] as const)
          for (const [kind, counts] of Object.entries(database.counts())) this.set({ pool, kind }, counts[of])
      },
    })
  own('db_connections', 'Open connections to the database.', 'total')
  own('db_connections_idle', 'Open connections that nobody uses.', 'idle')
  own('db_connections_waited_for', 'Works that wait for a connection.', 'waiting')
}

const ownVersion = async (): Promise<string> => {
  const text = await readFile(new URL('../../../package.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}
