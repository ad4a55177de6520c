import type { Rule } from '../../day/facts.ts'
import { dayNear, dayInWords, timeInWords } from '../../../platform/kernel/time/in-words.ts'

/** Refuses a moment before the venue's clock; the current minute is still bookable. Elapsed-time rule. */
export const past: Rule = ({ clock, wall: now, request }) => {
  if (Temporal.Instant.compare(request.startsAt, clock) >= 0) return undefined
  const passed =
    request.date === now.date
      ? timeInWords(request.time)
      : `${timeInWords(request.time)} on ${dayNear(request.date, now.date)}`
  const sentence = `It is already ${timeInWords(now.time)} on ${dayInWords(now.date)} at the venue, so ${passed} has passed.`
  return { reason: 'in-the-past', sentence }
}
