import { phoneKey } from '../../platform/kernel/phone/phone.ts'

/** Removes a person from texts about something else: notes, trails, stored bytes. */

/** The words that identify somebody in a text. */
export type Words = {
  readonly emails: readonly string[]
  readonly phones: readonly string[]
  readonly names: readonly string[]
}

export const erased = '[erased]'

/** A name of one short word appears in too many other people's texts: "Maya" stays, "Maya Okafor" goes. */
const isTelling = (name: string): boolean => /\S\s+\S/.test(name.trim()) || name.trim().length >= 9

/** Texts that a record must hold one of to be looked at: lower case, in every way they are written down. */
export const needlesOf = ({ emails, phones, names }: Words): string[] => {
  const plain = [...emails, ...phones, ...names.filter(isTelling)].map((text) => text.trim().toLowerCase())
  return [...new Set(plain.flatMap((text) => [text, JSON.stringify(text).slice(1, -1)]))].filter(
    (text) => text !== '',
  )
}

/** The digits of numbers, by which a number is found in any format. */
export const digitsOf = ({ phones }: Words): string[] => [
  ...new Set(phones.flatMap((phone) => phoneKey(phone)?.digits ?? [])),
]

/** Replaces every mention in a text; a text without one comes back as it is. */
export const scrubber = (words: Words): ((text: string) => string) => {
  const letter = String.raw`[\p{L}\p{N}]`
  const patterns = [
    ...words.emails.map((email) => literal(email.trim())),
    ...words.phones.map((phone) => literal(phone.trim())),
    ...digitsOf(words).map(
      (digits) => String.raw`(?<!\d)\+?${Array.from(digits).join(String.raw`[\s().\-/]{0,3}`)}(?!\d)`,
    ),
    ...words.names
      .filter(isTelling)
      .map(
        (name) => `(?<!${letter})${literal(name.trim()).replaceAll(/\s+/g, String.raw`\s+`)}(?!${letter})`,
      ),
  ].filter((pattern) => pattern !== '')
  if (patterns.length === 0) return (text) => text
  const any = new RegExp(patterns.join('|'), 'giu')
  return (text) => text.replaceAll(any, erased)
}

const literal = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)

/**
 * The same within a JSON value. A number may be shared by a family: where the value names somebody else and not this
 * person, the number is theirs and stays.
 */
export const jsonScrubber = (words: Words): ((value: unknown) => unknown) => {
  const all = scrubber(words)
  const own = scrubber({ ...words, phones: [] })
  return (value) => {
    const text = JSON.stringify(value)
    const isOwn = JSON.stringify(scrubbedJson(value, own)) !== text
    return isOwn || !/"(?:\w*_?name|guestName|contactName|email\w*|\w*_email)":"/i.test(text)
      ? scrubbedJson(value, all)
      : value
  }
}

/** Keys stay. */
const scrubbedJson = (value: unknown, scrub: (text: string) => string): unknown => {
  if (typeof value === 'string') return scrub(value)
  if (Array.isArray(value)) return value.map((one) => scrubbedJson(one, scrub))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, scrubbedJson(one, scrub)]))
}

/** Words of a trail that reveal nothing about a person. */
const plainColumns = new Set([
  'status',
  'source',
  'floor_stage',
  'stage_before_seating',
  'cancelled_by',
  'cancelled_from',
  'stage',
  'priority',
  'channel',
  'payment_method',
  'reason',
  'booked_as',
  'booking_type',
  'experience',
  'order_number',
  'via',
  'state',
])

/** A trail about the person keeps only times, counts and states. */
export const bareTrail = (trail: unknown): unknown => {
  if (typeof trail !== 'object' || trail === null) return null
  return Object.fromEntries(
    Object.entries(trail).filter(
      ([column, value]) =>
        !column.startsWith('birth_') &&
        (value === null ||
          typeof value === 'number' ||
          typeof value === 'boolean' ||
          plainColumns.has(column) ||
          (typeof value === 'string' && /^\d{4}-\d{2}-\d{2}(?:T[\d:.]+Z)?$|^\d{2}:\d{2}$/.test(value))),
    ),
  )
}
