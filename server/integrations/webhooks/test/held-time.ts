import type { RunningTime } from '../running-time.ts'

/** A running time that does not move until the test moves it. */
export type HeldTime = RunningTime & { readonly pass: (ms: number) => void }

export const heldTime = (): HeldTime => {
  let nowMs = 0
  const waiting = new Map<() => void, number>()
  return {
    nowMs: () => nowMs,
    after: (ms, run) => {
      const once = (): void => run()
      waiting.set(once, nowMs + ms)
      return () => void waiting.delete(once)
    },
    pass: (ms) => {
      nowMs += ms
      for (const [run, atMs] of [...waiting]) {
        if (atMs <= nowMs && waiting.delete(run)) run()
      }
    },
  }
}
