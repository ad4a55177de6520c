// The embedded PostgreSQL of one data folder, and who does what with it:
// - a service or an operator's command calls `startEmbedded`. The first one makes the cluster and
//   launches PostgreSQL; one that comes later, or after a crash that left it running, adopts it as it is;
// - three operating system locks (file-lock.ts) order them. `service` is held by the one service for
//   its whole life, so a second one is refused. `start` is held while starting and stopping.
//   `users` is shared by all who use the database: one that can take it alone when leaving is
//   the last one and shuts the database down. So a command never stops it under a service, nor a service
//   under a command, whichever of them launched it. Without a service, commands share it the same way;
// - every user supervises it (supervisor.ts).
// A killed process leaves PostgreSQL running and no lock behind. A crashed PostgreSQL leaves a stale
// postmaster.pid (postmaster.ts), a killed initdb an unfinished folder (cluster.ts).
import { realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { type BringUp, type Origin, bringUp } from './bring-up.ts'
import { keptPassword, makeFolders, placesUnder } from './cluster.ts'
import { type Lock, tryLock, whileLocked } from './file-lock.ts'
import { serves, shutDown } from './postmaster.ts'
import { boundLog } from './server-log.ts'
import { serviceAddress, settleServiceRole } from './service-role.ts'
import type { Flags } from './settings.ts'
import { type Log, supervise } from './supervisor.ts'

export type Embedded = {
  /** Connects to the database as its owner, who is not a superuser; contains the password. Constant until stopped. */
  url: string
  origin: Origin
  /** Stops using the database and, if nobody else uses it, shuts it down. May be called more than once. */
  stop: () => Promise<void>
}

/** Longer than a slow and busy machine takes to make a database. Who holds the lock and dies lets go of it. */
const START_LOCK_MS = 300_000

/**
 * Starts, adopts or joins the PostgreSQL under `dataDir`, and keeps it running until `stop()`.
 * Refuses, with one sentence for the operator: a second service on the same folder, a machine without
 * programs for it, a folder that holds something else, root where no other account can reach the folder.
 * `flags` are PostgreSQL settings, for tests; they matter only to the process that launches it.
 */
export async function startEmbedded(options: {
  dataDir: string
  role: 'service' | 'command'
  log: Log
  flags?: Flags
}): Promise<Embedded> {
  const { log, role, flags = {} } = options
  await makeFolders(placesUnder(options.dataDir))
  // One name for the folder, for any path given: PostgreSQL is recognized by it.
  const places = placesUnder(await realpath(options.dataDir))
  const locks = {
    service: join(places.locks, 'service'),
    start: join(places.locks, 'start'),
    users: join(places.locks, 'users'),
  }
  const ending = new AbortController()
  let service: Lock | undefined
  let user: Lock | undefined

  const world: BringUp = { places, role, serviceLock: locks.service, flags, signal: ending.signal }
  try {
    const { origin, url, ...first } = await whileLocked(locks.start, START_LOCK_MS, async () => {
      if (role === 'service') service = onlyService(locks.service, places.dataDir)
      user = tryLock(locks.users, 'shared')
      const brought = await bringUp(world)
      const password = await keptPassword(places, 'fail')
      await settleServiceRole(password, brought.port)
      return { ...brought, url: serviceAddress(password, brought.port) }
    })
    log.info(`The embedded PostgreSQL is ${origin} in ${places.dataDir}, on 127.0.0.1:${first.port}.`)
    const supervising = supervise(first, {
      isRunning: (postmaster) => serves(postmaster.pid, places.cluster),
      launch: () => whileLocked(locks.start, START_LOCK_MS, () => bringUp(world, first.port)),
      // Only one process at a time may do this: the service, of which there is only one.
      whileWatching: async () => (role === 'service' ? boundLog(places.log) : undefined),
      log,
      signal: ending.signal,
    })
    const leave = async (): Promise<void> => {
      ending.abort()
      await supervising
      try {
        await whileLocked(locks.start, START_LOCK_MS, () => shutDownIfLast(places.cluster, locks.users, user))
      } finally {
        user?.release()
        service?.release()
      }
    }
    let left: Promise<void> | undefined
    return {
      url,
      origin,
      stop: () => (left ??= leave()),
    }
  } catch (error) {
    user?.release()
    service?.release()
    throw error
  }
}

function onlyService(file: string, dataDir: string): Lock {
  const lock = tryLock(file, 'exclusive')
  if (lock !== undefined) return lock
  throw new Error(
    `Another service is already running on the data folder ${dataDir}: stop it first, or set DATA_DIR to another folder.`,
  )
}

async function shutDownIfLast(cluster: string, users: string, user: Lock | undefined): Promise<void> {
  user?.release()
  const alone = tryLock(users, 'exclusive')
  if (alone === undefined) return
  try {
    await shutDown(cluster)
  } finally {
    alone.release()
  }
}
