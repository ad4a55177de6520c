import type { Rule } from '../../day/facts.ts'
import { openPeriodsOn } from '../../rules/resolve-service.ts'
import { between } from './words.ts'
import { dayInWords } from '../../../platform/kernel/time/in-words.ts'

/** Refuses a time outside all of the day's services; the closing minute is already outside. Wall-time rule. */
export const hours: Rule = ({ rules, place }) => {
  if (place.period || place.closed) return undefined
  const spans = openPeriodsOn(rules, place.serviceDate)
    .toSorted((a, b) => a.startMinute - b.startMinute)
    .map(({ startMinute, endMinute }) => between(startMinute, endMinute))
  const day = dayInWords(place.serviceDate)
  return { reason: 'outside-hours', sentence: `On ${day} the venue takes arrivals ${spans.join(', and ')}.` }
}
