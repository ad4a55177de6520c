import type { Context } from '../../../context.ts'
import { codeOf } from '../../../platform/kernel/code-of.ts'
import type { LoopWatch } from '../../../platform/kernel/running/loop-watch.ts'

/** What the loops of this process have in common: they rest in between, can be woken, and end with the stop. */
export type Loops = {
  /** Runs it until the stop, with a rest after each run; one that fails is tried again. */
  readonly repeat: (name: string, run: () => Promise<void>, everyMs: number) => Promise<void>
  readonly logFailure: (error: unknown) => void
  /** Resolves after `ms`, or when the loops are woken; at once after the stop. */
  readonly rest: (ms: number) => Promise<void>
  /** Ends every rest. */
  readonly wake: () => void
  readonly stop: () => void
  readonly isStopping: () => boolean
}

export const makeLoops = ({ log, watch }: Pick<Context, 'log'> & { readonly watch: LoopWatch }): Loops => {
  const resting = new Set<() => void>()
  let stopping = false

  const logFailure = (error: unknown): void =>
    log.warn({ code: codeOf(error) }, 'looking after campaigns failed; it will be tried again')
  const rest = async (ms: number): Promise<void> => {
    if (stopping) return
    const { promise, resolve } = Promise.withResolvers<void>()
    resting.add(resolve)
    const timer = setTimeout(resolve, ms)
    await promise
    clearTimeout(timer)
    resting.delete(resolve)
  }
  const wake = (): void => {
    for (const resume of resting) resume()
  }

  return {
    repeat: async (name, run, everyMs) => {
      const notes = watch.loop(name)
      while (!stopping) {
        await run().then(notes.well, (error: unknown) => {
          notes.failed()
          logFailure(error)
        })
        await rest(everyMs)
      }
    },
    logFailure,
    rest,
    wake,
    stop: () => {
      stopping = true
      wake()
    },
    isStopping: () => stopping,
  }
}
