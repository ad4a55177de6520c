import { type ClockHours, type Formats, formatsIn } from '../../platform/kernel/formats.ts'
import type { GuestLanguage } from '../../platform/kernel/guest-language.ts'
import { remember } from '../../platform/kernel/running/remember.ts'
import { moneyOf } from '../../platform/kernel/money.ts'
import { wallTimeOf } from '../../platform/kernel/time/venue-clock.ts'
import { wordsIn } from './words.ts'

/** Dates, times and numbers as a guest reads them: in the language, as the venue's country writes them, by its clock. */
export type GuestFormats = Formats & {
  /** The venue's wall at a moment, "7:30 PM". */
  readonly timeAt: (moment: Temporal.Instant) => string
  /** "New York time": the zone of all times, once on each page. */
  readonly zone: string
}

type About = { readonly country: string; readonly timezone: string }

/** `hours` is for mail to staff: what guests read is as the country writes it. */
export const formatsFor = (
  language: GuestLanguage,
  { country, timezone }: About,
  hours: ClockHours = null,
): GuestFormats =>
  kept.getOr(`${language} ${country} ${timezone} ${hours}`, () => {
    const formats = formatsIn(`${language}-${country}`, hours)
    return {
      ...formats,
      timeAt: (moment) => formats.time(wallTimeOf(moment, timezone).time),
      zone: zoneIn(language, timezone),
    }
  })

/** An amount in cents of a currency, as the country writes it. */
export const moneyIn = ({ locale }: Formats, cents: number, currency: string): string =>
  moneyOf(cents, currency, locale)

/** Finding the zone's name costs milliseconds, and a venue has a few. */
const kept = remember<string, GuestFormats>(1_000)

const whenNamed = Temporal.Instant.from('2026-01-15T00:00Z').epochMilliseconds

const zoneIn = (language: GuestLanguage, timezone: string): string => {
  const words = wordsIn(language)
  const place = new Intl.DateTimeFormat(words.zoneLocale, {
    timeZone: timezone,
    timeZoneName: words.zoneStyle,
  })
    // By the clocks of today: half a century ago fewer places changed theirs.
    .formatToParts(whenNamed)
    .find(({ type }) => type === 'timeZoneName')
  return words.zone(place?.value ?? timezone)
}
