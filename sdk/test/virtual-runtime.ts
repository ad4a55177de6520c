import type { Runtime } from '../src/runtime.ts'

/** A clock that moves only when somebody waits, and randomness that is fixed. */
export type VirtualRuntime = Runtime & {
  /** What was waited for, in milliseconds. */
  readonly waits: readonly number[]
  /** Fetches, and lets as much time pass as the answer says it was delayed. */
  readonly fetch: typeof fetch
}

export const virtualRuntime = (
  onWait: () => void = () => undefined,
  ask: typeof fetch = fetch,
): VirtualRuntime => {
  let now = 0
  const waits: number[] = []
  const timers = new Set<{ readonly at: number; readonly ring: () => void }>()
  /** Lets time pass; stops early at a timer that ends what is waited for. */
  const pass = (milliseconds: number, isOver: () => boolean): void => {
    const end = now + milliseconds
    for (const timer of [...timers].toSorted((a, b) => a.at - b.at)) {
      if (timer.at > end || isOver()) break
      now = timer.at
      timers.delete(timer)
      timer.ring()
    }
    if (!isOver()) now = end
  }
  return {
    waits,
    now: () => now,
    random: () => 0.5,
    sleep: async (milliseconds, signal) => {
      waits.push(milliseconds)
      onWait()
      signal?.throwIfAborted()
      pass(milliseconds, () => false)
    },
    after: (milliseconds, ring) => {
      const timer = { at: now + milliseconds, ring }
      timers.add(timer)
      return () => timers.delete(timer)
    },
    fetch: async (url, init) => {
      const response = await ask(url, init)
      const seconds = Number(response.headers.get('x-delay-seconds') ?? 0)
      if (seconds > 0) pass(seconds * 1000, () => init?.signal?.aborted ?? false)
      if (init?.signal?.aborted) throw init.signal.reason
      return response
    },
  }
}
