import type { Work } from '../../../context.ts'
import { dayInWords } from '../../../platform/kernel/time/in-words.ts'
import { type OfferedExperience, areSoldOut, readOffers } from '../guarantee/open-experiences.ts'
import type { Slot } from '../rules/open-times.ts'
import { type DayTimes, type TimesAsked, type TimesFound, timesOfDays } from './availability.ts'

/** What can be chosen with each time of some service dates. */
export type OffersOf = (slot: Slot) => readonly OfferedExperience[]

export const offersOfDays = async (
  work: Pick<Work, 'db' | 'venue' | 'now'>,
  country: () => Promise<string>,
  { days }: Pick<TimesFound, 'days'>,
  { partySize, own }: Pick<TimesAsked, 'partySize' | 'own'>,
): Promise<OffersOf> => {
  const rules = days.flatMap(({ slots }) => slots)[0]?.day.rules
  const [from, to] = [days[0]?.serviceDate, days.at(-1)?.serviceDate]
  if (!rules || rules.experiences.length === 0 || from === undefined || to === undefined) return () => []
  const offersAt = await readOffers(work, await country(), rules, { from, to, own })
  return ({ place, startsAt }) => offersAt({ place, startsAt, partySize })
}

/** The times as the venue's own page shows them: one at which everything that could be chosen is fully booked is not open. */
export const timesForGuests = async (
  work: Pick<Work, 'db' | 'venue' | 'now'>,
  country: string,
  asked: TimesAsked,
): Promise<TimesFound> => {
  const found = await timesOfDays(work, asked)
  const offersOf = await offersOfDays(work, async () => country, found, asked)
  const isFull = (slot: Slot): boolean => slot.evaluation.ok && areSoldOut(offersOf(slot))
  return {
    ...found,
    days: found.days.map((day) => ({
      ...day,
      slots: day.slots.map((slot) => (isFull(slot) ? { ...slot, evaluation: fullyBooked(day) } : slot)),
    })),
  }
}

const fullyBooked = ({ serviceDate }: Pick<DayTimes, 'serviceDate'>): Slot['evaluation'] => ({
  ok: false,
  refusal: { reason: 'experience-full', sentence: `${dayInWords(serviceDate)} is fully booked.` },
})
