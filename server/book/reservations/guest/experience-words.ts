import type { Work } from '../../../context.ts'
import type { GuestLanguage } from '../../../platform/kernel/guest-language.ts'
import { type BookRow, experienceOf } from '../../day/book-row.ts'
import { wordsOfExperience } from '../../rules/experiences/experiences.ts'
import { allBookingRules } from '../../rules/rules-store.ts'

/** How a guest reads what they booked with their table, in the first of these languages that it has; undefined: nothing. */
export const experienceInWords = async (
  { db, venue }: Pick<Work, 'db' | 'venue'>,
  row: BookRow,
  languages: readonly GuestLanguage[],
): Promise<string | undefined> => {
  const chosen = experienceOf(row)
  if (!chosen) return undefined
  const { experiences } = await allBookingRules(db, venue.id)
  const one = experiences.find(({ key }) => key === chosen.key)
  // The venue may have removed it since.
  return one ? wordsOfExperience(one, languages).name : chosen.name
}
