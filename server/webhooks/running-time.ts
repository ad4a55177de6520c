/**
 * The time since some moment at this process's start; it keeps running while the process is paused, and is not wall
 * time. Given as a parameter to what has limits in it, so that tests say when a limit is over.
 */
export type RunningTime = {
  readonly nowMs: () => number
  /** Runs it once after a number of milliseconds; returns a function that cancels it. */
  readonly after: (ms: number, run: () => void) => () => void
}

export const runningTime: RunningTime = {
  nowMs: () => performance.now(),
  after: (ms, run) => {
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  },
}
