import type { BookingReason } from '@venue-data/contract/reasons.ts'
import { clockTimeAt } from '../../platform/kernel/time/written-time.ts'
import type { Slot } from '../../book/reservations/rules/open-times.ts'
import type { RefusalFacts, Words } from './en.ts'
import type { GuestFormats } from './formats.ts'

/** Why a shown time cannot be had: two words for its cell. */
export const shortRefusal = (slot: Slot, words: Words, formats: GuestFormats): string => {
  if (slot.evaluation.ok) return ''
  const { reason } = slot.evaluation.refusal
  const left = placesLeft(slot)
  return reason === 'pacing-covers-full' && left > 0
    ? words.left(formats.number(left))
    : words.refusals[reason][0]
}

/** The whole sentences about the times that cannot be had, each once with its times. */
export const refusalSentences = (slots: readonly Slot[], words: Words, formats: GuestFormats): string[] => {
  const refused = slots.flatMap((slot) => {
    if (slot.evaluation.ok) return []
    const { reason } = slot.evaluation.refusal
    const facts = factsOf(slot, formats)
    return [{ reason, facts, time: formats.time(slot.time) }]
  })
  const groups = Map.groupBy(refused, ({ reason, facts }) => JSON.stringify([reason, facts]))
  return [...groups.values()].map((group) => {
    const [{ reason, facts }] = group as [(typeof group)[number]]
    return words.refusals[reason][1](formats.list(group.map(({ time }) => time)), facts)
  })
}

const placesLeft = ({ day }: Slot): number =>
  Math.max(0, (day.limits.pacing.maxCovers ?? 0) - day.load.covers)

const factsOf = (slot: Slot, formats: GuestFormats): RefusalFacts => {
  const { limits, rules, place } = slot.day
  const number = (value: number | null): string => formats.number(value ?? 0)
  const time = (minute: number | null | undefined): string => formats.time(clockTimeAt(minute ?? 0))
  const isAbout = (...reasons: BookingReason[]): boolean =>
    !slot.evaluation.ok && reasons.includes(slot.evaluation.refusal.reason)
  return {
    // Only what the sentence says tells two of a kind apart.
    left: isAbout('pacing-covers-full') ? number(placesLeft(slot)) : '0',
    least: number(limits.minParty),
    most: number(limits.maxParty),
    notice: number(rules.minNoticeMinutes),
    ahead: number(rules.maxDaysAhead),
    cutoff: time(limits.sameDayCutoffMinute),
    lastArrival: time(place.period?.lastArrivalMinute),
  }
}
