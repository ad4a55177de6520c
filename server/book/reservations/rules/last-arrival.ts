import { dayInWords, minuteInWords } from '../../../platform/kernel/time/in-words.ts'
import type { Rule } from '../../day/facts.ts'
import { ofService } from './words.ts'

/** Refuses an arrival after the service's last; the last arrival itself is allowed. Wall-time rule. */
export const lastArrival: Rule = (facts) => {
  const { serviceDate, serviceMinute, period } = facts.place
  const last = period?.lastArrivalMinute ?? null
  if (last === null || serviceMinute <= last) return undefined
  const sentence = `The last arrival on ${dayInWords(serviceDate)} is ${minuteInWords(last)}.`
  return { reason: 'after-last-arrival', sentence: ofService(facts, sentence) }
}
