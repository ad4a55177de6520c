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
    const [, sentence] = words.refusals[slot.evaluation.refusal.reason]
    const say = (times: string): string => sentence(times, factsOf(slot, formats))
    return [{ say, time: formats.time(slot.time) }]
  })
  // Two of a kind are one sentence unless it says something else of each besides its time.
  const groups = Map.groupBy(refused, ({ say }) => say(''))
  return [...groups.values()].map((group) => {
    const [{ say }] = group as [(typeof group)[number]]
    return say(formats.list(group.map(({ time }) => time)))
  })
}

const placesLeft = ({ day }: Slot): number =>
  Math.max(0, (day.limits.pacing.maxCovers ?? 0) - day.load.covers)

const factsOf = (slot: Slot, formats: GuestFormats): RefusalFacts => ({
  ...slot.day,
  left: formats.number(placesLeft(slot)),
  time: (minute) => formats.time(clockTimeAt(minute ?? 0)),
  number: (value) => formats.number(value ?? 0),
})
