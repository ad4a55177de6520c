// Keeps PostgreSQL running. Every process that uses the database supervises it, even one launched by another, by
// checking whether its process is alive; the first to notice that it ended launches it again, under the
// start lock, and the others find it running. It comes back on the same port, since pools know the address.
import { setTimeout as pause } from 'node:timers/promises'
import type { Postmaster } from './postmaster.ts'

/** What the supervisor logs for the operator; pino's logger fits. */
export type Log = {
  info(sentence: string): void
  warn(sentence: string): void
  error(sentence: string): void
}

const WATCH_MS = 200
const FIRST_WAIT_MS = 200
const LONGEST_WAIT_MS = 10_000
/** After running this long, the waits start over with the shortest. */
const SETTLED_MS = 60_000

/** Watches until the signal aborts. `launch` finds or launches PostgreSQL; it is retried until it succeeds. */
export async function supervise(
  first: Postmaster,
  world: {
    isRunning: (postmaster: Postmaster) => Promise<boolean>
    launch: () => Promise<Postmaster>
    whileWatching: () => Promise<void>
    log: Log
    signal: AbortSignal
  },
): Promise<void> {
  let watched = first
  let waitMs = FIRST_WAIT_MS
  let since = performance.now()
  while (await waited(WATCH_MS, world.signal)) {
    await world.whileWatching()
    if (await world.isRunning(watched)) continue
    if (performance.now() - since > SETTLED_MS) waitMs = FIRST_WAIT_MS
    world.log.warn(`The embedded PostgreSQL has ended unexpectedly; starting it again in ${waitMs / 1000} s.`)
    for (;;) {
      if (!(await waited(waitMs, world.signal))) return
      waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)
      try {
        watched = await world.launch()
        break
      } catch (error) {
        if (world.signal.aborted) return
        world.log.error(`${(error as Error).message} Trying again in ${waitMs / 1000} s.`)
      }
    }
    since = performance.now()
    world.log.info(`The embedded PostgreSQL is running again on port ${watched.port}.`)
  }
}

/** Waits without keeping the event loop alive; false once the signal has aborted. */
const waited = (ms: number, signal: AbortSignal): Promise<boolean> =>
  pause(ms, undefined, { signal, ref: false }).then(
    () => true,
    () => false,
  )
