import { dayAndYearInWords, weekdayName, weekdayOf } from '../../kernel/calendar.ts'
import type { BookingRefusal, Rule } from './facts.ts'
import type { ClosedDay } from './resolve-service.ts'
import { ofService } from './words.ts'

/** Refuses a day without services, naming the closure, the special day or the weekday. */
export const closed: Rule = (facts) => {
  const { closed } = facts.place
  if (!closed) return undefined
  const { reason, sentence } = closedRefusal(closed)
  return { reason, sentence: ofService(facts, sentence) }
}

/** The refusal of a whole day, which the picker shows instead of times. */
export const closedRefusal = (closed: ClosedDay): BookingRefusal => ({
  reason: 'closed',
  sentence: `The venue is closed on ${closedWhen(closed)}.`,
})

const closedWhen = (closed: ClosedDay): string => {
  if (closed.by === 'weekday') return `${weekdayName(weekdayOf(closed.date))}s`
  const day = dayAndYearInWords(closed.date)
  return closed.name === null ? day : `${day} (${closed.name})`
}
