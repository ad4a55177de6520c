import type { Rule } from '../../day/facts.ts'
import { ofService, slotTime } from './words.ts'

/** Refuses one party more than the slot takes. */
export const pacingParties: Rule = (facts) => {
  const { limits, bucket, load } = facts
  if (limits.pacing.maxParties === null || !bucket) return undefined
  if (load.parties + 1 <= limits.pacing.maxParties) return undefined
  const sentence = `${slotTime(bucket)} has no room for another party.`
  return { reason: 'pacing-parties-full', sentence: ofService(facts, sentence) }
}
