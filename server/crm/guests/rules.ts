import { emailKey } from '../../platform/kernel/email.ts'
import { type PhoneKey, phoneKey, samePhone } from '../../platform/kernel/phone/phone.ts'

/**
 * Which guest a person is, and what may be written to an existing guest. Everything that makes guests (the guests
 * endpoint, reservations, leads, public pages, imports) decides by these rules, under the lock of the venue's guest
 * book, so that a call and its retry find the same guest.
 */

/** The stored match keys of a guest. */
export type GuestKeys = {
  readonly id: number
  readonly emailKey: string | null
  readonly phone: PhoneKey | null
}

/** What a guest is looked up by; a phone that is unusable for matching is left out. */
export type SoughtKeys = { readonly emailKey?: string | undefined; readonly phone?: PhoneKey | undefined }

/**
 * The one matching guest, or undefined. An exact email match wins, lowest id first. Then the phone: an equal key
 * before one with the same ending, then a guest without an email before one with a different email, then the lowest
 * id. Candidates that match neither are ignored, so any superset may be given, in any order. Never "the most recent":
 * that changes between a call and its retry.
 */
export const chooseMatch = <Guest extends GuestKeys>(
  candidates: readonly Guest[],
  sought: SoughtKeys,
): Guest | undefined => matchesOf(candidates, sought).at(0)

/** Everybody it may be, whom `chooseMatch` takes first: the one with the address, or all with the phone. */
export const matchesOf = <Guest extends GuestKeys>(
  candidates: readonly Guest[],
  { emailKey, phone }: SoughtKeys,
): readonly Guest[] => {
  const byId = candidates.toSorted((a, b) => a.id - b.id)
  const sameEmail = emailKey ? byId.find((guest) => guest.emailKey === emailKey) : undefined
  if (sameEmail) return [sameEmail]
  if (!phone) return []
  // The sort is stable, so guests of one rank stay in the order of their ids.
  return byId
    .filter((guest) => guest.phone !== null && samePhone(guest.phone, phone))
    .toSorted((a, b) => phoneRank(a, phone) - phoneRank(b, phone))
}

/** The fields that are filled in; all but the integrator's own id are matched by. Absent, null and blank all mean no value. */
export type GuestDetails = {
  readonly name?: string | null | undefined
  readonly email?: string | null | undefined
  readonly phone?: string | null | undefined
  readonly externalId?: string | null | undefined
}

export type GuestField = keyof GuestDetails
export type FieldValues = { [Field in GuestField]?: string }

export const guestFields = ['name', 'email', 'phone', 'externalId'] as const satisfies readonly GuestField[]

/**
 * What supplied details do to a guest that is already there: `fill` goes into the fields that are empty, as it
 * was sent, only the email trimmed; `conflicting` holds, exactly as supplied, what differs from a field that is not.
 * A filled field is never overwritten and a differing value is never lost: it goes to the notes (`conflictLine`) and
 * into the answer. Names are compared without regard to letter case and spacing, emails by key, phones by
 * `samePhone`.
 */
export const fillIn = (
  existing: GuestDetails,
  supplied: GuestDetails,
): { fill: FieldValues; conflicting: FieldValues } => {
  const fill: FieldValues = {}
  const conflicting: FieldValues = {}
  for (const field of guestFields) {
    const value = supplied[field]
    if (isBlank(value)) continue
    const kept = existing[field]
    if (isBlank(kept)) fill[field] = field === 'email' ? value.trim() : value
    else if (!sameValue[field](kept, value)) conflicting[field] = value
  }
  return { fill, conflicting }
}

/** A supplied value that was not saved. */
export type Conflict = {
  /** The venue's calendar date, `YYYY-MM-DD`. */
  readonly date: string
  /** Where it came from, such as `automation` or `public`. */
  readonly source: string
  readonly field: GuestField
  readonly value: string
}

/** The line for staff about one conflicting value. Always one line, so that a value cannot pose as a note. */
export const conflictLine = ({ date, source, field, value }: Conflict): string =>
  oneLine(`${date} ${source}: another ${inWords(field)} was given: ${value}`)

/** The line for staff about one value that an integrator wrote over. */
export const replacedLine = ({
  date,
  source,
  field,
  value,
}: Omit<Conflict, 'field'> & { readonly field: string }): string =>
  oneLine(`${date} ${source}: the ${inWords(field)} was: ${value}`)

/** `seatingPreference` as "seating preference". */
const inWords = (field: string): string => field.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

/**
 * Staff notes with lines added below, each once: a line (or a text of several lines) already there as whole lines is
 * skipped, and blank ones too. What staff wrote stays to the letter. Null if there is nothing to add.
 */
export const appendNotes = (staffNotes: string | null, lines: readonly string[]): string | null => {
  let notes = staffNotes ?? ''
  for (const line of lines) {
    const text = withLineFeeds(line).trim()
    if (text === '' || `\n${withLineFeeds(notes)}\n`.includes(`\n${text}\n`)) continue
    notes += notes === '' || notes.endsWith('\n') ? text : `\n${text}`
  }
  return notes === '' ? staffNotes : notes
}

/** Lower is better: 0 and 1 for an equal key, 2 and 3 for one with the same ending; even numbers without an email. */
const phoneRank = (guest: GuestKeys, phone: PhoneKey): number =>
  (guest.phone?.digits === phone.digits ? 0 : 2) + (guest.emailKey ? 1 : 0)

const isBlank = (value: string | null | undefined): value is '' | null | undefined =>
  !value || value.trim() === ''

const sameName = (a: string, b: string): boolean => foldedName(a) === foldedName(b)

/** Up and down again is the nearest to Unicode case folding: it makes ß and SS, σ and ς one. */
const foldedName = (name: string): string =>
  name.normalize('NFC').replaceAll(/\s+/g, ' ').trim().toUpperCase().toLowerCase().normalize('NFC')

const sameValue = {
  name: sameName,
  email: (a, b) => emailKey(a) === emailKey(b),
  phone: (a, b) => {
    const [one, other] = [phoneKey(a), phoneKey(b)]
    // A text without a usable number is the same only as the same text.
    return one && other ? samePhone(one, other) : !one && !other && sameName(a, b)
  },
  externalId: (a, b) => a === b,
} as const satisfies Record<GuestField, (a: string, b: string) => boolean>

const oneLine = (text: string): string => text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim()

const withLineFeeds = (text: string): string => text.replaceAll(/\r\n?/g, '\n')

/** A note of staff with its day and its author, as written into the notes: "2026-10-06 · Lena: No rush." */
export const signedNote = (date: string, author: string, text: string): string =>
  `${date} · ${author.replaceAll(/[:\s]+/g, ' ').trim()}: ${text}`

const signed = /^(\d{4}-\d{2}-\d{2}) · ([^:\n]{1,100}): /

/** A line of the notes as its day, its author and what they wrote; undefined for one that nobody signed. */
export const readSignedNote = (
  line: string,
): { readonly date: string; readonly author: string; readonly text: string } | undefined => {
  const [whole = '', date, author] = signed.exec(line) ?? []
  return date === undefined || author === undefined
    ? undefined
    : { date, author, text: line.slice(whole.length) }
}

/** Notes without who wrote them: what leaves the office says nothing about staff. */
export const unsignedNotes = (notes: string): string =>
  notes
    .split('\n')
    .map((line) => {
      const note = readSignedNote(line)
      return note ? `${note.date} ${note.text}` : line
    })
    .join('\n')
