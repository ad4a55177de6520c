/** Time and chance, so that a test can have them its own way. */
export type Runtime = {
  /** Milliseconds since any moment; unlike the time of day it never goes back. */
  readonly now: () => number
  /** A number from 0 up to 1. */
  readonly random: () => number
  /** Waits; rejects with the signal's reason when it aborts. */
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>
  /** Calls back when so much time has passed; answers with what calls that off. */
  readonly after: (milliseconds: number, ring: () => void) => () => void
}

/** The longest a timer can wait, 24.8 days: one that is set for longer goes off at once. */
const longestMs = 2 ** 31 - 1

const after: Runtime['after'] = (milliseconds, ring) => {
  const timer = setTimeout(ring, Math.min(milliseconds, longestMs))
  return () => clearTimeout(timer)
}

/** The runtime's own. */
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
