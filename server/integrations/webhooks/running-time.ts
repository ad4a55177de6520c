/**
 * The time since some moment at process start. It keeps running while the process is paused, and is not wall time.
 * Passed as a parameter to code with time limits, so that tests decide when a limit expires.
 */
export type RunningTime = {
  readonly nowMs: () => number
  /** Runs a function once after a number of milliseconds; returns a function that cancels it. */
  readonly after: (ms: number, run: () => void) => () => void
}

export const runningTime: RunningTime = {
  nowMs: () => performance.now(),
  after: (ms, run) => {
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  },
}
