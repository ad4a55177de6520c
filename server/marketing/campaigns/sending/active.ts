import type { VenueId } from '../../../core/venue/venue.ts'
import type { Claimed } from './claim.ts'
import type { Copies } from './copies.ts'
import { sendingLimits } from './limits.ts'

/** A campaign this process works on. */
export type Active = {
  readonly venue: VenueId
  readonly id: number
  readonly copies: Copies
  /** Claimed and not on the wire yet. */
  readonly claimed: Claimed[]
  claiming: Promise<void> | undefined
  /** The last claim found nothing; the next look lets it ask again. */
  isDry: boolean
  /** When it is dry: the moment its next copy is due, and when to ask again in any case (own clock, ms). */
  nextDueMs: number
  askAgainAtMs: number
  /** When the changes of its counters were last noted. */
  notedAt: Temporal.Instant
  /** Its batches that are marked as sent but whose results are not yet recorded. */
  underWay: number
  /** It is no longer to be sent, or not now. */
  isGone: boolean
}

/** Whether a group finds something to do here. */
export const isReady = ({ isGone, isDry, claimed }: Active): boolean =>
  !isGone && (claimed.length > 0 || !isDry)

/** Whose turn it is: venues in turn, a few batches each, a venue's oldest campaign first. */
export const takeTurns = () => {
  let current: Active | undefined
  let batches = 0
  let lastVenue = 0
  return (actives: Iterable<Active>): Active | undefined => {
    if (current && isReady(current) && batches < sendingLimits.batchesOfTurn) {
      batches++
      return current
    }
    const oldest = new Map<number, Active>()
    for (const active of actives) {
      if (isReady(active) && !oldest.has(active.venue)) oldest.set(active.venue, active)
    }
    const venues = [...oldest.keys()].toSorted((one, other) => one - other)
    const venue = venues.find((one) => one > lastVenue) ?? venues[0]
    current = venue === undefined ? undefined : oldest.get(venue)
    batches = 1
    lastVenue = venue ?? lastVenue
    return current
  }
}
