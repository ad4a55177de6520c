import type { Context } from '../../context.ts'
import type { VenueId } from '../../venue/venue.ts'
import { type ReturnedLane, openLanes, returnLanes } from './lanes.ts'
import { engineLimits } from './limits.ts'

/** Lanes on their way back to the database: those whose turn is over, and those to be opened for a retry. */
export type Hints = {
  readonly giveBack: (lane: ReturnedLane) => void
  readonly open: (venue: VenueId, at: Temporal.Instant) => void
  /** Resolves when the hints so far are written or given up. */
  readonly written: () => Promise<void>
  readonly waiting: () => number
}

/**
 * Gathers what becomes of lanes while the statement before is under way, so one statement serves many venues. They
 * are hints: what cannot be written is tried again and in the end left to the sweep.
 * @param onDue told when a lane just written is due already
 */
export const gatherHints = (
  { db, log, clock }: Pick<Context, 'db' | 'log' | 'clock'>,
  onDue: () => void,
): Hints => {
  let returned: ReturnedLane[] = []
  let opened = new Map<VenueId, Temporal.Instant>()
  let writing: Promise<void> | undefined

  const isDue = (at: Temporal.Instant): boolean => Temporal.Instant.compare(at, clock()) <= 0

  const open = (venue: VenueId, at: Temporal.Instant): void => {
    const before = opened.get(venue)
    if (!before || Temporal.Instant.compare(at, before) < 0) opened.set(venue, at)
  }

  const write = async (): Promise<void> => {
    while (returned.length > 0 || opened.size > 0) {
      const [lanes, openings] = [returned, opened]
      returned = []
      opened = new Map()
      try {
        // In this order: a lane returned after it was opened would be closed again.
        if (lanes.length > 0) await returnLanes(db, lanes)
        // Passed over: lanes that an event's transaction holds. It opens them itself when it commits; should it not,
        // the sweep comes round.
        if (openings.size > 0) await openLanes(db, openings)
        if ([...lanes.map(({ nextAt }) => nextAt), ...openings.values()].some(isDue)) onDue()
      } catch (error) {
        log.warn({ code: (error as { code?: unknown }).code }, 'lanes could not be written yet')
        returned.push(...lanes)
        for (const [venue, at] of openings) open(venue, at)
        await new Promise((resolve) => setTimeout(resolve, engineLimits.writeAgainMs))
      }
    }
    writing = undefined
  }
  const start = (): void => {
    // After the present turn of the event loop, so that what belongs together travels together.
    writing ??= new Promise<void>((resolve) => setImmediate(resolve)).then(write)
  }

  return {
    giveBack: (lane) => {
      returned.push(lane)
      start()
    },
    open: (venue, at) => {
      open(venue, at)
      start()
    },
    written: async () => {
      await writing
    },
    waiting: () => returned.length + opened.size + (writing ? 1 : 0),
  }
}
