import { setTimeout as wait } from 'node:timers/promises'
import type { Context } from '../context.ts'
import { codeOf } from '../platform/kernel/code-of.ts'
import type { Bell } from '../platform/kernel/running/bell.ts'
import type { LoopWatch } from '../platform/kernel/running/loop-watch.ts'

/** A unit of background work, run repeatedly. */
export type Job = {
  readonly name: string
  /** Pause after each run, in milliseconds. */
  readonly everyMs: number
  /** Ends the pause when it rings in this process. */
  readonly bell?: Bell
  /** The signal says that the process is stopping: long work stops at its next step. */
  readonly run: (signal: AbortSignal) => Promise<unknown>
}

/** In the first round, how long a job may delay the others, in milliseconds. */
const firstTurnMs = 1_000
const minuteMs = 60_000

/**
 * Runs each job in its own loop until stopped; a failed run is logged and retried after the pause. The first round runs
 * one job after the other, so that a start on a busy machine does not request a connection for each at once. `stop`
 * waits for running jobs. `runDue` is for a clock that was moved: it runs the jobs whose pause is over on that clock,
 * and in any case those that normally run every minute, in addition to their loops, as another process might. It runs
 * them in the order of the list, in which a job comes before those it leaves work to (a completed party frees a table,
 * which is given to another), so that nothing is left when it resolves.
 */
export const startJobs = (
  jobs: readonly Job[],
  { log, clock, watch }: Pick<Context, 'log' | 'clock'> & { readonly watch: LoopWatch },
): { readonly runDue: () => Promise<void>; readonly stop: () => Promise<void> } => {
  const ending = new AbortController()
  const { signal } = ending
  const ranAtMs = new Map<Job, number>()
  const underWay = new Set<Promise<void>>()

  const run = async (job: Job): Promise<void> => {
    ranAtMs.set(job, clock().epochMilliseconds)
    try {
      await job.run(signal)
      watch.loop(job.name).well()
    } catch (error) {
      watch.loop(job.name).failed()
      const code = codeOf(error) ?? (error as Error).message
      log.warn({ job: job.name, code }, 'background work failed; it will be tried again')
    }
  }
  const once = (job: Job): Promise<void> => {
    const running = run(job).finally(() => underWay.delete(running))
    underWay.add(running)
    return running
  }
  const pause = (ms: number): Promise<unknown> => wait(ms, undefined, { signal }).catch(() => undefined)

  const firstRound = async (): Promise<void> => {
    for (const job of jobs) if (!signal.aborted) await Promise.race([once(job), pause(firstTurnMs)])
  }
  const first = firstRound()
  const loop = async (job: Job): Promise<void> => {
    await first
    const rest = () => (job.bell ? job.bell.wait(job.everyMs) : pause(job.everyMs))
    for (await rest(); !signal.aborted; await rest()) await once(job)
  }
  const loops = jobs.map(loop)
  return {
    runDue: async () => {
      const nowMs = clock().epochMilliseconds
      const due = jobs.filter(
        (job) => job.everyMs <= minuteMs || nowMs - (ranAtMs.get(job) ?? 0) >= job.everyMs,
      )
      await first
      for (const job of due) if (!signal.aborted) await once(job)
      await Promise.all(underWay)
    },
    stop: async () => {
      ending.abort()
      for (const { bell } of jobs) bell?.ring()
      await Promise.all(loops)
      await Promise.all(underWay)
    },
  }
}
