import type { Rule } from '../../day/facts.ts'
import { endSentence } from '../../../platform/kernel/sentence.ts'
import { phoneInWords } from '../../../platform/kernel/phone/shown-phone.ts'

/** Refuses a party outside the limits in force; both limits themselves are allowed. */
export const partySize: Rule = ({ rules, request, limits: { minParty, maxParty } }) => {
  if (request.partySize < minParty) {
    return { reason: 'party-too-small', sentence: `This service takes parties of ${minParty} or more.` }
  }
  if (maxParty === null || request.partySize <= maxParty) return undefined
  const sentence = endSentence(
    `The venue takes parties of up to ${maxParty} here; please call ${phoneInWords(rules.phone) ?? 'the venue'}`,
  )
  return { reason: 'party-too-large', sentence }
}
