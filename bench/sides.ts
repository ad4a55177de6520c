import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { open, readFile, readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { readConfig } from '../server/config.ts'
import type { Context } from '../server/context.ts'
import { freePort } from '../server/platform/db/embedded/free-port.ts'
import { openLog, openProgram } from '../server/program.ts'
import type { FloorOrder } from './floor.ts'
import type { LoadOrder, LoadResult } from './load.ts'

/* The benchmark's processes: the service as started in production, the floors, the load generator. */

export type Side<Order, Result> = { ask: (order: Order) => Promise<Result>; stop: () => Promise<void> }

export const startLoad = async (): Promise<Side<LoadOrder, LoadResult>> =>
  asking(fork(join(import.meta.dirname, 'load.ts')))

export const startFloor = async (
  settings: Record<string, string>,
): Promise<Side<FloorOrder, { port: number; perSecond: number }>> => {
  const child = fork(join(import.meta.dirname, 'floor.ts'), {
    env: { ...process.env, ...settings },
    // Node with the service's flags.
    execArgv:
      (await startCommand(join(import.meta.dirname, '..'))).match(/ --\S+/g)?.map((flag) => flag.trim()) ??
      [],
  })
  await once(child, 'message')
  return asking(child)
}

/** A process that handles one question at a time. If it has ended, it answers with an error instead of never. */
export const asking = <Order, Result>(child: ChildProcess): Side<Order, Result> => ({
  ask: async (order) => {
    if (child.exitCode !== null)
      throw new Error(`a side of the benchmark has ended: ${child.spawnargs.at(-1)}`)
    const answered = new AbortController()
    const { signal } = answered
    try {
      child.send(order as object)
      const answer = await Promise.race([
        once(child, 'message', { signal }).then(([message]) => message as Result & { failed?: string }),
        once(child, 'exit', { signal }).then(() => ({ failed: `${child.spawnargs.at(-1)} ended` })),
      ])
      if ('failed' in answer && answer.failed) throw new Error(answer.failed)
      return answer as Result
    } finally {
      answered.abort()
    }
  },
  stop: async () => {
    if (child.connected) child.disconnect()
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  },
})

/** Processor time used so far, in seconds. */
export type CpuSeconds = { readonly service: number; readonly database: number }

export type Service = {
  readonly port: number
  readonly cpu: () => Promise<CpuSeconds>
  /** Resident memory of the process, in bytes. */
  readonly memory: () => Promise<number>
  readonly stop: () => Promise<void>
}

/** A service with its database; its cleanup is added to `endings`. */
export const openSide = async (
  settings: Record<string, string>,
  root: string,
  endings: (() => Promise<void>)[],
): Promise<Service & { readonly context: Context }> => {
  const service = await startService(settings, root)
  endings.push(service.stop)
  const { context, close } = await openProgram(readConfig(settings), 'command', openLog('warn', 'stderr'))
  endings.push(close)
  return { ...service, context }
}

/** Starts the service of a checkout and waits until it is ready; its log goes to a file in the data folder. */
export const startService = async (settings: Record<string, string>, root: string): Promise<Service> => {
  const port = await freePort()
  const log = await open(join(settings['DATA_DIR'] as string, 'service.log'), 'a')
  // Every npm script starts with its own node first in the path; the `exec` in it makes this child the service.
  const path = `${join(root, 'node_modules', '.bin')}:${process.env['PATH']}`
  const child = spawn('sh', ['-c', await startCommand(root)], {
    cwd: root,
    env: { ...settings, PATH: path, PORT: String(port) },
    stdio: ['ignore', log.fd, 'inherit'],
  })
  await log.close()
  for (let tries = 0; ; tries++) {
    const ready = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined)
    if (ready?.status === 200) break
    if (child.exitCode !== null || tries === 600) throw new Error('the service did not start')
    await pause(50)
  }
  return {
    port,
    cpu: async () => ({
      service: await cpuOf(child.pid as number),
      database: await cpuOfDatabase(settings['DATA_DIR'] as string),
    }),
    memory: async () => {
      const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '')
      return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? Number.NaN) * 1024
    },
    stop: async () => {
      child.kill('SIGTERM')
      if (child.exitCode === null) await once(child, 'exit')
    },
  }
}

/** What `npm start` runs. */
const startCommand = async (root: string): Promise<string> =>
  JSON.parse(await readFile(join(root, 'package.json'), 'utf8')).scripts.start as string

/** Of a process, and of its children that have ended. Linux counts in hundredths of a second. */
const cpuOf = async (pid: number): Promise<number> => {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / 100
}

/** Of a PostgreSQL and all of its processes. */
export const cpuOfDatabase = async (dataDir: string): Promise<number> => {
  const files = await readdir(dataDir, { recursive: true })
  const file = files.find((name) => basename(name) === 'postmaster.pid')
  const postmaster = file ? (await readFile(join(dataDir, file), 'utf8')).split('\n')[0] : ''
  const children = await readFile(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8').catch(() => '')
  const pids = [postmaster, ...children.trim().split(' ')].map(Number)
  return (await Promise.all(pids.map(cpuOf))).reduce((sum, one) => sum + one, 0)
}

/** Runs the sides in turn and keeps each result; the first round only warms up, and `warmedUp` comes behind it. */
export const inTurns = async <Name extends string, Result>(
  rounds: number,
  sides: Partial<Record<Name, () => Promise<Result>>>,
  warmedUp?: () => Promise<unknown>,
): Promise<Record<Name, Result[]>> => {
  const names = Object.keys(sides) as Name[]
  const seen = Object.fromEntries(names.map((name) => [name, [] as Result[]])) as Record<Name, Result[]>
  for (let round = 0; round <= rounds; round++) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const result = await (sides[name] as () => Promise<Result>)()
      if (round > 0) seen[name].push(result)
    }
    if (round === 0) await warmedUp?.()
  }
  return seen
}
