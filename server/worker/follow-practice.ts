import { setTimeout as wait } from 'node:timers/promises'
import type { Context } from '../context.ts'
import { codeOf } from '../platform/kernel/code-of.ts'
import { uuidFrom } from '../platform/kernel/uuid.ts'
import { practiceInstance, systemClock } from '../integrations/practice/instance.ts'
import { processEnded, processSeen } from '../integrations/practice/processes.ts'
import type { Worker } from './worker.ts'

/** Pauses between checks for commands: normally, and while one follows another; and between signs of life. */
const lookMs = 100
const quickLookMs = 2
const quickForMs = 1_000
const seenMs = 1_000

export type Following = {
  /** Moves the clock of the context. */
  readonly setAhead: (milliseconds: number) => void
  /** Starts background work; undefined where this process does none. */
  readonly start: () => Worker | undefined
  /** Called when the data was restored, before background work starts again. */
  readonly afterReset?: () => Promise<unknown>
  readonly system?: () => Temporal.Instant
}

/**
 * A practice instance's process carries out commands (integrations/practice/processes.ts): sets its clock, stops its worker or
 * restarts it, and answers once nothing is left to do at that moment.
 */
export const followPractice = (
  { db, log, random, usage, demand }: Pick<Context, 'db' | 'log' | 'random' | 'usage' | 'demand'>,
  { setAhead, start, afterReset, system = systemClock }: Following,
): { readonly stop: () => Promise<void> } => {
  const boot = uuidFrom(random)
  const ending = new AbortController()
  let worker = start()
  const hasWorker = worker !== undefined
  let step = -1
  let answered = -1
  let caughtUp = false
  let wasHeld = false
  let quickUntilMs = 0

  const look = async (): Promise<void> => {
    const order = await practiceInstance(db, system)
    if (!order) return
    if (order.step !== step) {
      step = order.step
      quickUntilMs = performance.now() + quickForMs
      setAhead(order.aheadMs)
      if (order.isHeld) {
        await worker?.stop()
        worker = undefined
        // What was counted so far belongs to the tables that are about to be put back, not to those that come.
        await Promise.all([usage.flush(), demand.flush()])
        wasHeld = true
      }
      caughtUp = false
      const asked = step
      void worker?.catchUp().then(() => {
        // Not for a command that arrived in the meantime.
        if (asked === step) caughtUp = true
      })
    }
    if (wasHeld && !order.isHeld) {
      await afterReset?.()
      // With fresh state: what the previous worker cached may be gone.
      worker = start()
      caughtUp = true
      wasHeld = false
    }
    if (answered === step) return
    if (worker && !(caughtUp && (await worker.isAtRest()))) return
    await processSeen(db, { boot, hasWorker, step }, system)
    answered = step
  }

  const again = async (run: () => Promise<unknown>, pauseMs: () => number): Promise<void> => {
    for (let failures = 0; !ending.signal.aborted;) {
      try {
        await run()
        failures = 0
      } catch (error) {
        // One failure means nothing: it checks again in a moment.
        if (++failures > 1)
          log.warn(
            { code: codeOf(error) },
            'the practice clock could not be followed; it will be tried again',
          )
      }
      await wait(pauseMs(), undefined, { signal: ending.signal }).catch(() => undefined)
    }
  }
  const loops = [
    again(look, () => (answered !== step || performance.now() < quickUntilMs ? quickLookMs : lookMs)),
    again(
      () => processSeen(db, { boot, hasWorker, step: answered }, system),
      () => seenMs,
    ),
  ]
  return {
    stop: async () => {
      ending.abort()
      await Promise.all(loops)
      await worker?.stop()
      await processEnded(db, boot, system).catch(() => undefined)
    },
  }
}
