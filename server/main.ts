import { buildApp } from './app.ts'
import { type Config, readConfig } from './config.ts'
import { makeFixedKeys, mistakeInFixedKeys } from './demo/fixed-keys.ts'
import { getReady } from './demo/get-ready.ts'
import { drainable } from './platform/http/drain.ts'
import { serveHealth } from './platform/http/health.ts'
import { serveMetrics, showConnections, showHold } from './platform/http/metrics.ts'
import { packages } from './platform/http/site/packages.ts'
import { codeOf } from './platform/kernel/code-of.ts'
import { takeLittle } from './take-little.ts'
import { watchLoops } from './platform/kernel/running/loop-watch.ts'
import { mailFolder } from './mail/open-mailer.ts'
import { isReachedFromOutside } from './mail/reached-from-outside.ts'
import { type Program, openLog, openProgram } from './program.ts'
import { version } from './version.ts'
import { followPractice } from './worker/follow-practice.ts'
import { startWorker } from './worker/worker.ts'
import { noWords } from './platform/kernel/script-words.ts'

/*
 * Starts the service and stops it in order: `/readyz` says so, no new requests, those in flight finish, background work
 * ends, then the pool and the database. A signal during startup stops it at the next step, and what was started is
 * stopped.
 */

noWords('npm start, without words; settings are environment variables (docs/settings.md)')

type Stop = () => Promise<void>

const start = async (config: Config, signal: AbortSignal): Promise<Stop> => {
  const mistake = mistakeInFixedKeys(config)
  if (mistake) throw new Error(mistake)
  const log = openLog(config.logLevel, 'stdout')
  const { context, setAhead, close, about } = await openProgram(config, 'service', log, { signal })
  try {
    signal.throwIfAborted()
    const app = buildApp(context)
    const drain = drainable(app)
    const readiness = getReady(context)
    const watch = watchLoops()
    serveHealth(app, context, drain.isOpen, { isPrepared: readiness.isReady, failing: watch.failing })
    const { host, port, metricsHost, metricsPort } = config
    const metrics =
      metricsPort === undefined
        ? undefined
        : await serveMetrics(app, metricsHost, metricsPort).catch(sayWhy('METRICS', metricsHost, metricsPort))
    if (metrics) {
      showConnections(metrics.registry, context)
      showHold(metrics.registry, context)
    }
    await app.listen({ host, port }).catch(sayWhy('', host, port))
    say(lineOfProcess(config, about))
    if (config.practice) for (const line of practiceLines(context.clock())) say(line)
    if (context.hold.isOn()) for (const line of holdLines) say(line)
    if (context.mail.kind === 'files')
      say(`Mail is not sent but written to files under ${mailFolder(config)}.`)
    else if (!isReachedFromOutside(config.publicUrl)) {
      say(
        `No campaign can be sent: unsubscribe links would lead to ${config.publicUrl}, which recipients cannot open.`,
      )
      say("Set PUBLIC_URL to this service's https address.")
    }
    // Only now: had the port been taken, a new demo's keys would never have been seen.
    const prepared = readiness.begin(config.role === 'worker' ? undefined : say).then(
      (lines) => config.role === 'worker' || lines.forEach(say),
      (error: unknown) => log.error({ code: codeOf(error) }, 'could not prepare the requests to try'),
    )
    let worker: { readonly stop: () => Promise<void> } | undefined
    const work = () => (config.role === 'web' ? undefined : startWorker(context, metrics?.registry, watch))
    // After that: creating a year of history keeps the process busy, and nothing is due before it exists.
    void prepared.then(() => {
      if (signal.aborted) return
      if (config.smallMachine) takeLittle()
      worker = config.practice
        ? followPractice(context, { setAhead, start: work, afterReset: () => makeFixedKeys(context) })
        : work()
    })
    // Later, too: nobody asks for them in the first seconds, in which the demo is made and the first pages are opened.
    if (config.role !== 'worker') {
      setTimeout(() => {
        packages
          .make()
          .catch((error: Error) =>
            log.warn({ why: error.message }, 'the packages at /docs/tools cannot be made'),
          )
      }, packagesAfterMs).unref()
    }
    return async () => {
      // Together: attempts under way may need their full time, and a host that stops us waits only once for all of it.
      await Promise.all([drain.close(noticeMsOf(config)), worker?.stop()])
      await metrics?.stop()
      await close()
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** What runs here, for people reading the log of one of several processes. */
const lineOfProcess = (
  { role, host, port }: Config,
  { database, migrations, applied }: Program['about'],
): string =>
  [
    `Venue Data ${version}`,
    roleWords[role],
    `listening on ${host.includes(':') ? `[${host}]` : host}:${port}`,
    database,
    `${migrations} migrations${applied === 0 ? '' : `, ${applied} of them applied now`}`,
  ].join(' · ')

const roleWords = { all: 'web and worker', web: 'web only', worker: 'worker only' } as const

const practiceLines = (now: Temporal.Instant): readonly string[] => [
  '*** THIS IS A PRACTICE INSTANCE (PRACTICE=on). Do not use it for a venue. ***',
  `*** Webhooks may go to this machine over plain HTTP, no mail is sent, and its clock says ${minuteOf(now)}. ***`,
]

const minuteOf = (now: Temporal.Instant): string =>
  now.toString({ smallestUnit: 'minute' }).replace('T', ' ').replace('Z', ' UTC')

const holdLines: readonly string[] = [
  '*** Sending is on hold: this database was restored or moved here. Webhooks, hooks and campaigns are waiting. ***',
  '*** To see what is waiting: bin/venue resume sending --dry-run. To send it: bin/venue resume sending ***',
]

/** Turns an error of `listen` into a sentence for the operator. */
const sayWhy =
  (of: '' | 'METRICS', host: string, port: number) =>
  (error: unknown): never => {
    const [hostSetting, portSetting] = of === '' ? ['HOST', 'PORT'] : ['METRICS_HOST', 'METRICS_PORT']
    const sentences: Readonly<Record<string, string>> = {
      EADDRINUSE: `Port ${port} on ${host} is in use by another program: stop that program, or set ${portSetting} to another port.`,
      EACCES: `This user may not use port ${port} on ${host}: set ${portSetting} to 1024 or above.`,
      EADDRNOTAVAIL: `${host} is not an address of this machine: set ${hostSetting} to one that is.`,
      ENOTFOUND: `${host} is not an address of this machine: set ${hostSetting} to one that is.`,
    }
    throw new Error(sentences[codeOf(error) ?? ''] ?? (error as Error).message, { cause: error })
  }

const say = (line: string): void => {
  process.stdout.write(`${line}\n`)
}

/** Longer than requests in flight, an attempt under way and the database's own shutdown together, in milliseconds. */
const longestStopMs = 40_000

/**
 * How long a balancer gets to notice that the process is stopping. By default no time where nobody can take over: at a
 * terminal, and on the embedded database, which serves one process. A worker gets no requests anyway.
 */
const noticeMsOf = ({ role, databaseUrl, drainSeconds }: Config): number => {
  if (role === 'worker') return 0
  const isAlone = databaseUrl === undefined || process.stdout.isTTY
  return (drainSeconds ?? (isAlone ? 0 : 10)) * 1000
}

/** When the packages are made that nobody asked for yet, in milliseconds after the start. */
const packagesAfterMs = 30_000

let noticeMs = 0

const stopping = new AbortController()
const signalled = new Promise<void>((resolve) => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    // A repeat while stopping changes nothing: npm forwards a signal that its whole group already got.
    process.on(signal, () => {
      stopping.abort()
      resolve()
      // A step that hangs must not keep the process alive: stopping itself takes less than this.
      setTimeout(() => process.exit(1), noticeMs + longestStopMs).unref()
    })
  }
})

try {
  const config = readConfig()
  noticeMs = noticeMsOf(config)
  const stop = await start(config, stopping.signal)
  await signalled
  await stop()
  process.exit(0)
} catch (error) {
  if (stopping.signal.aborted && (error as Error).name === 'AbortError') process.exit(0)
  process.stderr.write(`${(error as Error).message}\n`)
  process.exit(1)
}
