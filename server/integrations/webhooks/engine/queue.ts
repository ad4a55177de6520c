import type { Context } from '../../../context.ts'
import { codeOf } from '../../../platform/kernel/code-of.ts'
import type { LoopWatch } from '../../../platform/kernel/running/loop-watch.ts'
import { type Lane, pickLanes } from './lanes.ts'
import { engineLimits } from './limits.ts'

/** Lanes that this process picked and that await their turn. */
export type Queue = {
  /** The next few lanes; waits until some are due. None: it was stopped. */
  readonly next: () => Promise<readonly Lane[]>
  readonly stop: () => void
  /** After the stop: the lanes that had no turn. */
  readonly left: () => readonly Lane[]
  /** Lanes waiting here, plus one while a pick is running. */
  readonly waiting: () => number
}

/** @param isRoom whether another attempt could be taken: there is a place for it, and sending is not on hold */
export const makeQueue = (
  {
    db,
    clock,
    log,
    bell,
    watch,
  }: Pick<Context, 'db' | 'clock' | 'log' | 'bell'> & { readonly watch: LoopWatch },
  isRoom: () => boolean,
): Queue => {
  const notes = watch.loop('webhooks: pick venues')
  let lanes: Lane[] = []
  let picking: Promise<void> | undefined
  let isPicking = false
  let stopped = false
  let pauseMs: number = engineLimits.pauseLeastMs

  const pick = async (): Promise<void> => {
    if (isRoom()) {
      try {
        isPicking = true
        lanes = await pickLanes(db, clock())
        notes.well()
      } catch (error) {
        notes.failed()
        log.warn({ code: codeOf(error) }, 'lanes could not be picked; it will be tried again')
        pauseMs = engineLimits.pauseMostMs
      } finally {
        isPicking = false
      }
    }
    if (lanes.length > 0) pauseMs = engineLimits.pauseLeastMs
    else {
      await bell.wait(pauseMs)
      pauseMs = Math.min(pauseMs * 2, engineLimits.pauseMostMs)
    }
  }

  return {
    next: async () => {
      while (!stopped) {
        if (lanes.length > 0) return lanes.splice(0, engineLimits.turnsTogether)
        picking ??= pick().finally(() => {
          picking = undefined
        })
        await picking
      }
      return []
    },
    stop: () => {
      stopped = true
      bell.ring()
    },
    left: () => lanes,
    waiting: () => lanes.length + (isPicking ? 1 : 0),
  }
}
