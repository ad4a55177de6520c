import type { Context, Work } from '../../context.ts'
import { type GuestFormats, formatsFor } from '../guest-words/formats.ts'
import type { Words } from '../guest-words/en.ts'
import { wordsIn } from '../guest-words/words.ts'
import { type GuestLanguage, isGuestLanguage } from '../../platform/kernel/guest-language.ts'
import { makePrivateToken } from '../../mail/link-token.ts'
import type { GuestMailRow } from '../../mail/guest-mail-queue.ts'
import type { GuestSettings } from '../../core/venue/guest-settings-rules.ts'
import type { VenueId } from '../../core/venue/venue.ts'
import type { VenueRow } from '../../core/venue/venues.ts'
import type { GuestBookingRow } from '../../book/reservations/guest/guest-booking.ts'
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

/** The private link of a booking's guest. */
export const bookingLink = (
  { config, secrets }: Pick<Context, 'config' | 'secrets'>,
  venue: VenueId,
  { reservation_id: record, link_issue: issue }: Pick<GuestBookingRow, 'reservation_id' | 'link_issue'>,
): string => `${config.publicUrl}/r/${makePrivateToken(secrets, 'booking', { venue, record, issue })}`
