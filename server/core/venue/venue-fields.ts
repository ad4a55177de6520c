import { limits } from '@venue-data/contract/limits.ts'
import { emailKey, emailRule, isEmailAddress } from '../../platform/kernel/email.ts'
import { phoneKey } from '../../platform/kernel/phone/phone.ts'
import { isZoneName } from '../../platform/kernel/time/venue-clock.ts'

/** Whether a text can be a venue's slug. */
export const isSlug = (text: string): boolean => /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(text)

/** What a venue says about itself and may get wrong. Null = none. */
export type VenueFields = {
  readonly slug: string
  readonly name: string
  readonly timezone: string
  readonly country: string
  readonly phone: string | null
  readonly postalAddress: string | null
  readonly mailFrom: string | null
  readonly testAddresses: readonly string[]
  readonly rooms: readonly string[]
  readonly monthlyEmails: number
}

/** A campaign's test goes to each of them while the caller waits, so there are few. */
const mostTestAddresses = 10
const addressCharacters = 500
const mostRooms = 50

/** One sentence for each field that cannot be kept as it is; none means the fields are fine. Absent fields are not looked at. */
export const venueMistakes = (fields: {
  readonly [F in keyof VenueFields]?: VenueFields[F] | undefined
}): string[] =>
  (Object.keys(rules) as (keyof VenueFields)[]).flatMap((field) => {
    const value = fields[field]
    const rule = rules[field] as (value: unknown) => string | undefined
    return value === undefined || value === null ? [] : (rule(value) ?? [])
  })

const rules: {
  readonly [F in keyof VenueFields]: (value: NonNullable<VenueFields[F]>) => string | undefined
} = {
  slug: (slug) =>
    isSlug(slug)
      ? undefined
      : 'The slug must be 1 to 63 lowercase letters, digits and inner hyphens, such as blue-door.',
  name: (name) => lineMistake('The name', name, limits.nameCharacters),
  timezone: (timezone) =>
    isZoneName(timezone)
      ? undefined
      : 'The timezone must be the IANA name of a zone, such as America/New_York.',
  country: (country) =>
    /^[A-Z]{2}$/.test(country) ? undefined : 'The country must be a code of two capital letters, such as US.',
  phone: (phone) =>
    lineMistake('The phone', phone, limits.phoneCharacters) ??
    (phoneKey(phone)
      ? undefined
      : 'The phone must be a number with 7 to 20 digits, as guests should see it, such as (212) 555-0100.'),
  postalAddress: (address) =>
    lineMistake('The postal address', address.replaceAll(/\r?\n/g, ' '), addressCharacters),
  mailFrom: (address) => (isEmailAddress(address) ? undefined : `The sender of mail must be ${emailRule}.`),
  testAddresses: testAddressMistake,
  rooms: roomMistake,
  monthlyEmails: (emails) =>
    Number.isInteger(emails) && emails >= 0 && emails <= limits.integerMost
      ? undefined
      : `The monthly emails must be a whole number from 0 to ${limits.integerMost}.`,
}

/** What is wrong with a text of one line, in a sentence that names it. Length counts in characters. */
export const lineMistake = (what: string, text: string, most: number): string | undefined => {
  if (text.trim() === '') return `${what} must not be blank.`
  if (Array.from(text).length > most) return `${what} must have at most ${most} characters.`
  if (/\p{Cc}/u.test(text) || !text.isWellFormed()) return `${what} must not hold control characters.`
  return undefined
}

function testAddressMistake(addresses: readonly string[]): string | undefined {
  if (addresses.length > mostTestAddresses) return `There may be at most ${mostTestAddresses} test addresses.`
  if (!addresses.every(isEmailAddress)) return `Each test address must be ${emailRule}.`
  const keys = new Set(addresses.map(emailKey))
  return keys.size === addresses.length ? undefined : 'A test address is listed twice.'
}

function roomMistake(rooms: readonly string[]): string | undefined {
  if (rooms.length > mostRooms) return `There may be at most ${mostRooms} rooms and brands.`
  const [mistake] = rooms.flatMap(
    (room) => lineMistake('A room or brand', room, limits.shortTextCharacters) ?? [],
  )
  if (mistake !== undefined) return mistake
  const keys = new Set(rooms.map((room) => room.trim().toLowerCase()))
  return keys.size === rooms.length ? undefined : 'A room or brand is listed twice.'
}
