import { dateInWords } from '../../kernel/calendar.ts'
import { type Moment, toInstant } from '../../kernel/moment.ts'
import { wallTimeOf } from '../../kernel/venue-clock.ts'

/** A moment in the venue's local time, for people: "6 October 2026, 15:04". */
export const momentInWords = (moment: Moment, zone: string): string => {
  const { date, time } = wallTimeOf(toInstant(moment), zone)
  return `${dateInWords(date)}, ${time}`
}
