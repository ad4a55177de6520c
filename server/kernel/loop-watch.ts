/** Whether the loops of background work get through: which of them have failed, run after run, for some minutes. */
export type LoopWatch = {
  readonly loop: (name: string) => LoopNotes
  /** The names of those that fail, in the order in which they began to. */
  readonly failing: () => readonly string[]
}

/** Told how each run ended. Runs that found nothing to do ended well. */
export type LoopNotes = { readonly well: () => void; readonly failed: () => void }

/** A loop fails when no run ended well for so long. What runs every minute has failed three times by then. */
const failsAfterMs = 90_000

/**
 * When the last failure is longer ago than this, it says nothing any more: nothing was to be done since, or the loop runs
 * so rarely that its failures are for the figures to tell.
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
