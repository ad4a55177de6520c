import { addDays } from '../../../platform/kernel/time/calendar.ts'
import { dayAndYearInWords } from '../../../platform/kernel/time/in-words.ts'
import type { Rule } from '../../day/facts.ts'
import { counted, ofService } from './words.ts'

/**
 * Refuses a service date more calendar days ahead than bookings are open; the last day is open until its end. Days
 * are counted on the venue's calendar, never as 24 hours.
 */
export const daysAhead: Rule = (facts) => {
  const { rules, wall, place } = facts
  if (rules.maxDaysAhead === null) return undefined
  const last = addDays(wall.date, rules.maxDaysAhead)
  if (place.serviceDate <= last) return undefined
  const open = `Bookings open ${counted(rules.maxDaysAhead, 'day')} ahead`
  const sentence = `${open}; the last date now is ${dayAndYearInWords(last)}.`
  return { reason: 'too-far-ahead', sentence: ofService(facts, sentence) }
}
