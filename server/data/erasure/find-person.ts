import type { Work } from '../../context.ts'
import type { Queries } from '../../platform/db/pool.ts'
import { columnsOf, sql } from '../../platform/db/sql.ts'
import { guestRow } from '../../crm/guests/guest.ts'
import { staffGuest } from '../../crm/guests/staff-reads.ts'
import { housesOfGuests, housesOfBookings } from '../../crm/house/reads.ts'
import { emailKey } from '../../platform/kernel/email.ts'
import { phoneKey } from '../../platform/kernel/phone/phone.ts'
import { leadRow } from '../../crm/leads/lead.ts'
import { type UnmadeBooking, unmadeBookingsOf } from '../../book/reservations/guest/booking-proof.ts'
import { guestBookingRow } from '../../book/reservations/guest/guest-booking.ts'
import { reservationsOfContact } from '../../book/reservations/reads.ts'
import { reservationRow } from '../../book/day/book-row.ts'
import { erasedAddress } from '../../marketing/subscribers/erased-address.ts'
import { subscriberRow } from '../../marketing/subscribers/subscriber.ts'
import { subscriberColumns } from '../../marketing/subscribers/reads.ts'
import { ticketsOfOrders } from '../../tickets/admission/ticket-reads.ts'
import type { VenueId } from '../../core/venue/venue.ts'
import { waitlistRow } from '../../book/day/entry-row.ts'
import { type ContactPlace, contactPlaces, eachContact, wholePerson } from './contacts.ts'
import { deletedOf, keptAnswersOf, writtenOf } from './find-kept.ts'
import { type Contact, type Ids, type Person, isOf } from './person.ts'
import type { Words } from './scrub.ts'

/** Everything stored about one person, in every table, by record id. */

const orderRow = {
  id: 'int8',
  order_number: 'text',
  status: 'text',
  channel: 'text',
  payment_method: 'text',
  buyer_first_name: 'text?',
  buyer_last_name: 'text?',
  buyer_email: 'text?',
  buyer_phone: 'text?',
  seats: 'int4',
  total_cents: 'int4',
  refunded_cents: 'int4',
  promo_code: 'text?',
  marketing_opt_in: 'bool?',
  paid_at: 'timestamptz?',
  created_at: 'timestamptz',
} as const

const checkoutRow = {
  id: 'int8',
  title: 'text',
  form: 'jsonb',
  total_cents: 'int4',
  currency: 'text',
  state: 'text',
  made_at: 'timestamptz',
} as const

const wholeGuest = { ...guestRow, staff_notes: 'text', allergies: 'text?' } as const
const wholeReservation = { ...reservationRow, guest_id: 'int8?', cancel_message: 'text?' } as const
const consentRow = {
  id: 'int8',
  source: 'text',
  statement: 'text?',
  page_url: 'text?',
  agreed_at: 'timestamptz',
  recorded_at: 'timestamptz',
  recorded_via: 'text',
} as const

const mailRow = {
  campaign_id: 'int8',
  campaign: 'text',
  state: 'text',
  why: 'text?',
  ended_at: 'timestamptz?',
  left_at: 'timestamptz?',
} as const
const bounceRow = {
  id: 'int8',
  kind: 'text',
  source: 'text',
  status_code: 'text?',
  campaign_id: 'int8?',
  at: 'timestamptz',
} as const

const guaranteeRow = {
  reservation_id: 'int8?',
  kind: 'text',
  status: 'text',
  amount_cents: 'int4',
  asked_cents: 'int4',
  paid_cents: 'int4',
  refunded_cents: 'int4',
  currency: 'text',
  ask_note: 'text?',
  sentence: 'text',
  agreed_at: 'timestamptz',
  delete_at: 'timestamptz?',
  deleted_at: 'timestamptz?',
} as const

export type Found = Awaited<ReturnType<typeof findPerson>>

/** A guest as a person to search for; undefined if there is no such guest. */
export const contactOfGuest = async (
  { db, venue }: Pick<Work, 'db' | 'venue'>,
  guest: number,
): Promise<Contact | undefined> => {
  const row = await staffGuest(db, venue.id, guest)
  return row && { guestId: row.id, email: row.email, phone: row.phone, name: row.name }
}

/** Reads everything about the person, without locks. */
export const findPerson = async ({ db, venue }: Pick<Work, 'db' | 'venue'>, sought: Contact) => {
  const id = venue.id
  const person = await wholePerson({ db, venue }, sought)
  const contacts = await contactIds(db, id, person)
  const key = person.email === null ? '' : emailKey(person.email)
  const guestIds = person.guestId === null ? [] : [person.guestId]
  const [
    guests,
    reservations,
    unmade,
    leads,
    waitlist,
    ticketOrders,
    checkouts,
    subscribers,
    suppressions,
    gone,
  ] = await Promise.all([
    db.many(sql(wholeGuest)`
        select ${columnsOf(wholeGuest)} from guest
         where venue_id = ${id} and id = any(${guestIds}::bigint[])`),
    db.many(sql(wholeReservation)`
        select ${columnsOf(wholeReservation)} from reservation
         where venue_id = ${id} and id = any(${contacts.reservations}::bigint[]) order by id`),
    unmadeBookingsOf(db, id, key),
    db.many(sql(leadRow)`
        select ${columnsOf(leadRow)} from lead
         where venue_id = ${id} and id = any(${contacts.leads}::bigint[]) order by id`),
    db.many(sql(waitlistRow)`
        select ${columnsOf(waitlistRow)} from waitlist_entry
         where venue_id = ${id} and id = any(${contacts.waitlist}::bigint[]) order by id`),
    db.many(sql(orderRow)`
        select ${columnsOf(orderRow)} from ticket_order
         where venue_id = ${id} and id = any(${contacts.orders}::bigint[]) order by id`),
    db.many(sql(checkoutRow)`
        select ${columnsOf(checkoutRow)} from checkout
         where venue_id = ${id} and id = any(${contacts.checkouts}::bigint[]) and form is not null order by id`),
    db.many(sql(subscriberRow)`
        select ${subscriberColumns(id)} from subscriber s where s.venue_id = ${id} and s.email_key = ${key}`),
    db.many(sql({ reason: 'text', created_at: 'timestamptz' })`
        select reason, created_at from suppression
         where venue_id = ${id} and email_key = any(${[key, erasedAddress(id, key)]})`),
    db.many(sql({ gone_id: 'int8' })`
        with recursive became as (
          select gone_id from guest_merge
           where venue_id = ${id} and kept_id = any(${guestIds}::bigint[]) and undone_at is null
          union
          select m.gone_id from became
            join guest_merge m on m.venue_id = ${id} and m.kept_id = became.gone_id and m.undone_at is null)
        select gone_id from became`),
  ])
  const words = wordsOf(person, { reservations, unmade, leads, waitlist, ticketOrders, checkouts })
  // Including ids they had before guests were merged. After an undo that guest is somebody else again.
  const guest = [...new Set([...guestIds, ...gone.map(({ gone_id }) => gone_id)])]
  const deleted = await deletedOf(db, id, person, guest)
  const ids: Ids = {
    guest,
    reservation: [...reservations.map((row) => row.id), ...deleted.reservation],
    lead: [...leads.map((row) => row.id), ...deleted.lead],
    waitlist_entry: waitlist.map((row) => row.id),
    ticket_order: ticketOrders.map((row) => row.id),
    subscriber: subscribers.map((row) => row.id),
  }
  const [
    houses,
    bookingProfiles,
    textReplies,
    textsTyped,
    saidWhenBooking,
    consents,
    leadNotes,
    tickets,
    guarantees,
    { events, trail },
    answers,
    mails,
    bounces,
  ] = await Promise.all([
    housesOfGuests(db, id, guestIds),
    housesOfBookings(db, id, ids.reservation),
    db.many(sql({ body: 'text', at: 'timestamptz' })`
      select body, at from text_reply
       where venue_id = ${id}
         and (entry_id = any(${ids.waitlist_entry}::bigint[]) or reservation_id = any(${ids.reservation}::bigint[]))
       order by id`),
    db.many(sql({ body: 'text', at: 'timestamptz' })`
      select body, made_at as at from guest_text
       where venue_id = ${id} and body is not null
         and (kind = 'lineTyped' and record_id = any(${ids.waitlist_entry}::bigint[])
           or kind in ('bookingTyped', 'bookingStranded') and record_id = any(${ids.reservation}::bigint[]))
       order by id`),
    db.many(sql(guestBookingRow)`
      select ${columnsOf(guestBookingRow)} from guest_booking
       where venue_id = ${id} and reservation_id = any(${ids.reservation}::bigint[]) order by reservation_id`),
    db.many(sql(consentRow)`
      select ${columnsOf(consentRow)} from consent
       where venue_id = ${id} and subscriber_id = any(${ids.subscriber}::bigint[]) order by id`),
    db.many(sql({ id: 'int8', kind: 'text', text: 'text', created_at: 'timestamptz' })`
      select id, kind, text, created_at from lead_note
       where venue_id = ${id} and lead_id = any(${ids.lead}::bigint[]) order by id`),
    ticketsOfOrders(db, id, ids.ticket_order),
    db.many(sql(guaranteeRow)`
      select ${columnsOf(guaranteeRow)} from guarantee
       where venue_id = ${id} and reservation_id = any(${ids.reservation}::bigint[]) order by id`),
    writtenOf({ db, venue }, ids),
    keptAnswersOf(db, id, ids, words),
    db.many(sql(mailRow)`
      select c.id as campaign_id, c.name as campaign, r.state, r.why, r.ended_at, r.left_at
        from recipient r join campaign c on c.venue_id = r.venue_id and c.id = r.campaign_id
       where r.venue_id = ${id} and r.subscriber_id = any(${ids.subscriber}::bigint[])
       order by c.id`),
    db.many(sql(bounceRow)`
      select ${columnsOf(bounceRow)} from mail_bounce
       where venue_id = ${id}
         and (email_key = ${key} or subscriber_id = any(${ids.subscriber}::bigint[])) order by id`),
  ])
  const tries = await db.many(sql({ started_at: 'timestamptz', status_code: 'int4', answer: 'bytea?' })`
      select a.started_at, a.status_code, a.answer
        from attempt a join delivery d on d.venue_id = a.venue_id and d.id = a.delivery_id
       where a.venue_id = ${id} and d.event_id = any(${events.map((one) => one.id)}::bigint[])
       order by a.started_at, a.token`)
  return {
    person,
    words,
    ids,
    guests,
    reservations,
    unmade,
    saidWhenBooking,
    houses,
    bookingProfiles,
    textReplies,
    textsTyped,
    leads,
    leadNotes,
    waitlist,
    ticketOrders,
    tickets,
    guarantees,
    checkouts,
    subscribers,
    consents,
    mails,
    bounces,
    suppressions,
    events,
    answers,
    tries,
    trail,
  }
}

type Contacts = Readonly<
  Record<'reservations' | 'leads' | 'waitlist' | 'orders' | 'checkouts', readonly number[]>
>

/** A person's bookings, by index where there is one: quick enough to read again under a lock. */
export const reservationsOfPerson = async (
  db: Queries,
  venue: VenueId,
  person: Person,
): Promise<number[]> => {
  const linked = await db.many(sql({ id: 'int8' })`
    select id from reservation where venue_id = ${venue} and guest_id = ${person.guestId ?? -1}`)
  const byAddress =
    person.email === null
      ? []
      : await reservationsOfContact(
          db,
          venue,
          { emailKey: emailKey(person.email), phone: undefined },
          undefined,
        )
  const known = person.known.size === 0 ? [] : await idsOf(db, venue, contactPlaces.reservation, person)
  return [...new Set([...[...linked, ...byAddress].map(({ id }) => id), ...known])]
}

const contactIds = async (db: Queries, venue: VenueId, person: Person): Promise<Contacts> => ({
  reservations: await reservationsOfPerson(db, venue, person),
  leads: await idsOf(db, venue, contactPlaces.lead, person),
  waitlist: await idsOf(db, venue, contactPlaces.waitlist_entry, person),
  orders: await idsOf(db, venue, contactPlaces.ticket_order, person),
  checkouts: await idsOf(db, venue, contactPlaces.checkout, person),
})

const idsOf = async (db: Queries, venue: VenueId, place: ContactPlace, person: Person): Promise<number[]> => {
  const ids: number[] = []
  await eachContact(db, venue, place, (id, contact) => {
    if (isOf(contact, person)) ids.push(id)
  })
  return ids
}

/** The addresses, numbers and names in everything found about a person; the owner should look at anybody else they match. */
export const tracesOf = (found: Found): Contact[] => [
  found.person,
  ...found.guests.map(({ email, phone, name }) => ({ guestId: null, email, phone, name })),
  ...found.reservations.map(({ email, phone, guest_name: name }) => ({ guestId: null, email, phone, name })),
  ...found.unmade.map(({ email, phone, guestName: name }) => ({ guestId: null, email, phone, name })),
  ...found.waitlist.map(({ email, phone, guest_name: name }) => ({ guestId: null, email, phone, name })),
  ...found.leads.map((row) => ({
    guestId: null,
    email: row.contact_email,
    phone: row.contact_phone,
    name: row.contact_name,
  })),
  ...found.ticketOrders.map((row) => ({
    guestId: null,
    email: row.buyer_email,
    phone: row.buyer_phone,
    name: nameOfBuyer(row),
  })),
  ...found.checkouts.map(contactOfForm),
]

const nameOfBuyer = (row: {
  readonly buyer_first_name: string | null
  readonly buyer_last_name: string | null
}) => [row.buyer_first_name, row.buyer_last_name].filter(Boolean).join(' ') || null

/** How texts may mention the person: by their own address, and the numbers and names on their records. */
/** Who typed the form of a checkout. */
export const contactOfForm = ({ form }: { readonly form: unknown }): Contact => {
  const typed = form as Readonly<Record<string, string | null | undefined>>
  const name = [typed['firstName'], typed['lastName']].filter(Boolean).join(' ')
  return {
    guestId: null,
    email: typed['email'] ?? null,
    phone: typed['phone'] ?? null,
    name: name === '' ? null : name,
  }
}

const wordsOf = (
  person: Person,
  found: {
    readonly reservations: readonly {
      email: string | null
      phone: string | null
      guest_name: string | null
    }[]
    readonly unmade: readonly Pick<UnmadeBooking, 'phone' | 'guestName'>[]
    readonly leads: readonly { contact_phone: string | null; contact_name: string | null }[]
    readonly waitlist: readonly { phone: string | null; guest_name: string | null }[]
    readonly ticketOrders: readonly {
      buyer_phone: string | null
      buyer_first_name: string | null
      buyer_last_name: string | null
    }[]
    readonly checkouts: readonly { form: unknown }[]
  },
): Words => {
  const distinct = (texts: readonly (string | null)[]) => [
    ...new Set(texts.filter((text) => text !== null && text.trim() !== '')),
  ]
  const fitting = (phone: string | null) => phone !== null && phoneKey(phone) !== undefined
  return {
    emails: distinct([person.email]) as string[],
    phones: distinct([
      person.phone,
      ...found.reservations.map((row) => row.phone),
      ...found.unmade.map((row) => row.phone),
      ...found.leads.map((row) => row.contact_phone),
      ...found.waitlist.map((row) => row.phone),
      ...found.ticketOrders.map((row) => row.buyer_phone),
      ...found.checkouts.map((row) => contactOfForm(row).phone),
    ]).filter(fitting) as string[],
    names: distinct([
      person.name,
      ...found.reservations.map((row) => row.guest_name),
      ...found.unmade.map((row) => row.guestName),
      ...found.leads.map((row) => row.contact_name),
      ...found.waitlist.map((row) => row.guest_name),
      ...found.ticketOrders.map(nameOfBuyer),
      ...found.checkouts.map((row) => contactOfForm(row).name),
    ]) as string[],
  }
}
