import type { Rule } from '../../day/facts.ts'
import { counted, ofService, slotTime } from './words.ts'

/**
 * Refuses a party whose guests would take the slot over its cap; filling it exactly is allowed. The cap
 * limits arrivals, so a party larger than an empty slot's cap is refused too.
 */
export const pacingCovers: Rule = (facts) => {
  const { request, limits, bucket, load } = facts
  if (limits.pacing.maxCovers === null || !bucket) return undefined
  const left = Math.max(0, limits.pacing.maxCovers - load.covers)
  if (request.partySize <= left) return undefined
  const are = left === 1 ? 'There is' : 'There are'
  const sentence =
    left === 0
      ? `${slotTime(bucket)} is fully booked.`
      : `${are} only ${counted(left, 'place')} left at ${slotTime(bucket)}.`
  return { reason: 'pacing-covers-full', sentence: ofService(facts, sentence) }
}
