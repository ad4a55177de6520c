/** Whether the background loops succeed: which of them have failed, run after run, for some minutes. */
export type LoopWatch = {
  readonly loop: (name: string) => LoopNotes
  /** The names of the failing ones, in the order in which they began to fail. */
  readonly failing: () => readonly string[]
}

/** Receives the result of each run. A run with nothing to do is a success. */
export type LoopNotes = { readonly well: () => void; readonly failed: () => void }

/** A loop is failing when no run has succeeded for this long. What runs every minute has failed three times by then. */
const failsAfterMs = 90_000

/**
 * A failure older than this no longer counts: there was nothing to do since, or the loop runs so rarely that the metrics
 * report its failures.
 */
const saysNothingAfterMs = 150_000

/** @param nowMs a clock that only runs forward */
export const watchLoops = (nowMs = (): number => performance.now()): LoopWatch => {
  const failures = new Map<string, { readonly sinceMs: number; readonly lastMs: number }>()
  const isRecent = (lastMs: number): boolean => nowMs() - lastMs < saysNothingAfterMs
  return {
    loop: (name) => ({
      well: () => void failures.delete(name),
      failed: () => {
        const before = failures.get(name)
        const now = nowMs()
        const sinceMs = before && isRecent(before.lastMs) ? before.sinceMs : now
        failures.set(name, { sinceMs, lastMs: now })
      },
    }),
    failing: () =>
      [...failures]
        .filter(([, { sinceMs, lastMs }]) => lastMs - sinceMs >= failsAfterMs && isRecent(lastMs))
        .map(([name]) => name),
  }
}
