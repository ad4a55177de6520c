import type { GuestLanguage } from '../../../platform/kernel/guest-language.ts'
import { weekdayOf } from '../../../platform/kernel/time/calendar.ts'
import type { LocalDate } from '../../../platform/kernel/time/written-time.ts'
import type { BookingRules } from '../booking-rules.ts'
import type { Experience } from './written-experience.ts'

/** Where and for how many a table is asked for. */
export type Fitting = {
  readonly serviceDate: LocalDate
  /** The service's name, of a booking that is in one. */
  readonly service: string | null
  readonly partySize: number
}

/** What a row of the rules is for: what it does not name, it is for all of. */
type ForWhom = Pick<Experience, 'services' | 'from' | 'to' | 'partyFrom'> &
  Partial<Pick<Experience, 'weekdays' | 'partyTo'>>

/** Whether a row of the rules is for such a booking. */
export const isFor = (
  { services, from, to, partyFrom, partyTo = null, weekdays = [] }: ForWhom,
  { serviceDate, service, partySize }: Fitting,
): boolean =>
  partySize >= partyFrom &&
  (partyTo === null || partySize <= partyTo) &&
  (services.length === 0 || (service !== null && services.includes(service))) &&
  (weekdays.length === 0 || weekdays.includes(weekdayOf(serviceDate))) &&
  (from === null || from <= serviceDate) &&
  (to === null || serviceDate <= to)

/** Those that the venue offers at a time to a party, however many have them already. */
export const experiencesFor = (
  { experiences }: Pick<BookingRules, 'experiences'>,
  asked: Fitting,
): readonly Experience[] => experiences.filter((one) => isFor(one, asked))

/** What guests read of it: in their language, else in the venue's. */
export const wordsOfExperience = (
  { name, texts }: Pick<Experience, 'name' | 'texts'>,
  languages: readonly GuestLanguage[],
): { readonly name: string; readonly text: string | null } => {
  const written = languages.flatMap((one) => texts.filter(({ language }) => language === one))
  return {
    name: written.find((one) => one.name !== null)?.name ?? name,
    text: written.find((one) => one.text !== null)?.text ?? null,
  }
}
