import { emailKey } from '../../platform/kernel/email.ts'
import { type PhoneKey, samePhone } from '../../platform/kernel/phone/phone.ts'
import { type Contact, type Person, nameOf, numberOf, wordsKey } from './person.ts'

/*
 * Which records are one person (docs/decisions/0009-data-in-and-out.md#decided-exports-and-erasure). An erasure cannot
 * be undone, so an ambiguous record stays separate: it gets its own row, where it can be erased.
 *
 * 1. A guest is one person, and two guests are two: staff merge duplicates.
 * 2. An address belongs to one person: the guest who has it, otherwise a person by that address alone.
 * 3. A number and a name together identify the person who has both, if there is exactly one. So a guest without an
 * address gets the one address that comes with both.
 * 4. A number alone, then a name alone, identifies the person known by it, if there is exactly one.
 */

/**
 * The persons behind records: guests, and records linked to no guest. A pure function; the caller passes all records
 * that share an address, a number or a name with those of interest.
 */
export const personsAmong = (records: readonly Contact[]): Person[] => {
  const all = records.map(said)
  const guests = all.filter(({ contact }) => contact.guestId !== null).map(groupOf)
  const addresses: Group[] = []
  const byAddress = new Map<string, Group>()
  for (const guest of guests) {
    const [{ email } = {}] = guest.sayings
    if (email) byAddress.set(email, guest)
  }
  for (const one of all) {
    if (one.contact.guestId !== null || one.email === null) continue
    const known = byAddress.get(one.email)
    if (known) {
      known.sayings.push(one)
      continue
    }
    const group = groupOf(one)
    addresses.push(group)
    byAddress.set(one.email, group)
  }
  const groups = withAddressesGiven(guests, addresses)

  const loose = all.filter(({ contact, email }) => contact.guestId === null && email === null)
  const [named, unnamed] = [
    loose.filter(({ name }) => name !== null),
    loose.filter(({ name }) => name === null),
  ]
  settle(
    groups,
    named.filter(({ number }) => number),
    sharesBoth,
  )
  joinNameless(groups)
  settle(
    groups,
    unnamed.filter(({ number }) => number),
    sharesNumber,
  )
  settle(
    groups,
    named.filter(({ number }) => !number),
    sharesName,
  )
  return groups.filter(({ sayings }) => sayings.length > 0).map(personOf)
}

/** A record and its compared fields. */
type Said = {
  readonly contact: Contact
  readonly email: string | null
  readonly number: PhoneKey | undefined
  readonly name: string | null
}

/** One person's records; the guest, if there is one, comes first. */
type Group = { readonly sayings: Said[] }

const said = (contact: Contact): Said => ({
  contact,
  email: contact.email === null ? null : emailKey(contact.email),
  number: numberOf(contact.phone),
  name: nameOf(contact.name),
})

const groupOf = (one: Said): Group => ({ sayings: [one] })

type Shares = (one: Group, other: Group) => boolean
const sharesNumber: Shares = (one, other) =>
  one.sayings.some(({ number: a }) => a && other.sayings.some(({ number: b }) => b && samePhone(a, b)))
const sharesName: Shares = (one, other) =>
  one.sayings.some(({ name }) => name !== null && other.sayings.some((said) => said.name === name))
const sharesBoth: Shares = (one, other) => sharesNumber(one, other) && sharesName(one, other)

/** Rule 3 for guests without an address: the one that comes with their number and name, if it fits no other guest. */
const withAddressesGiven = (guests: readonly Group[], addresses: readonly Group[]): Group[] => {
  const bare = guests.filter(({ sayings: [guest] }) => guest?.email === null)
  const taken = guests.filter((one) => !bare.includes(one))
  const pairs = bare.flatMap((guest) => {
    const [address, ...more] = [...addresses, ...taken].filter((one) => sharesBoth(one, guest))
    const isOnly = address !== undefined && more.length === 0 && addresses.includes(address)
    return isOnly && bare.every((one) => one === guest || !sharesBoth(one, address))
      ? [[guest, address] as const]
      : []
  })
  for (const [guest, address] of pairs) guest.sayings.push(...address.sayings)
  const given = new Set(pairs.map(([, address]) => address))
  return [...guests, ...addresses.filter((one) => !given.has(one))]
}

/** Rules 3 and 4: each record goes to the one group it shares this with; if there are none or several, to its own. */
const settle = (groups: Group[], loose: readonly Said[], shares: Shares): void => {
  const holders = loose.map((one) => groups.filter((group) => shares(group, groupOf(one))))
  const own: Group[] = []
  for (const [n, one] of loose.entries()) {
    const [only, ...more] = holders[n] ?? []
    const group = only && more.length === 0 ? only : own.find((other) => shares(other, groupOf(one)))
    if (group) group.sayings.push(one)
    else own.push(groupOf(one))
  }
  groups.push(...own)
}

/**
 * Rule 4 for a guest or an address known by a number alone: joins the person who has it under a name, if there is
 * exactly one.
 */
const joinNameless = (groups: Group[]): void => {
  const pairs = groups.flatMap((group) => {
    if (group.sayings.some(({ name }) => name !== null)) return []
    const [other, ...more] = groups.filter((one) => one !== group && sharesNumber(one, group))
    const isLoose = other?.sayings.every(({ contact, email }) => contact.guestId === null && email === null)
    const isOnly = more.length === 0 && groups.filter((one) => other && sharesNumber(one, other)).length === 2
    return other && isLoose && isOnly ? [[group, other] as const] : []
  })
  for (const [group, other] of pairs) group.sayings.push(...other.sayings.splice(0))
}

const personOf = ({ sayings }: Group): Person => {
  const first = (field: 'email' | 'phone' | 'name'): string | null =>
    sayings.find(({ contact }) => contact[field] !== null)?.contact[field] ?? null
  const loose = sayings.filter(({ contact }) => contact.guestId === null && contact.email === null)
  return {
    guestId: sayings[0]?.contact.guestId ?? null,
    email: first('email'),
    phone: first('phone'),
    name: first('name'),
    known: new Set(loose.map(({ contact }) => wordsKey(contact))),
  }
}
