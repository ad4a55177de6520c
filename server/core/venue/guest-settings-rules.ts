import { emailRule, isEmailAddress } from '../../platform/kernel/email.ts'
import { type GuestLanguage, guestLanguages, isGuestLanguage } from '../../platform/kernel/guest-language.ts'

/*
 * What a venue sets of its pages for guests. Everything has a default, so that a venue has pages the moment it turns a
 * door on.
 */

/** What guests can do by themselves. */
export const guestDoors = ['book', 'waitlist', 'enquire', 'news', 'tickets'] as const
export type GuestDoor = (typeof guestDoors)[number]

export const isGuestDoor = (text: string): text is GuestDoor => guestDoors.some((door) => door === text)

/** Whether a form asks for something. */
export const askings = ['no', 'optional', 'required'] as const
export type Asking = (typeof askings)[number]

export type GuestTexts = {
  /** One or two sentences below the venue's name. Null: none. */
  readonly welcome: string | null
  /** What guests should know before they book. Null: none. */
  readonly policy: string | null
}

export type AddressParts = { readonly [P in (typeof addressParts)[number]]: string | null }
export const addressParts = ['street', 'city', 'region', 'postalCode'] as const

export type GuestSettings = {
  /** The doors that are on. */
  readonly doors: readonly GuestDoor[]
  /** For guests of whose language nothing is known, and for a venue's own text that has no translation. */
  readonly language: GuestLanguage
  /** The languages offered; the venue's own is always among them. */
  readonly languages: readonly GuestLanguage[]
  /** `#rrggbb`, in small letters. */
  readonly accent: string
  readonly texts: { readonly [L in GuestLanguage]?: GuestTexts }
  /** Parties up to this size are confirmed at once; null: each booking is confirmed by hand. */
  readonly confirmUpTo: number | null
  /** Only in these services, by name; none named: in all. */
  readonly confirmServices: readonly string[]
  /** Guests cancel and change until this many minutes before the start. */
  readonly cancelMinutes: number
  /** A reminder goes out this many elapsed hours before the start; 0: none. */
  readonly reminderHours: number
  readonly askPhone: Asking
  readonly askOccasion: boolean
  readonly askSeating: boolean
  /** Questions of the venue's own, to be answered by a tick. */
  readonly questions: readonly string[]
  /** Staff are mailed here about each request; null: nobody is. */
  readonly staffMail: string | null
  /** Origins of the sites that may show the doors in a frame. */
  readonly frameSites: readonly string[]
  /** Search engines may list the pages. */
  readonly found: boolean
  /** Where the menu is, on the venue's own site. Null: not said. */
  readonly menuUrl: string | null
  /** A picture of the venue, on its own site, for search engines and for who shares a page. Null: the logo. */
  readonly pictureUrl: string | null
  /** What it serves, such as "Italian", for search engines. */
  readonly cuisines: readonly string[]
  /** The address in parts, for search engines. */
  readonly address: AddressParts
  /** Today's line opens this many minutes before a service. */
  readonly lineOpensMinutes: number
  /** A place offered to somebody on the list for another day is held this many minutes. */
  readonly offerMinutes: number
  /** Places that come free are offered by themselves; otherwise staff offer them. */
  readonly offersBySelf: boolean
  /** Bookings made by connected software get mail about reminders, changes and cancellations. */
  readonly mailConnected: boolean
}

/** The settings of a new venue: every door is on but that of tickets, which shows events to everybody. */
export const newGuestSettings: GuestSettings = {
  doors: ['book', 'waitlist', 'enquire', 'news'],
  language: 'en',
  languages: guestLanguages,
  accent: '#1c5878',
  texts: {},
  confirmUpTo: null,
  confirmServices: [],
  cancelMinutes: 0,
  reminderHours: 24,
  askPhone: 'optional',
  askOccasion: true,
  askSeating: true,
  questions: [],
  staffMail: null,
  frameSites: [],
  found: true,
  menuUrl: null,
  pictureUrl: null,
  cuisines: [],
  address: { street: null, city: null, region: null, postalCode: null },
  lineOpensMinutes: 60,
  offerMinutes: 30,
  offersBySelf: true,
  mailConnected: false,
}

/** A venue of before there were pages for guests: no door is on until somebody turns it on. */
export const closedGuestSettings: GuestSettings = { ...newGuestSettings, doors: [] }

/** The venue's own text in a language, else in the venue's default language. */
export const guestText = (
  { texts, language }: GuestSettings,
  which: keyof GuestTexts,
  wanted: GuestLanguage,
): string | null => texts[wanted]?.[which] ?? texts[language]?.[which] ?? null

const mostText = 1_000
const mostQuestion = 200
const mostSites = 20
const mostAddress = 200
const mostWebAddress = 500
const mostCuisines = 5

/** One sentence for each setting that cannot be kept as it is; none means they are fine. */
export const guestSettingsMistakes = (given: Partial<GuestSettings>): string[] => {
  const found: string[] = []
  const number = (what: string, value: number | null | undefined, least: number, most: number): void => {
    if (value === undefined || value === null) return
    if (!Number.isInteger(value) || value < least || value > most)
      found.push(`${what} must be a whole number from ${least} to ${most}.`)
  }
  if (given.doors?.some((door) => !isGuestDoor(door))) found.push(`The doors are ${guestDoors.join(', ')}.`)
  if (given.language !== undefined && !isGuestLanguage(given.language))
    found.push(`The language must be one of ${guestLanguages.join(', ')}.`)
  if (given.languages?.some((language) => !isGuestLanguage(language)))
    found.push(`The languages are ${guestLanguages.join(', ')}.`)
  if (given.accent !== undefined && !/^#[0-9a-f]{6}$/.test(given.accent))
    found.push('The color must be written as # and six digits or letters from a to f, such as #1c5878.')
  for (const texts of Object.values(given.texts ?? {})) {
    for (const [which, text] of Object.entries(texts)) {
      if (text !== null && (Array.from(text).length > mostText || !text.isWellFormed()))
        found.push(`The ${which} text must have at most ${mostText} characters.`)
    }
  }
  number('The largest party confirmed at once', given.confirmUpTo, 1, 10_000)
  number('The minutes before the start until which guests cancel', given.cancelMinutes, 0, 20_160)
  number('The hours of the reminder', given.reminderHours, 0, 336)
  number('The minutes before a service at which the line opens', given.lineOpensMinutes, 0, 720)
  number('The minutes an offer is held', given.offerMinutes, 10, 240)
  if (given.askPhone !== undefined && !askings.includes(given.askPhone))
    found.push(`The phone is asked as one of ${askings.join(', ')}.`)
  if (given.questions !== undefined) {
    if (given.questions.length > 3) found.push('There may be at most 3 questions.')
    if (given.questions.some((one) => one.trim() === '' || Array.from(one).length > mostQuestion))
      found.push(`A question must have 1 to ${mostQuestion} characters.`)
  }
  if (given.staffMail !== undefined && given.staffMail !== null && !isEmailAddress(given.staffMail))
    found.push(`The address for staff must be ${emailRule}.`)
  for (const [what, url] of [
    ['The menu', given.menuUrl],
    ['The picture', given.pictureUrl],
  ] as const)
    if (url !== undefined && url !== null && !isWebAddress(url))
      found.push(`${what} must be a web address, such as https://www.example.com/menu.`)
  if (given.cuisines !== undefined) {
    if (given.cuisines.length > mostCuisines) found.push(`There may be at most ${mostCuisines} cuisines.`)
    if (given.cuisines.some((one) => !isLine(one, 50))) found.push('A cuisine must have 1 to 50 characters.')
  }
  if (Object.values(given.address ?? {}).some((part) => part !== null && !isLine(part, mostAddress)))
    found.push(`Each part of the address must have at most ${mostAddress} characters.`)
  if (given.frameSites !== undefined) {
    if (given.frameSites.length > mostSites) found.push(`There may be at most ${mostSites} sites.`)
    for (const site of given.frameSites) {
      if (!isOrigin(site))
        found.push(
          `A site must be an address without a path, such as https://www.example.com; "${site}" is not.`,
        )
    }
  }
  return found
}

const isLine = (text: string, most: number): boolean =>
  text.trim() !== '' && Array.from(text).length <= most && !/\p{Cc}/u.test(text) && text.isWellFormed()

const isWebAddress = (text: string): boolean =>
  text.length <= mostWebAddress && /^https?:\/\/[^\s"<>]+$/.test(text) && URL.canParse(text)

/** A web origin that can go into a header as it is. */
const isOrigin = (text: string): boolean => {
  if (!/^https?:\/\/[a-z0-9.-]+(?::\d{1,5})?$/.test(text)) return false
  return URL.canParse(text)
}

/** Whether a site, by its origin as browsers write it, may show the pages in a frame. */
export const isListed = ({ frameSites }: Pick<GuestSettings, 'frameSites'>, site: string): boolean =>
  frameSites.some((one) => new URL(one).origin === site)
