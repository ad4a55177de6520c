import { later } from '../../../platform/kernel/time/moment.ts'
import { dayInWords, timeInWords } from '../../../platform/kernel/time/in-words.ts'
import { wallTimeOf } from '../../../platform/kernel/time/venue-clock.ts'
import { minutesPerDay } from '../../../platform/kernel/time/written-time.ts'
import type { Rule } from '../../day/facts.ts'
import { counted } from './words.ts'

/** Refuses an arrival with less than the required notice, in elapsed minutes; exactly the notice is allowed. */
export const notice: Rule = ({ rules, clock, wall, request }) => {
  if (rules.minNoticeMinutes === 0) return undefined
  const earliest = later(clock, rules.minNoticeMinutes * 60_000)
  if (Temporal.Instant.compare(request.startsAt, earliest) >= 0) return undefined
  const earliestWall = wallTimeOf(earliest, rules.timezone)
  const from = timeInWords(earliestWall.time)
  const time = earliestWall.date === wall.date ? from : `${from} on ${dayInWords(earliestWall.date)}`
  const needed = `Bookings need at least ${possessive(rules.minNoticeMinutes)} notice`
  return { reason: 'too-short-notice', sentence: `${needed}; the earliest time now is ${time}.` }
}

/** "60 minutes'"; from a day up, whole hours read better: "24 hours'". */
const possessive = (minutes: number): string => {
  const words =
    minutes >= minutesPerDay && minutes % 60 === 0
      ? counted(minutes / 60, 'hour')
      : counted(minutes, 'minute')
  return minutes === 1 ? `${words}'s` : `${words}'`
}
