import { seat } from '../../day/day-floor.ts'
import type { Rule } from '../../day/facts.ts'
import { ofService } from './words.ts'
import { timeInWords } from '../../../platform/kernel/time/in-words.ts'

/** Refuses a party that no assignment of tables seats along with all others. */
export const tables: Rule = (facts) => {
  const { request, floor } = facts
  if (!floor || seat(floor, request).seated) return undefined
  const sentence = `There is no table for ${request.partySize} at ${timeInWords(request.time)}.`
  return { reason: 'tables-full', sentence: ofService(facts, sentence) }
}
