import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from 'pino'

/** A unit of background work, run again and again. */
export type Job = {
  readonly name: string
  /** Pause after each run, in milliseconds. */
  readonly everyMs: number
  /** The signal says that the process ends: what takes long stops at its next step. */
  readonly run: (signal: AbortSignal) => Promise<unknown>
}

/**
 * Runs each job in a loop of its own until stopped; a run that fails is logged and tried again after the pause.
 * `stop` waits for the runs under way.
 */
export const startJobs = (jobs: readonly Job[], log: Logger): { stop: () => Promise<void> } => {
  const ending = new AbortController()
  const loops = jobs.map(async ({ name, everyMs, run }) => {
    while (!ending.signal.aborted) {
      try {
        await run(ending.signal)
      } catch (error) {
        log.warn(
          { job: name, code: (error as { code?: unknown }).code },
          'background work failed; it will be tried again',
        )
      }
      await wait(everyMs, undefined, { signal: ending.signal }).catch(() => undefined)
    }
  })
  return {
    stop: async () => {
      ending.abort()
      await Promise.all(loops)
    },
  }
}
