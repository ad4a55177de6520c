import { wordsIn } from '../../../messages/guest-words/words.ts'
import { isGuestLanguage } from '../../../platform/kernel/guest-language.ts'
import { inPlainLetters } from '../../../book/texts/rules.ts'
import { type TextedRecord, saidByText } from '../../../book/texts/texts-store.ts'
import type { Around, Texted } from '../../../book/waitlist/messages/type-text.ts'
import { guestSettingsOf } from '../../../core/venue/guest-settings.ts'
import { venueOfId } from '../../../core/venue/venues.ts'
import type { OfficeWork } from '../frame/serve-page.ts'

/** A longer name of a venue would leave no room for words. */
const mostOfName = 40

/** The text around the words that staff type, in the guest's language. */
export const aroundText = async (
  { db, venue }: OfficeWork,
  about: TextedRecord,
  { language }: Pick<Texted, 'language'>,
): Promise<Around> => {
  const [said, { settings }, row] = [
    await saidByText(db, venue.id, about),
    await guestSettingsOf(db, venue.id),
    await venueOfId(db, venue.id),
  ]
  const isFirst = !said.some(({ kind, state }) => kind !== null && state !== 'failed')
  const { text } = wordsIn(language !== null && isGuestLanguage(language) ? language : settings.language)
  return {
    before: `${inPlainLetters(row?.name ?? '').slice(0, mostOfName)}: `,
    after: isFirst ? ` ${inPlainLetters(text.stop)}` : '',
  }
}
