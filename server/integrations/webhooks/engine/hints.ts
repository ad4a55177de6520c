import type { Context } from '../../../context.ts'
import { codeOf } from '../../../platform/kernel/code-of.ts'
import type { VenueId } from '../../../core/venue/venue.ts'
import { type ReturnedLane, openLanes, returnLanes } from './lanes.ts'
import { engineLimits } from './limits.ts'

/** Lanes to be written back to the database: those whose turn is over, and those to be opened for a retry. */
export type Hints = {
  readonly giveBack: (lane: ReturnedLane) => void
  readonly open: (venue: VenueId, at: Temporal.Instant) => void
  /**
   * Call last: resolves when the hints so far are written or given up, or after `ms`; nothing is written after that.
   */
  readonly written: (ms: number) => Promise<void>
  readonly waiting: () => number
}

/** A lane to return, or a moment to open one at, and how often it was found locked. */
type Returned = ReturnedLane & { readonly passes: number }
type Opening = { readonly at: Temporal.Instant; readonly passes: number }

/**
 * Gathers lane updates while the previous statement runs, so one statement serves many venues. A lane locked by an
 * event's transaction or another worker's statement is skipped and retried after growing pauses; in the end it is left
 * to the sweep.
 * @param onDue called when a lane just written is already due
 */
export const gatherHints = (
  { db, log, clock }: Pick<Context, 'db' | 'log' | 'clock'>,
  onDue: () => void,
): Hints => {
  let returned: Returned[] = []
  let opened = new Map<VenueId, Opening>()
  /** Skipped, and waiting for the next retry. */
  let passedOver = 0
  let writing: Promise<void> | undefined
  let onWritten: (() => void) | undefined
  let isOver = false

  const isDue = (at: Temporal.Instant): boolean => at.epochMilliseconds <= clock().epochMilliseconds

  const open = (venue: VenueId, { at, passes }: Opening): void => {
    const before = opened.get(venue)
    const isEarlier = !before || at.epochMilliseconds < before.at.epochMilliseconds
    // The lower count of the two: a new hint has not waited yet.
    opened.set(venue, {
      at: isEarlier ? at : before.at,
      passes: Math.min(passes, before?.passes ?? passes),
    })
  }

  const later = (count: number, passes: number, again: () => void): void => {
    passedOver += count
    const pauseMs = Math.min(engineLimits.hintPauseLeastMs * 2 ** passes, engineLimits.hintPauseMostMs)
    setTimeout(() => {
      if (isOver) return
      passedOver -= count
      again()
      start()
    }, pauseMs)
  }

  /** Hints that found their lane locked are retried, up to a limit. */
  const comeAgain = <Hint extends { readonly passes: number }>(
    hints: readonly Hint[],
    take: (hint: Hint) => void,
  ): void => {
    const kept = hints.filter(({ passes }) => passes < engineLimits.hintPasses)
    if (kept.length < hints.length)
      log.warn({ lanes: hints.length - kept.length }, 'lanes stayed in other hands; the sweep opens them')
    for (const [passes, some] of Map.groupBy(kept, (hint) => hint.passes))
      later(some.length, passes, () => some.forEach((hint) => take({ ...hint, passes: passes + 1 })))
  }

  const write = async (): Promise<void> => {
    while (!isOver && (returned.length > 0 || opened.size > 0)) {
      const [lanes, openings] = [returned, opened]
      returned = []
      opened = new Map()
      try {
        // In this order: a lane returned after it was opened would be left to its holder at that point.
        if (lanes.length > 0) {
          const missed = new Set(await returnLanes(db, lanes))
          comeAgain(
            lanes.filter(({ lane }) => missed.has(lane.venue_id)),
            (lane) => returned.push(lane),
          )
        }
        if (openings.size > 0) {
          const missed = await openLanes(db, new Map([...openings].map(([venue, { at }]) => [venue, at])))
          comeAgain(
            missed.map((venue) => ({ venue, ...(openings.get(venue) as Opening) })),
            ({ venue, ...opening }) => open(venue, opening),
          )
        }
        const moments = [...lanes.map(({ nextAt }) => nextAt), ...[...openings.values()].map(({ at }) => at)]
        if (moments.some(isDue)) onDue()
      } catch (error) {
        log.warn({ code: codeOf(error) }, 'lanes could not be written yet')
        returned.push(...lanes)
        for (const [venue, opening] of openings) open(venue, opening)
        await new Promise((resolve) => setTimeout(resolve, engineLimits.writeAgainMs))
      }
    }
    writing = undefined
    if (passedOver === 0) onWritten?.()
  }
  const start = (): void => {
    // After the current turn of the event loop, so that related hints share a statement.
    writing ??= new Promise<void>((resolve) => setImmediate(resolve)).then(write)
  }
  const waiting = (): number => returned.length + opened.size + passedOver + (writing ? 1 : 0)

  return {
    giveBack: (lane) => {
      returned.push({ ...lane, passes: 0 })
      start()
    },
    open: (venue, at) => {
      open(venue, { at, passes: 0 })
      start()
    },
    written: async (ms) => {
      if (waiting() > 0) {
        const { promise, resolve } = Promise.withResolvers<void>()
        onWritten = resolve
        const timer = setTimeout(resolve, ms)
        await promise
        clearTimeout(timer)
      }
      isOver = true
      // The running statement, if any.
      await writing
    },
    waiting,
  }
}
