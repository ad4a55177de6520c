/** Wakes one waiting loop of this process. A ring while nobody waits is kept, so none is ever missed. Others may listen. */
export type Bell = {
  readonly ring: () => void
  /** Runs at every ring. */
  readonly onRing: (run: () => void) => void
  /** Resolves at the next ring, or after `ms`; at once when the bell rang since the last wait. */
  readonly wait: (ms: number) => Promise<void>
}

export const makeBell = (): Bell => {
  let rung = false
  let wake: (() => void) | undefined
  const listeners: (() => void)[] = []
  return {
    ring: () => {
      rung = true
      wake?.()
      for (const run of listeners) run()
    },
    onRing: (run) => void listeners.push(run),
    wait: async (ms) => {
      if (!rung) {
        const { promise, resolve } = Promise.withResolvers<void>()
        wake = resolve
        const timer = setTimeout(resolve, ms)
        await promise
        clearTimeout(timer)
        wake = undefined
      }
      rung = false
    },
  }
}
