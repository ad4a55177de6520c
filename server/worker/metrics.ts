import { Gauge, type Registry } from 'prom-client'
import type { LoopWatch } from '../platform/kernel/running/loop-watch.ts'
import type { Job } from './loop.ts'

/**
 * Wraps the jobs, so that the metrics show when each last succeeded. The times are on the system's clock, because
 * Prometheus compares them with its own. A job that has not run yet counts from the start, so that one that never
 * succeeds is noticed, too.
 */
export const watchJobs = (registry: Registry, jobs: readonly Job[]): Job[] => {
  const ended = new Gauge({
    name: 'job_last_success_timestamp_seconds',
    help: 'When a job of background work last ended well; until it has, when the process started.',
    labelNames: ['loop'],
    registers: [registry],
  })
  const pause = new Gauge({
    name: 'job_pause_seconds',
    help: 'How long a job of background work pauses between two runs.',
    labelNames: ['loop'],
    registers: [registry],
  })
  return jobs.map((job) => {
    const labels = { loop: job.name }
    ended.setToCurrentTime(labels)
    pause.set(labels, job.everyMs / 1000)
    return {
      ...job,
      run: async (signal) => {
        await job.run(signal)
        ended.setToCurrentTime(labels)
      },
    }
  })
}

/** The jobs that make `/readyz` fail. */
export const showFailing = (registry: Registry, { failing }: LoopWatch): void => {
  void new Gauge({
    name: 'background_loops_failing',
    help: 'Loops of background work that have not got through for some minutes.',
    registers: [registry],
    collect() {
      this.set(failing().length)
    },
  })
}
