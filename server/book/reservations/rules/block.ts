import type { Block } from '../../rules/booking-rules.ts'
import type { Rule } from '../../day/facts.ts'
import { between, dayOfMinute, ofService } from './words.ts'

/**
 * Refuses an arrival inside a blocked span, whose end minute is free again, and everything online while online
 * booking is paused. A party that arrived earlier may sit into the span. Wall-time rule. The public note is all that
 * is said about the cause: a block may hide another guest's party.
 */
export const block: Rule = (facts) => {
  const { rules, request, place } = facts
  if (request.door === 'online' && rules.onlinePaused) {
    return { reason: 'blocked', sentence: 'The venue takes no online bookings at the moment.' }
  }
  const found = rules.blocks.find(
    (block) =>
      block.serviceDate === place.serviceDate &&
      block.fromMinute <= place.serviceMinute &&
      place.serviceMinute < block.toMinute &&
      (block.scope === 'all' || request.door === 'online'),
  )
  return found && { reason: 'blocked', sentence: ofService(facts, blockedSpan(found)) }
}

const blockedSpan = ({ serviceDate, fromMinute, toMinute, publicNote }: Block): string => {
  const span = `${between(fromMinute, toMinute)} on ${dayOfMinute(serviceDate, fromMinute)}`
  return `The venue takes no bookings ${span}${publicNote === null ? '' : ` (${publicNote})`}.`
}
