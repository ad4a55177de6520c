import { engineLimits } from './limits.ts'
import type { Room } from './choose.ts'

/** The attempts this process may run at once: a quarter is reserved for first attempts and a quarter for retries. */
export type Places = {
  readonly room: () => Room
  readonly take: (kind: 'first' | 'retry', count: number) => void
  readonly leave: (kind: 'first' | 'retry', count?: number) => void
  readonly taken: () => number
  /** Resolves when no attempt is running, or after `ms`. */
  readonly empty: (ms: number) => Promise<void>
}

export const makePlaces = (total: number = engineLimits.triesOfProcess): Places => {
  const used = { first: 0, retry: 0 }
  const ofKind = Math.floor(total * engineLimits.shareOfOneKind)
  let onEmpty: (() => void) | undefined
  const taken = (): number => used.first + used.retry
  return {
    room: () => ({ first: ofKind - used.first, retry: ofKind - used.retry, both: total - taken() }),
    take: (kind, count) => {
      used[kind] += count
    },
    leave: (kind, count = 1) => {
      used[kind] -= count
      if (taken() === 0) onEmpty?.()
    },
    taken,
    empty: async (ms) => {
      if (taken() === 0) return
      const { promise, resolve } = Promise.withResolvers<void>()
      onEmpty = resolve
      const timer = setTimeout(resolve, ms)
      await promise
      clearTimeout(timer)
    },
  }
}
