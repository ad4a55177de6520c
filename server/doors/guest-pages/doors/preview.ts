import type { Context, Work } from '../../../context.ts'
import { formatsFor } from '../../../messages/guest-words/formats.ts'
import { wordsIn } from '../../../messages/guest-words/words.ts'
import { textOf } from '../../../platform/html/html.ts'
import type { GuestSettings } from '../../../core/venue/guest-settings-rules.ts'
import type { Logo } from '../../../core/venue/logo/logo.ts'
import { venueOfSlug } from '../../../core/venue/actions.ts'
import { direct } from '../frame/origin.ts'
import { guestStyle } from '../frame/style.ts'
import type { Visit } from '../frame/visit.ts'
import { venueFrame } from '../frame/whole-page.ts'
import { venuePage } from './venue.ts'

/** The venue's page as it would look with these settings, in the venue's own language. */
export const venuePreview = async (
  { config, clock, secrets }: Context,
  work: Work,
  settings: GuestSettings,
  logo: Logo | null,
): Promise<string> => {
  const venue = await venueOfSlug(work.db, work.venue.slug)
  const { language } = settings
  const visit: Visit = {
    venue: venue as Visit['venue'],
    settings,
    logo,
    language,
    words: wordsIn(language),
    formats: formatsFor(language, venue),
    now: clock(),
    path: `/v/${venue.slug}`,
    query: new URLSearchParams(),
    form: new Map(),
    ring: secrets,
    from: '',
    isFound: false,
    framed: null,
    origin: { door: null, from: direct, campaign: null, site: null },
    came: () => '',
    link: (path) => path,
    linkTo: () => '',
    publicUrl: config.publicUrl,
  }
  return textOf(
    venueFrame({ style: guestStyle.path, practice: config.practice }, visit, await venuePage(work, visit)),
  )
}
