import { dayInWords } from '../../../platform/kernel/time/in-words.ts'
import type { LocalDate } from '../../../platform/kernel/time/written-time.ts'
import type { Facts, Rule } from '../../day/facts.ts'
import { isFor } from '../../rules/experiences/experiences.ts'
import type { Experience } from '../../rules/experiences/written-experience.ts'
import { ofService } from './words.ts'

/** Refuses what a party chose with its time where the venue does not offer that, or as many have it as may in an evening. */
export const experience: Rule = (facts) => {
  const why = whyNotExperience(facts)
  if (!why) return undefined
  const sentence =
    why.kind === 'full' ? fullyBooked(why.one.name, facts.place.serviceDate) : notOffered(why.one?.name)
  return { reason: 'experience-full', sentence: ofService(facts, sentence) }
}

export const fullyBooked = (name: string, date: LocalDate): string =>
  `“${name}” is fully booked on ${dayInWords(date)}.`

export const notOffered = (name: string | undefined): string =>
  `${name === undefined ? 'What was chosen' : `“${name}”`} is not offered at that time to a party of this size.`

type WhyNot =
  | { readonly kind: 'full'; readonly one: Experience; readonly most: number; readonly taken: number }
  /** `one` is undefined where the venue has no such experience anymore. */
  | { readonly kind: 'not offered'; readonly one: Experience | undefined }

export const whyNotExperience = ({ experience: asked, rules, place, request }: Facts): WhyNot | undefined => {
  if (!asked) return undefined
  const { key, taken, isAgreed = false } = asked
  const one = rules.experiences.find((known) => known.key === key)
  const { serviceDate, period } = place
  const wanted = { serviceDate, service: period?.name ?? null, partySize: request.partySize }
  if (!isAgreed && !(one && isFor(one, wanted))) return { kind: 'not offered', one }
  const most = one?.mostPerEvening ?? null
  return one && most !== null && taken >= most ? { kind: 'full', one, most, taken } : undefined
}
