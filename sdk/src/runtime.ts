/** Time and randomness, so that a test can control them. */
export type Runtime = {
  /** Milliseconds since an arbitrary moment; unlike the time of day, it never goes back. */
  readonly now: () => number
  /** A number from 0 up to 1. */
  readonly random: () => number
  /** Waits; rejects with the signal's reason when it aborts. */
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>
  /** Calls back after the given time; returns a function that cancels it. */
  readonly after: (milliseconds: number, ring: () => void) => () => void
}

/** The longest a timer can wait, 24.8 days: one that is set for longer goes off at once. */
const longestMs = 2 ** 31 - 1

const after: Runtime['after'] = (milliseconds, ring) => {
  const timer = setTimeout(ring, Math.min(milliseconds, longestMs))
  return () => clearTimeout(timer)
}

/** The runtime's own clock and randomness. */
export const realRuntime: Runtime = {
  now: () => performance.now(),
  random: () => Math.random(),
  sleep: (milliseconds, signal) =>
    new Promise((resolve, reject) => {
      const stop = after(milliseconds, () => {
        signal?.removeEventListener('abort', abort)
        resolve()
      })
      const abort = (): void => {
        stop()
        reject(signal?.reason as Error)
      }
      if (signal?.aborted) abort()
      else signal?.addEventListener('abort', abort, { once: true })
    }),
  after,
}
