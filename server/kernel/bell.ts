/** Wakes one waiting loop of this process. A ring while nobody waits is kept, so none is ever missed. */
export type Bell = {
  readonly ring: () => void
  /** Resolves at the next ring, or after `ms`; at once when the bell rang since the last wait. */
  readonly wait: (ms: number) => Promise<void>
}

export const makeBell = (): Bell => {
  let rung = false
  let wake: (() => void) | undefined
  return {
    ring: () => {
      rung = true
      wake?.()
    },
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
