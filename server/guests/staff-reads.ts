import type { Queries } from '../db/pool.ts'
import { type Fragment, type RowOf, columnsOf, joined, part, sql } from '../db/sql.ts'
import { emailKey, isEmailAddress } from '../kernel/email.ts'
import { type ListPage, type PageAsked, newestPlace, pageOf } from '../kernel/list-page.ts'
import { phoneKey, prefixEnd, reversed } from '../kernel/phone.ts'
import { type LeadRow, leadRow } from '../leads/reads.ts'
import { reservationRow } from '../reservations/reads.ts'
import type { VenueId } from '../venue/venue.ts'
import { foldedText, lastWord, nameFromWord } from './folded-name.ts'
import { guestRow, guestsThatMayMatch } from './reads.ts'
import { chooseMatch } from './rules.ts'

/** A guest as staff see them. The API never returns the notes and allergies (docs/api.md#what-is-never-returned). */
export const staffGuestRow = {
  ...guestRow,
  staff_notes: 'text',
  allergies: 'text?',
  version: 'int4',
} as const
export type StaffGuestRow = RowOf<typeof staffGuestRow>

export const staffGuest = (db: Queries, venue: VenueId, guest: number): Promise<StaffGuestRow | undefined> =>
  db.maybe(sql(staffGuestRow)`
    select ${columnsOf(staffGuestRow)} from guest where venue_id = ${venue} and id = ${guest}`)

/** The same, locked until the transaction ends. Taken after the guest book, never before. */
export const staffGuestForUpdate = (
  db: Queries,
  venue: VenueId,
  guest: number,
): Promise<StaffGuestRow | undefined> =>
  db.maybe(sql(staffGuestRow)`
    select ${columnsOf(staffGuestRow)} from guest where venue_id = ${venue} and id = ${guest} for update`)

/** All guests, newest first. */
export const guestsPage = async (
  db: Queries,
  venue: VenueId,
  { limit, after }: PageAsked,
): Promise<ListPage<StaffGuestRow>> => {
  const { at, id } = newestPlace(after)
  const rows = await db.many(sql(staffGuestRow)`
    select ${columnsOf(staffGuestRow)} from guest
     where venue_id = ${venue} and (created_at, id) < (${at}, ${id})
     order by created_at desc, id desc
     limit ${limit + 1}`)
  return pageOf(rows, limit, (row) => [row.created_at, row.id])
}

/** Guests a search shows: more than anybody reads; they type another letter instead. */
export const mostFound = 50

/** Fewer digits than this are not part of a phone number but of a name such as "Table 5". */
const leastDigits = 3

/**
 * Guests by what was heard or typed. A full email address or phone number: matched as bookings are, best match first.
 * The beginning of an address, the first or last digits of a number, or the beginning of any word of a name, without
 * its accents, including "okafor maya": ordered by name. Of a name of five words or more the last and the first four
 * are looked at.
 */
export const searchGuests = async (db: Queries, venue: VenueId, typed: string): Promise<StaffGuestRow[]> => {
  const text = typed
    .normalize('NFC')
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, 254)
  if (text === '' || !text.isWellFormed()) return []
  if (text.includes('@')) return guestsByAddress(db, venue, text)
  const digits = text.replaceAll(/[^0-9]/g, '')
  if (digits.length >= leastDigits && /^[0-9+()\-./\s]+$/.test(text))
    return guestsByNumber(db, venue, text, digits)
  return guestsByName(db, venue, text)
}

const guestsByAddress = async (db: Queries, venue: VenueId, text: string): Promise<StaffGuestRow[]> => {
  const key = emailKey(text)
  const exact = isEmailAddress(text) ? await guestsThatMayMatch(db, venue, { emailKey: key }) : []
  const match = chooseMatch(exact, { emailKey: key })
  if (match) return guestsOf(db, venue, [match.id])
  return db.many(sql(staffGuestRow)`
    select ${columnsOf(staffGuestRow)} from guest
     where venue_id = ${venue} and email_key ~>=~ ${key} and email_key ~<~ ${endOf(key)}
     order by email_key, id
     limit ${mostFound}`)
}

const guestsByNumber = async (
  db: Queries,
  venue: VenueId,
  text: string,
  digits: string,
): Promise<StaffGuestRow[]> => {
  const phone = phoneKey(text)
  if (!phone) {
    return guestsByDigits(db, venue, digits)
  }
  let candidates = await guestsThatMayMatch(db, venue, { phone })
  const ids: number[] = []
  for (let best = chooseMatch(candidates, { phone }); best && ids.length < mostFound;) {
    const { id } = best
    ids.push(id)
    candidates = candidates.filter((candidate) => candidate.id !== id)
    best = chooseMatch(candidates, { phone })
  }
  // Many digits of a number may still be only its beginning.
  return ids.length > 0 ? guestsOf(db, venue, ids) : guestsByDigits(db, venue, digits)
}

/**
 * Guests whose number ends or begins with these digits. Keys are digits only, so that their order is that of the
 * digits whatever the database's language: the index of whole numbers serves their beginnings, too.
 */
const guestsByDigits = (db: Queries, venue: VenueId, digits: string): Promise<StaffGuestRow[]> => {
  const ending = reversed(digits)
  const starts = /[1-9]/.test(digits) ? [digits, `1${digits}`] : []
  const beginning = starts.map(
    (start) => part`
      union
      (select ${columnsOf(staffGuestRow)} from guest
        where venue_id = ${venue} and phone_key >= ${start} and phone_key <= ${start.padEnd(20, '9')}
        order by phone_key limit ${mostFound})`,
  )
  return db.many(sql(staffGuestRow)`
    select ${columnsOf(staffGuestRow)} from (
      (select ${columnsOf(staffGuestRow)} from guest
        where venue_id = ${venue} and reverse(phone_key) ~>=~ ${ending} and reverse(phone_key) ~<~ ${prefixEnd(ending)}
        order by reverse(phone_key) using ~<~ limit ${mostFound})
      ${joined(beginning, ' ')}
    ) found
    order by name, id
    limit ${mostFound}`)
}

/** Ordered by id. */
const guestsOf = async (db: Queries, venue: VenueId, ids: readonly number[]): Promise<StaffGuestRow[]> => {
  const rows = await db.many(sql(staffGuestRow)`
    select ${columnsOf(staffGuestRow)} from guest where venue_id = ${venue} and id = any(${ids}::bigint[])`)
  return rows.toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id))
}

/*
 * Each branch of the search reads a range of its own index and stops at `mostFound`; the combined results are sorted.
 * Short names have nothing in the indexes of their later words.
 */
const guestsByName = (db: Queries, venue: VenueId, typed: string): Promise<StaffGuestRow[]> => {
  const text = typed.replaceAll(/ ?, ?/g, ' ').trim()
  const words = text.split(' ')
  const [one = '', other = ''] = [words[0], words.at(-1)]
  const behindOne = words.slice(1).join(' ')
  const beforeOther = words.slice(0, -1).join(' ')
  const startsWith = (name: Fragment, start: string) =>
    part`${name} ~>=~ ${foldedText(start)} and ${name} ~<~ (${foldedText(start)} || ${highest})`
  const [whole, second, third, fourth] = nameFromWord
  const branch = (name: Fragment, start: string, more: Fragment = part`true`) => part`
      (select ${columnsOf(staffGuestRow)} from guest
        where venue_id = ${venue} and ${startsWith(name, start)} and ${more}
        order by ${name} using ~<~ limit ${mostFound})`
  const branches = [
    branch(whole, text),
    branch(second, text),
    branch(third, text, part`name like '% % %'`),
    branch(fourth, text, part`name like '% % % %'`),
    branch(lastWord, text),
    ...(words.length === 1
      ? []
      : [
          branch(lastWord, one, part`starts_with(${whole}, ${foldedText(behindOne)})`),
          branch(lastWord, other, part`starts_with(${whole}, ${foldedText(beforeOther)})`),
        ]),
    part`
      (select ${columnsOf(staffGuestRow)} from guest
        where venue_id = ${venue} and email_key ~>=~ ${emailKey(text)} and email_key ~<~ ${endOf(emailKey(text))}
        order by email_key using ~<~ limit ${mostFound})`,
  ]
  return db.many(sql(staffGuestRow)`
    select ${columnsOf(staffGuestRow)} from (${joined(branches, ' union ')}) found
    order by ${whole}, id
    limit ${mostFound}`)
}

/** The last code point there is: every text that begins with a prefix sorts before the prefix and this. */
const highest = '\u{10FFFF}'
const endOf = (prefix: string): string => prefix + highest

const bookedRow = {
  ...reservationRow,
  service_date: 'date?',
  starts_at: 'timestamptz?',
  seated_at: 'timestamptz?',
  completed_at: 'timestamptz?',
} as const
const historyRow = { ...bookedRow, tables: 'text[]' } as const
const boughtRow = {
  id: 'int8',
  order_number: 'text',
  status: 'text',
  event_name: 'text',
  event_date: 'date',
  seats: 'int4',
  total_cents: 'int4',
  refunded_cents: 'int4',
  created_at: 'timestamptz',
} as const

export type GuestHistory = {
  readonly reservations: readonly RowOf<typeof historyRow>[]
  readonly leads: readonly LeadRow[]
  /** Bought under the guest's address. */
  readonly ticketOrders: readonly RowOf<typeof boughtRow>[]
}

/** More bookings than anybody scrolls through; the counters include all. */
const mostOfHistory = 200

/** A guest's bookings, inquiries and orders, latest first. */
export const guestHistory = async (
  db: Queries,
  venue: VenueId,
  { id, email }: Pick<StaffGuestRow, 'id' | 'email'>,
): Promise<GuestHistory> => {
  const [reservations, leads, ticketOrders] = await Promise.all([
    db.many(sql(historyRow)`
      select ${columnsOf(bookedRow, 'r')},
             array(select t.label from reservation_table x
                     join dining_table t on t.venue_id = x.venue_id and t.id = x.table_id
                    where x.venue_id = r.venue_id and x.reservation_id = r.id order by t.label) as tables
        from reservation r
       where r.venue_id = ${venue} and r.guest_id = ${id}
       order by r.starts_at desc nulls last, r.id desc
       limit ${mostOfHistory}`),
    db.many(sql(leadRow)`
      select ${columnsOf(leadRow)} from lead
       where venue_id = ${venue} and guest_id = ${id}
       order by created_at desc, id desc
       limit ${mostOfHistory}`),
    email === null ? [] : ordersOfBuyer(db, venue, emailKey(email)),
  ])
  return { reservations, leads, ticketOrders }
}

const ordersOfBuyer = (db: Queries, venue: VenueId, key: string) =>
  db.many(sql(boughtRow)`
    select t.id, t.order_number, t.status, e.name as event_name, o.date as event_date, t.seats, t.total_cents,
           t.refunded_cents, t.created_at
      from ticket_order t
      join occurrence o on o.venue_id = t.venue_id and o.id = t.occurrence_id
      join ticketed_event e on e.venue_id = o.venue_id and e.id = o.event_id
     where t.venue_id = ${venue} and t.buyer_email_key = ${key}
     order by t.created_at desc, t.id desc
     limit ${mostOfHistory}`)

const shownMergeRow = {
  id: 'int8',
  gone_id: 'int8',
  merged_at: 'timestamptz',
  undone_at: 'timestamptz?',
} as const

const mostMerges = 50

/** The merges into a guest, latest first. */
export const mergesOfGuest = (
  db: Queries,
  venue: VenueId,
  guest: number,
): Promise<RowOf<typeof shownMergeRow>[]> =>
  db.many(sql(shownMergeRow)`
    select ${columnsOf(shownMergeRow)} from guest_merge
     where venue_id = ${venue} and kept_id = ${guest} order by id desc limit ${mostMerges}`)
