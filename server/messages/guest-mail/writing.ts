import type { Context, Work } from '../../context.ts'
import { type GuestFormats, formatsFor } from '../guest-words/formats.ts'
import type { Words } from '../guest-words/en.ts'
import { wordsIn } from '../guest-words/words.ts'
import { type GuestLanguage, isGuestLanguage } from '../../platform/kernel/guest-language.ts'
import type { GuestMailRow } from '../../mail/guest-mail-queue.ts'
import type { GuestSettings } from '../../core/venue/guest-settings-rules.ts'
import type { VenueRow } from '../../core/venue/venues.ts'
import type { Letter } from './letter.ts'

/** What a letter is written from. */
export type Writing = {
  readonly work: Work
  readonly context: Pick<Context, 'config' | 'secrets'>
  readonly venue: VenueRow
  readonly settings: GuestSettings
  readonly mail: GuestMailRow
}

/** In the language kept with the record, else in the venue's own. */
export type Speaking = {
  readonly language: GuestLanguage
  readonly words: Words
  readonly formats: GuestFormats
}

export const speakingIn = (kept: string | null, settings: GuestSettings, venue: VenueRow): Speaking => {
  const language = kept !== null && isGuestLanguage(kept) ? kept : settings.language
  return { language, words: wordsIn(language), formats: formatsFor(language, venue) }
}

/** A letter, and how it speaks; or why none is written. */
export type Written = { readonly letter: Letter; readonly speaking: Speaking } | { readonly dropped: string }
