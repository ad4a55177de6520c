import { listInWords } from '../../../platform/kernel/time/calendar.ts'
import { dayInWords, minuteInWords } from '../../../platform/kernel/time/in-words.ts'
import type { Rule } from '../../day/facts.ts'
import { ofService } from './words.ts'

/** Refuses any minute except the seating times, if the service has fixed ones. Wall-time rule. */
export const seatings: Rule = (facts) => {
  const { serviceDate, serviceMinute, period } = facts.place
  const minutes = period?.seatingMinutes ?? []
  if (minutes.length === 0 || minutes.includes(serviceMinute)) return undefined
  const times = minutes.toSorted((a, b) => a - b).map(minuteInWords)
  const are = times.length === 1 ? 'the seating is' : 'the seatings are'
  const sentence = `On ${dayInWords(serviceDate)} ${are} ${listInWords(times)}.`
  return { reason: 'not-a-seating-time', sentence: ofService(facts, sentence) }
}
