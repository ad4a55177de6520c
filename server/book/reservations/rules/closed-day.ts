import { weekdayName, weekdayOf } from '../../../platform/kernel/time/calendar.ts'
import { dayAndYearInWords } from '../../../platform/kernel/time/in-words.ts'
import { withoutStop } from '../../../platform/kernel/sentence.ts'
import type { BookingRefusal, Rule } from '../../day/facts.ts'
import type { ClosedDay } from '../../rules/resolve-service.ts'
import { ofService } from './words.ts'

/**
 * Refuses a day without services, naming the closure, the special day or the weekday.
 */
export const closed: Rule = (facts) => {
  const { closed } = facts.place
  if (!closed) return undefined
  const { reason, sentence } = closedRefusal(closed)
  return { reason, sentence: ofService(facts, sentence) }
}

/** The refusal of a whole day, which the picker shows in place of times. */
export const closedRefusal = (closed: ClosedDay): BookingRefusal => ({
  reason: 'closed',
  sentence: closedSentence(closed),
})

const closedSentence = (closed: ClosedDay): string => {
  const day = dayAndYearInWords(closed.date)
  switch (closed.by) {
    case 'no-hours':
      return `The venue has not set its weekly opening hours yet, so it takes no bookings for ${day}.`
    case 'weekday':
      return `The venue is closed on ${weekdayName(weekdayOf(closed.date))}s.`
    case 'closure':
    case 'special-day':
      return `The venue is closed on ${day}${closed.name === null ? '' : ` (${withoutStop(closed.name)})`}.`
    default:
      return closed satisfies never
  }
}
