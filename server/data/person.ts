import { emailKey } from '../kernel/email.ts'
import { type PhoneKey, phoneKey, samePhone } from '../kernel/phone.ts'

/** Somebody about whom everything is sought: a guest, or whoever gave an address, a number or only a name. */
export type Person = {
  readonly guestId: number | null
  readonly email: string | null
  readonly phone: string | null
  readonly name: string | null
}

/** What a record says about whom it is of. */
export type Contact = {
  readonly guestId: number | null
  readonly email: string | null
  readonly phone: string | null
  readonly name: string | null
}

/**
 * Whether a record is this person's. Their own link or address decides. A number may be a family's: it counts only
 * where the record names no other address and no other name; and a name alone only where nothing else is said.
 */
export const isOf = (contact: Contact, person: Person): boolean => {
  if (contact.guestId !== null) {
    if (contact.guestId === person.guestId) return true
    if (person.guestId !== null && !sameEmail(contact, person)) return false
  }
  if (contact.email !== null) {
    if (sameEmail(contact, person)) return true
    if (person.email !== null) return false
  }
  const one = keyOf(contact.phone)
  const other = keyOf(person.phone)
  if (one && other) return samePhone(one, other) && !differs(contact.name, person.name)
  const bare = contact.email === null && !one
  return bare && person.name !== null && contact.name !== null && !differs(contact.name, person.name)
}

const sameEmail = (one: Contact, other: Person): boolean =>
  one.email !== null && other.email !== null && emailKey(one.email) === emailKey(other.email)

const keyOf = (phone: string | null): PhoneKey | undefined => (phone === null ? undefined : phoneKey(phone))

const differs = (one: string | null, other: string | null): boolean =>
  one !== null && other !== null && folded(one) !== folded(other)

export const folded = (name: string): string =>
  name.normalize('NFC').replaceAll(/\s+/g, ' ').trim().toLowerCase()
