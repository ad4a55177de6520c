// Makes sure that one PostgreSQL is running. A process calls this when it starts, and its supervisor calls it
// after a crash, always while holding the start lock: a running PostgreSQL is adopted as it is,
// existing data is started, and if there is nothing, the cluster is created first.
import { findBinaries } from './binaries.ts'
import { type Places, isCluster, makeCluster } from './cluster.ts'
import { tryLock } from './file-lock.ts'
import { freePort, isFree } from './free-port.ts'
import { type Postmaster, launch, runningOnceReady } from './postmaster.ts'
import { settleRunAs } from './run-as.ts'
import { boundLog } from './server-log.ts'
import type { Flags } from './settings.ts'

/** What was found: nothing (`made`), existing data (`started`), or a running PostgreSQL (`adopted`). */
export type Origin = 'made' | 'started' | 'adopted'

export type BringUp = {
  places: Places
  role: 'service' | 'command'
  serviceLock: string
  flags: Flags
  signal: AbortSignal
}

const BIND_TRIES = 5

/** Finds or launches it: on a free port the first time, afterwards on the `port` it had. */
export async function bringUp(world: BringUp, port?: number): Promise<Postmaster & { origin: Origin }> {
  const { places, flags, signal } = world
  const running = await runningOnceReady(places.cluster, signal)
  if (running !== undefined) return { ...running, origin: 'adopted' }
  if (world.role === 'command') refuseBesideService(world.serviceLock, places.dataDir)
  // Once in use, data that has vanished is an accident to report, not a first start.
  if (port !== undefined && !(await isCluster(places.cluster)))
    throw new Error(`The data in ${places.cluster} is gone.`)
  const binaries = await findBinaries()
  const runAs = await settleRunAs(binaries, places.dataDir, places.cluster)
  const made = await makeCluster(places, binaries, runAs, { sync: flags['fsync'] !== 'off' })
  await boundLog(places.log)
  const launchOn = (port: number) => launch(places, binaries, runAs, { port, flags, signal })
  const launched = port === undefined ? await onFreePort(launchOn) : await launchOn(port)
  return { ...launched, origin: made ? 'made' : 'started' }
}

/**
 * A command launches nothing while a service runs: the service does that itself. Above all, the PostgreSQL of a
 * service in another container is invisible from here, and a second one on the same files would destroy them.
 * The lock is tried under the start lock, so a service that starts at this moment never trips over it.
 */
function refuseBesideService(serviceLock: string, dataDir: string): void {
  const lock = tryLock(serviceLock, 'exclusive')
  if (lock !== undefined) return lock.release()
  throw new Error(
    `A service is running on ${dataDir}, but its database is not, or not within reach: ` +
      'try again in a moment, and in the container of the service if it has one.',
  )
}

/** A port that was free a moment ago may be taken by the time PostgreSQL binds it: then another is tried. */
async function onFreePort(launchOn: (port: number) => Promise<Postmaster>): Promise<Postmaster> {
  for (let tries = 1; ; tries += 1) {
    const port = await freePort()
    try {
      return await launchOn(port)
    } catch (error) {
      if (tries === BIND_TRIES || (await isFree(port))) throw error
    }
  }
}
