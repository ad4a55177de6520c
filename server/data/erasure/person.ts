import { emailKey } from '../../platform/kernel/email.ts'
import { type PhoneKey, phoneKey } from '../../platform/kernel/phone/phone.ts'

/** What a record says about its person; also what is typed to search for somebody. */
export type Contact = {
  /** The guest it is linked to, or that it is. */
  readonly guestId: number | null
  readonly email: string | null
  readonly phone: string | null
  readonly name: string | null
}

/** The person being searched for; one-person.ts defines who is one person. */
export type Person = Contact & {
  /** The records with neither a link nor an address that are theirs, by `wordsKey`. */
  readonly known: ReadonlySet<string>
}

/**
 * Whether a record is this person's. Its own link or address decides; a record with neither is theirs if its number and
 * name were found to be.
 */
export const isOf = (contact: Contact, person: Person): boolean => {
  if (contact.guestId !== null && contact.guestId === person.guestId) return true
  if (contact.email !== null)
    return person.email !== null && emailKey(contact.email) === emailKey(person.email)
  return contact.guestId === null && person.known.has(wordsKey(contact))
}

/** A record's number and name in comparable form; equal for records that say the same. */
export const wordsKey = ({ phone, name }: Pick<Contact, 'phone' | 'name'>): string => {
  const key = numberOf(phone)
  return JSON.stringify([key ? [key.digits, key.international] : null, nameOf(name)])
}

/** A number as it is matched everywhere; undefined if it is too short to match. */
export const numberOf = (phone: string | null): PhoneKey | undefined =>
  phone === null ? undefined : phoneKey(phone)

/** A name, ignoring case and spaces; null if missing. */
export const nameOf = (name: string | null): string | null => {
  const folded = (name ?? '').normalize('NFC').replaceAll(/\s+/g, ' ').trim().toLowerCase()
  return folded === '' ? null : folded
}

/** The records of a person, by kind. */
export type Ids = Readonly<
  Record<
    'guest' | 'reservation' | 'lead' | 'waitlist_entry' | 'ticket_order' | 'subscriber',
    readonly number[]
  >
>
