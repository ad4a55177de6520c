import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { readConfig } from '../server/config.ts'
import { killAndWait, postmasterOf } from '../server/platform/db/embedded/test/harness.ts'
import { startEmbedded } from '../server/platform/db/embedded/embedded.ts'
import { openLog, openProgram } from '../server/program.ts'
import { freePort } from '../server/platform/db/embedded/free-port.ts'
import { type ServiceProcess, startProcess } from '../server/test/process.ts'
import { type Harm, judgeHarm } from '../server/integrations/webhooks/test/faults/judge-harm.ts'
import { killInTurn, runFaults, sharedSecrets } from '../server/integrations/webhooks/test/faults/run.ts'
import { scriptWords } from '../server/platform/kernel/script-words.ts'

/*
 * Webhooks under faults: the service's real processes, two web and two workers, on one PostgreSQL, 200 events a
 * second for a minute, endpoints removed and keys revoked meanwhile. Then the client's book, the database, the
 * receiver's book and the lists are compared (server/integrations/webhooks/test/faults/reckoning.ts). Three harms:
 *
 *   kill       kill -9 of a worker every 2 s, of a web process every 7 s, or as fast as the machine starts new ones
 *   pause      SIGSTOP of a worker for 60 s, longer than any lease, then it goes on as if nothing had been
 *   database   kill -9 of PostgreSQL every 15 s
 *
 * `node bench/webhook-faults.ts [--harm kill,pause,database] [--seconds 60] [--per-second 200]`; exit code 1 when the
 * books disagree, when the harm hit nothing, when the rate fell too far below the one asked for, or when it took too
 * long to go on (server/integrations/webhooks/test/faults/judge-harm.ts). Proven by mutants: with the fencing of leases off `pause` fails, with the event outside the
 * transaction `kill` does.
 */

const { values } = scriptWords(
  'node bench/webhook-faults.ts [--harm kill,pause,database --seconds 60 --per-second 200 --venues 250]',
  {
    options: {
      harm: { type: 'string', default: 'kill,pause,database' },
      seconds: { type: 'string', default: '60' },
      'per-second': { type: 'string', default: '200' },
      venues: { type: 'string', default: '250' },
    },
  },
)

const runHarm = async (harm: Harm): Promise<boolean> => {
  const folder = await mkdtemp(join(tmpdir(), 'venue-data-faults-'))
  const dataDir = join(folder, 'data')
  const embedded = await startEmbedded({
    dataDir,
    role: 'command',
    log: { info: () => undefined, warn: () => undefined, error: console.error },
    // Connections of killed processes linger for some seconds.
    flags: { max_connections: '300' },
  })
  const settings = {
    DATABASE_URL: embedded.url,
    SECRETS: sharedSecrets(),
    PRACTICE: 'on',
    RATE_LIMIT_PER_MINUTE: '1000000',
    LOG_LEVEL: 'silent',
    POOL_SIZE: '8',
    DATA_DIR: folder,
  }
  const { context, close } = await openProgram(readConfig(settings), 'command', openLog('silent', 'stderr'))
  const ports = [await freePort(), await freePort()]
  // Not awaited until ready: a successor may take its time.
  const startWeb = (place: number): Promise<ServiceProcess> =>
    startProcess({ ...settings, ROLE: 'web', PORT: String(ports[place]) })
  const startWorker = (): Promise<ServiceProcess> => startProcess({ ...settings, ROLE: 'worker' })
  const webs = [await startWeb(0), await startWeb(1)]
  const workers = [await startWorker(), await startWorker()]
  for (const each of [...webs, ...workers]) await each.ready()

  const harms: Record<Harm, (ended: AbortSignal) => Promise<unknown>> = {
    kill: (ended) =>
      Promise.all([killInTurn(workers, startWorker, 2_000, ended), killInTurn(webs, startWeb, 7_000, ended)]),
    pause: async (ended) => {
      await pause(5_000, undefined, { signal: ended }).catch(() => undefined)
      workers[0]?.signal('SIGSTOP')
      await pause(60_000)
      workers[0]?.signal('SIGCONT')
    },
    database: async (ended) => {
      while (!ended.aborted) {
        await pause(15_000, undefined, { signal: ended }).catch(() => undefined)
        const postmaster = await postmasterOf(dataDir)
        if (!ended.aborted && postmaster !== undefined) await killAndWait(postmaster, dataDir)
      }
    },
  }
  try {
    const { problems, figures } = await runFaults({
      context,
      urls: webs.map(({ url }) => url),
      seconds: Number(values.seconds),
      perSecond: Number(values['per-second']),
      venues: Number(values.venues),
      harm: async (ended) => void (await harms[harm](ended)),
      // A lease and the sweep, and with a failed attempt its first wait.
      databaseForgets: harm === 'database',
    })
    const asked = Number(values['per-second'])
    const shortfalls = judgeHarm(harm, asked, figures)
    console.log(
      `${harm}: ${problems.length === 0 ? 'the books agree' : 'THE BOOKS DISAGREE'}; ` +
        `${figures['perSecond']} of ${asked} events a second, ${figures['takeovers']} takeovers, ` +
        `going again in ${((figures['longestSilenceMs'] ?? Number.NaN) / 1000).toFixed(1)} s; ${JSON.stringify(figures)}`,
    )
    for (const problem of [...problems, ...shortfalls]) console.log(`  ${problem}`)
    return problems.length + shortfalls.length === 0
  } finally {
    for (const each of [...webs, ...workers]) each.signal('SIGKILL')
    await Promise.all([...webs, ...workers].map(({ ended }) => ended))
    await close()
    await embedded.stop()
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

for (const harm of values.harm.split(',')) if (!(await runHarm(harm as Harm))) process.exitCode = 1
