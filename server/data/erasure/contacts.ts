import type { Work } from '../../context.ts'
import type { Queries } from '../../platform/db/pool.ts'
import { pages } from '../../platform/db/pages.ts'
import { type Fragment, fragment, sql } from '../../platform/db/sql.ts'
import { guestsKnownBy } from '../../crm/guests/reads.ts'
import { emailKey } from '../../platform/kernel/email.ts'
import { type PhoneKey, samePhone } from '../../platform/kernel/phone/phone.ts'
import type { VenueId } from '../../core/venue/venue.ts'
import { personsAmong } from './one-person.ts'
import { type Contact, type Person, isOf, nameOf, numberOf, wordsKey } from './person.ts'

/*
 * Searches for people across all kinds of records. Numbers and names are compared by the single matcher, never by SQL,
 * so records without match keys are scanned a page at a time.
 */

type Place = Pick<Work, 'db' | 'venue'>

/** These guests, and everybody else found by these addresses, numbers or names: each person once. */
export const peopleKnownBy = async (
  work: Place,
  sought: readonly Contact[],
  guests: readonly Contact[] = [],
): Promise<Person[]> => {
  const records = await recordsAround(work, [...sought, ...guests])
  const persons = personsAmong(records)
  const hits = [...guests, ...records.filter(clues(sought))]
  const found = hits.flatMap((hit) => persons.find((person) => isOf(hit, person)) ?? [])
  return [...new Set(found)].slice(0, mostShown)
}

/**
 * A person in all their records: a guest, or the person identified by this address, otherwise by this number and name.
 */
export const wholePerson = async (work: Place, sought: Contact): Promise<Person> => {
  const persons = personsAmong(await recordsAround(work, [sought]))
  return persons.find((person) => isOf(sought, person)) ?? { ...sought, known: new Set() }
}

const mostShown = 50

/**
 * All guests, and all records linked to none, that share an address, a number or a name with the search or with one of
 * each other. Five rounds reach further than the rules for one person do, and stop when a name is too common.
 */
const recordsAround = async ({ db, venue }: Place, sought: readonly Contact[]): Promise<Contact[]> => {
  let found = new Map<string, Contact>()
  for (let round = 0; round < mostRounds; round++) {
    const next = await recordsWith(db, venue.id, [...sought, ...found.values()])
    const isWhole = next.size === found.size
    found = next
    if (isWhole) break
  }
  return [...found.values()]
}

const mostRounds = 5

const recordsWith = async (
  db: Queries,
  venue: VenueId,
  known: readonly Contact[],
): Promise<Map<string, Contact>> => {
  const found = new Map<string, Contact>()
  const isNear = clues(known)
  const look = (contact: Contact): void => {
    if (!isNear(contact)) return
    const { guestId, email } = contact
    found.set(JSON.stringify([guestId, email === null ? null : emailKey(email), wordsKey(contact)]), contact)
  }
  const emailKeys = distinct(known.map(({ email }) => email && emailKey(email)))
  const names = distinct(known.map(({ name }) => nameOf(name)))
  const phones = known.flatMap(({ phone }) => numberOf(phone) ?? [])
  for (const row of await guestsKnownBy(db, venue, { emailKeys, names, phones }))
    look({ ...row, guestId: row.id })
  for (const place of [
    contactPlaces.unmade_booking,
    contactPlaces.lead,
    contactPlaces.waitlist_entry,
    contactPlaces.ticket_order,
    contactPlaces.checkout,
    contactPlaces.reservation,
  ])
    await eachContact(db, venue, place, (_, contact) => {
      if (contact.guestId === null) look(contact)
    })
  const subscribers = await db.many(sql({ email: 'text' })`
    select email from subscriber where venue_id = ${venue} and email_key = any(${emailKeys}) order by id`)
  for (const { email } of subscribers) look({ guestId: null, email, phone: null, name: null })
  return found
}

/** Whether a record shares something with one of these. */
const clues = (known: readonly Contact[]): ((contact: Contact) => boolean) => {
  const emails = new Set(known.flatMap(({ email }) => (email === null ? [] : [emailKey(email)])))
  const names = new Set(known.flatMap(({ name }) => nameOf(name) ?? []))
  const numbers = Map.groupBy(
    known.flatMap(({ phone }) => numberOf(phone) ?? []),
    lastDigits,
  )
  return ({ email, phone, name }) => {
    if (email !== null && emails.has(emailKey(email))) return true
    if (names.has(nameOf(name) ?? '')) return true
    const number = numberOf(phone)
    return (
      number !== undefined &&
      (numbers.get(lastDigits(number))?.some((one) => samePhone(one, number)) ?? false)
    )
  }
}

/** Matching numbers have the same ending. */
const lastDigits = ({ digits }: PhoneKey): string => digits.slice(-7)

const distinct = (texts: readonly (string | null)[]): string[] => [
  ...new Set(texts.filter((text) => text !== null)),
]

export type ContactPlace = {
  readonly table: Fragment
  /** What identifies a record's person. */
  readonly columns: Fragment
  readonly only?: Fragment
}

export const contactPlaces = {
  /** Bookings that wait for the press behind a link in a mail. */
  unmade_booking: {
    table: fragment('unmade_booking'),
    columns: fragment(
      `null::bigint as guest_id, asked ->> 'email' as email, asked ->> 'phone' as phone, asked ->> 'guestName' as name`,
    ),
  },
  lead: {
    table: fragment('lead'),
    columns: fragment('guest_id, contact_email as email, contact_phone as phone, contact_name as name'),
  },
  waitlist_entry: {
    table: fragment('waitlist_entry'),
    columns: fragment('null::bigint as guest_id, email, phone, guest_name as name'),
  },
  ticket_order: {
    table: fragment('ticket_order'),
    columns: fragment(
      `null::bigint as guest_id, buyer_email as email, buyer_phone as phone,
       nullif(btrim(coalesce(buyer_first_name, '') || ' ' || coalesce(buyer_last_name, '')), '') as name`,
    ),
  },
  /** Somebody who went to pay for tickets; once they have, it is in the order. */
  checkout: {
    table: fragment('checkout'),
    columns: fragment(
      `null::bigint as guest_id, form ->> 'email' as email, form ->> 'phone' as phone,
       nullif(btrim(coalesce(form ->> 'firstName', '') || ' ' || coalesce(form ->> 'lastName', '')), '') as name`,
    ),
    only: fragment('and form is not null'),
  },
  /** Those without a guest: the others are found by their guest or their address. */
  reservation: {
    table: fragment('reservation'),
    columns: fragment('guest_id, email, phone, guest_name as name'),
    only: fragment(
      'and guest_id is null and (email is not null or phone is not null or guest_name is not null)',
    ),
  },
} as const satisfies Record<string, ContactPlace>

const contactsOfPage = 5_000

export const eachContact = async (
  db: Queries,
  venue: VenueId,
  { table, columns, only = fragment('') }: ContactPlace,
  look: (id: number, contact: Contact) => void,
): Promise<void> => {
  const read = (last?: { readonly id: number }) =>
    db.many(sql({ id: 'int8', guest_id: 'int8?', email: 'text?', phone: 'text?', name: 'text?' })`
      select id, ${columns} from ${table}
       where venue_id = ${venue} and id > ${last?.id ?? 0} ${only} order by id limit ${contactsOfPage}`)
  for await (const rows of pages(read, contactsOfPage))
    for (const { id, guest_id, ...contact } of rows) look(id, { guestId: guest_id, ...contact })
}
