import type { Context } from '../../context.ts'
import { codeOf } from '../../platform/kernel/code-of.ts'
import { forEachVenue } from '../venue/each-venue.ts'
import type { LeasedRows } from '../venue/leased-rows.ts'
import type { Venue } from '../venue/venue.ts'

/** What looks at processors, or asks something of them, outside of a request. */
export type ProcessorWork = Pick<Context, 'db' | 'clock' | 'secrets' | 'hold' | 'processors' | 'log'>

/** How many of one venue are taken in a round: the next round is a second later. */
const mostInRound = 50

/**
 * Does what is due, venue by venue and row by row under a lease, so that any number of workers can. One that fails does
 * not keep the others waiting: it is due again when its lease ends. A restored copy does nothing.
 */
export const forEachDue = async <Due>(
  { db, clock, hold, log }: Pick<ProcessorWork, 'db' | 'clock' | 'hold' | 'log'>,
  signal: AbortSignal,
  {
    queue: { venues, take },
    act,
    mistake,
    atOnce = 1,
  }: {
    readonly queue: Pick<LeasedRows<Due>, 'venues' | 'take'>
    readonly act: (venue: Venue, due: Due) => Promise<unknown>
    /** What the log says of one that failed. */
    readonly mistake: string
    /** Of one venue at a time: a call without an answer for 20 seconds does not keep the others waiting. */
    readonly atOnce?: number
  },
): Promise<void> => {
  if (hold.isOn()) return
  await forEachVenue({ db, log }, new Set(await venues(db, clock())), async (venue) => {
    const next = async (): Promise<void> => {
      for (let round = 0; round < mostInRound / atOnce && !signal.aborted; round++) {
        const due = await take(db, venue.id, clock())
        if (due === undefined) return
        try {
          await act(venue, due)
        } catch (error) {
          log.warn({ venue: venue.slug, code: codeOf(error) ?? 'unknown' }, mistake)
        }
      }
    }
    await Promise.all(Array.from({ length: atOnce }, next))
  })
}
