import { setTimeout as wait } from 'node:timers/promises'
import type { Context } from '../context.ts'

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
 * `stop` waits for the runs under way; `runDue` is for a clock that was moved: it runs those whose pause is over by
 * it, and in any case those that usually run every minute, beside their loops, as another process might.
 */
export const startJobs = (
  jobs: readonly Job[],
  { log, clock }: Pick<Context, 'log' | 'clock'>,
): { readonly runDue: () => Promise<void>; readonly stop: () => Promise<void> } => {
  const ending = new AbortController()
  const ranAtMs = new Map<Job, number>()
  const once = async (job: Job): Promise<void> => {
    const { name, run } = job
    ranAtMs.set(job, clock().epochMilliseconds)
    try {
      await run(ending.signal)
    } catch (error) {
      log.warn(
        { job: name, code: (error as { code?: unknown }).code },
        'background work failed; it will be tried again',
      )
    }
  }
  const loops = jobs.map(async (job) => {
    while (!ending.signal.aborted) {
      await once(job)
      await wait(job.everyMs, undefined, { signal: ending.signal }).catch(() => undefined)
    }
  })
  return {
    runDue: async () => {
      const nowMs = clock().epochMilliseconds
      const due = jobs.filter(
        (job) => job.everyMs <= minuteMs || nowMs - (ranAtMs.get(job) ?? 0) >= job.everyMs,
      )
      await Promise.all(due.map(once))
    },
    stop: async () => {
      ending.abort()
      await Promise.all(loops)
    },
  }
}

const minuteMs = 60_000
