import { momentWallReaches } from '../../../platform/kernel/time/venue-clock.ts'
import { dayInWords, timeInWords } from '../../../platform/kernel/time/in-words.ts'
import { clockTimeAt } from '../../../platform/kernel/time/written-time.ts'
import type { Rule } from '../../day/facts.ts'
import { ofService } from './words.ts'

/**
 * Refuses a service date from the minute of its cut-off on; 00:00 means never on the day itself. It follows the
 * service date, so an arrival after midnight closes with its evening. Elapsed-time rule.
 */
export const sameDayCutoff: Rule = (facts) => {
  const { rules, clock, wall, request, place, limits } = facts
  if (limits.sameDayCutoffMinute === null) return undefined
  const time = clockTimeAt(limits.sameDayCutoffMinute)
  const cutoff = momentWallReaches({ date: place.serviceDate, time }, rules.timezone)
  if (Temporal.Instant.compare(clock, cutoff) < 0) return undefined
  const today = wall.date
  const day = [place.serviceDate, request.date].includes(today) ? 'today' : dayInWords(place.serviceDate)
  // After midnight "today" alone would name the wrong cut-off: the one that closed was yesterday's.
  const at = timeInWords(time)
  const closed =
    day === 'today' && place.serviceDate !== today ? `${at} on ${dayInWords(place.serviceDate)}` : at
  return { reason: 'same-day-cutoff', sentence: ofService(facts, `Bookings for ${day} closed at ${closed}.`) }
}
