// The running PostgreSQL of one folder: finding it, launching it, ending it. PostgreSQL itself keeps
// `postmaster.pid` (its process id, port and status) in its folder; later processes find it by that
// file, whichever process launched it. A crash leaves the file behind: it counts only while the process it
// names is alive and really serves this folder.
import { execFile, spawn } from 'node:child_process'
import { open, readFile, readlink, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { kill, platform } from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { codeOf } from '../../kernel/code-of.ts'
import type { Binaries } from './binaries.ts'
import { type Places, cleanEnvironment } from './cluster.ts'
import { type RunAs, commandLine } from './run-as.ts'
import { lastWords, logEnd } from './server-log.ts'
import { type Flags, postgresArguments } from './settings.ts'
import { endSentence } from '../../kernel/sentence.ts'

export type Postmaster = { pid: number; port: number; status: string }

const POLL_MS = 10
/** Recovery after a crash during heavy writing may take minutes. */
const READY_WITHIN_MS = 15 * 60_000
const FAST_SHUTDOWN_MS = 10_000
/** PostgreSQL itself gives its sessions 5 s of this before it kills them. */
const IMMEDIATE_SHUTDOWN_MS = 10_000

/** The PostgreSQL that serves this folder now, if one does. */
export async function findPostmaster(cluster: string): Promise<Postmaster | undefined> {
  const named = await readPidFile(cluster)
  return named !== undefined && (await serves(named.pid, cluster)) ? named : undefined
}

/** Whether the process is alive and is the PostgreSQL of this folder, not another program under a reused id. */
export async function serves(pid: number, cluster: string): Promise<boolean> {
  if (!isAlive(pid)) return false
  if (platform !== 'linux') return (await commandLineByPs(pid)).includes(` -D ${cluster} `)
  const args = (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).split('\0')
  // A backend calls itself "postgres: …"; a zombie process has no command line.
  if (basename(args[0] ?? '') !== 'postgres') return false
  const folder = await readlink(`/proc/${pid}/cwd`).catch(() => args[args.indexOf('-D') + 1])
  return folder === cluster
}

/** The PostgreSQL of the folder once it takes connections; waits while it still recovers or shuts down. */
export async function runningOnceReady(
  cluster: string,
  signal: AbortSignal,
): Promise<Postmaster | undefined> {
  const deadline = performance.now() + READY_WITHIN_MS
  for (;;) {
    const found = await findPostmaster(cluster)
    if (found === undefined || found.status === 'ready') return found
    if (performance.now() > deadline) throw new Error(neverReady(found.pid))
    await pause(POLL_MS, undefined, { signal })
  }
}

/**
 * Launches PostgreSQL and waits until it takes connections. Call while holding the start lock, with
 * nothing serving the folder. Once launched it belongs to the machine, not to us: a separate process group
 * keeps the terminal's Ctrl-C away from it, and it does not keep our event loop alive.
 */
export async function launch(
  places: Places,
  binaries: Binaries,
  runAs: RunAs,
  how: { port: number; flags: Flags; signal: AbortSignal },
): Promise<Postmaster> {
  await removeForeignPidFile(places.cluster)
  const before = await logEnd(places.log)
  const log = await open(places.log, 'a', 0o600)
  const [program, args] = commandLine(
    runAs.prefix,
    binaries.postgres,
    postgresArguments(places.cluster, how.port, how.flags),
  )
  const child = spawn(program, args, {
    ...runAs.spawnOptions,
    cwd: '/',
    env: cleanEnvironment,
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
  })
  let ended = false
  let cause: unknown
  child.once('exit', () => (ended = true))
  child.once('error', (error) => {
    ended = true
    cause = error
  })
  child.unref()
  await log.close()
  const deadline = performance.now() + READY_WITHIN_MS
  for (;;) {
    const named = await readPidFile(places.cluster)
    if (named !== undefined && named.pid === child.pid) {
      if (named.status === 'ready') return named
      // Only from here on can an abort find the process and end it.
      how.signal.throwIfAborted()
    }
    if (ended)
      throw new Error(
        endSentence(`PostgreSQL did not start on ${places.cluster}: ${await lastWords(places.log, before)}`),
        { cause },
      )
    if (performance.now() > deadline) throw new Error(neverReady(child.pid))
    await pause(POLL_MS)
  }
}

/**
 * Ends PostgreSQL: fast shutdown (open sessions are ended, everything is written), after 10 s immediate shutdown
 * (the next start recovers). Fails with a message if even that does not end it.
 */
export async function shutDown(cluster: string): Promise<void> {
  const found = await findPostmaster(cluster)
  if (found === undefined) return
  for (const [signal, withinMs] of [
    ['SIGINT', FAST_SHUTDOWN_MS],
    ['SIGQUIT', IMMEDIATE_SHUTDOWN_MS],
  ] as const) {
    sendSignal(found.pid, signal)
    const deadline = performance.now() + withinMs
    while (performance.now() < deadline) {
      if (!(await serves(found.pid, cluster))) return
      await pause(POLL_MS)
    }
  }
  throw new Error(`PostgreSQL (process ${found.pid}) does not end.`)
}

const neverReady = (pid: number | undefined): string =>
  `PostgreSQL (process ${pid}) is running but takes no connections; see postgres.log.`

async function readPidFile(cluster: string): Promise<Postmaster | undefined> {
  const text = await readFile(pidFileOf(cluster), 'utf8').catch(() => '')
  const lines = text.split('\n').map((line) => line.trim())
  const [pid, port] = [Number(lines[0]), Number(lines[3])]
  return pid > 0 && port > 0 ? { pid, port, status: lines[7] ?? '' } : undefined
}

/**
 * PostgreSQL replaces a file whose process is gone, but refuses to start if the id now belongs to another
 * program. That file is removed here. Sessions that might have outlived their PostgreSQL are no danger:
 * it looks for them itself, through the folder's shared memory.
 */
async function removeForeignPidFile(cluster: string): Promise<void> {
  const named = await readPidFile(cluster)
  if (named !== undefined && isAlive(named.pid) && !(await serves(named.pid, cluster)))
    await rm(pidFileOf(cluster))
}

const pidFileOf = (cluster: string): string => join(cluster, 'postmaster.pid')

function isAlive(pid: number): boolean {
  try {
    return kill(pid, 0)
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    kill(pid, signal)
  } catch (error) {
    if (codeOf(error) !== 'ESRCH') throw error
  }
}

const commandLineByPs = (pid: number): Promise<string> =>
  promisify(execFile)('ps', ['-ww', '-o', 'command=', '-p', String(pid)]).then(
    ({ stdout }) => stdout,
    () => '',
  )
