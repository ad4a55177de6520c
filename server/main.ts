import { buildApp } from './app.ts'
import { type Config, readConfig } from './config.ts'
import { linesOfStart } from './demo/first-start.ts'
import { drainable } from './http/drain.ts'
import { serveHealth } from './http/health.ts'
import { serveMetrics } from './http/metrics.ts'
import { openLog, openProgram } from './program.ts'
import { startWorker } from './worker/worker.ts'

/*
 * Starts the service and stops it in order: no new requests, those in flight end, background work ends, the
 * pool, the database. A signal during the start waits for the start and then stops.
 */

const start = async (config: Config): Promise<() => Promise<void>> => {
  const log = openLog(config.logLevel, 'stdout')
  const { context, close } = await openProgram(config, 'service', log)
  try {
    const app = buildApp(context)
    const drain = drainable(app)
    serveHealth(app, context, drain.isOpen)
    const metrics =
      config.metricsPort === undefined ? undefined : await serveMetrics(app, config.host, config.metricsPort)
    await app.listen({ host: config.host, port: config.port })
    const worker = config.role === 'web' ? undefined : startWorker(context, metrics?.registry)
    say(`Venue Data API: ${config.publicUrl} (reference at ${config.publicUrl}/docs)`)
    // Only now: had the port been taken, the keys of a new demo would never have been seen.
    for (const line of await linesOfStart(context)) say(line)
    return async () => {
      // Together: tries under way may need their full time, and a host that stops us waits for all of it only once.
      await Promise.all([drain.close(), worker?.stop()])
      await metrics?.stop()
      await close()
    }
  } catch (error) {
    await close()
    throw error
  }
}

const say = (line: string): void => {
  process.stdout.write(`${line}\n`)
}

const fail = (error: unknown): void => {
  process.stderr.write(`${(error as Error).message}\n`)
  process.exitCode = 1
}

try {
  const started = start(readConfig())
  let stopping = false
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (stopping) return
      stopping = true
      started.then((stop) => stop()).then(() => process.exit(0), fail)
    })
  }
  await started
} catch (error) {
  fail(error)
}
