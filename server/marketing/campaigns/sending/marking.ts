import type { Context } from '../../../context.ts'
import { codeOf } from '../../../platform/kernel/code-of.ts'
import type { Active } from './active.ts'
import { sendingLimits } from './limits.ts'
import type { Loops } from './loops.ts'
import { type Leaving, type Result, markBatch, untried } from './mark.ts'

export type MarkingParts = Pick<Context, 'db' | 'clock' | 'log'> & {
  readonly boot: string
  readonly loops: Loops
  readonly stopMs: number
}

/**
 * Marks copies as on the wire and records the results of earlier ones; what cannot be written now is written later.
 * @returns the copies on the wire
 */
export type Marking = (
  active: Active,
  results: readonly Result[],
  leaving: readonly Leaving[],
) => Promise<Leaving[]>

export const makeMarking = ({ db, clock, log, boot, loops, stopMs }: MarkingParts): Marking => {
  const mark: Marking = ({ venue, id }, results, leaving) =>
    markBatch(db, venue, id, { boot, results, leaving }, clock())

  const writeLater = async (active: Active, results: readonly Result[]): Promise<void> => {
    for (const started = performance.now(); ;) {
      await new Promise((resolve) => setTimeout(resolve, sendingLimits.writeAgainMs))
      try {
        await mark(active, results, [])
        return
      } catch (error) {
        log.warn({ code: codeOf(error) }, 'results of mails could not be written yet')
        // After that the copies' lease runs out, and others call them unknown.
        if (loops.isStopping() && performance.now() - started > stopMs) return
      }
    }
  }

  return async (active, results, leaving) => {
    try {
      return await mark(active, results, leaving)
    } catch (error) {
      log.warn({ code: codeOf(error) }, 'a batch of mails could not be marked; it will be tried again')
    }
    // The mark may have been made without our knowing: these are not sent, and go back with the results.
    const back = leaving.map(({ subscriber }) => untried(subscriber, clock()))
    await writeLater(active, [...results, ...back])
    return []
  }
}
