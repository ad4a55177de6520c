import type { Queries } from '../../platform/db/pool.ts'
import { type Fragment, columnsOf, joined, part, sql } from '../../platform/db/sql.ts'
import { emailKey, isEmailAddress } from '../../platform/kernel/email.ts'
import { type PhoneKey, phoneKey, prefixEnd, reversed } from '../../platform/kernel/phone/phone.ts'
import { callingCodeRead } from '../../platform/kernel/phone/shown-phone.ts'
import type { VenueId } from '../../core/venue/venue.ts'
import { foldedText, lastWord, nameFromWord } from './folded-name.ts'
import { guestsThatMayMatch } from './reads.ts'
import { chooseMatch } from './rules.ts'
import { type StaffGuestRow, staffGuestRow } from './guest.ts'

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
  const known = phone ? await guestsOfPhone(db, venue, phone) : []
  // Many digits of a number may still be only its beginning.
  return known.length > 0 ? known : guestsByDigits(db, venue, digits)
}

/** Whose number it is, matched as bookings are, best match first. */
export const guestsOfPhone = async (
  db: Queries,
  venue: VenueId,
  phone: PhoneKey,
): Promise<StaffGuestRow[]> => {
  let candidates = await guestsThatMayMatch(db, venue, { phone })
  const ids: number[] = []
  for (let best = chooseMatch(candidates, { phone }); best && ids.length < mostFound;) {
    const { id } = best
    ids.push(id)
    candidates = candidates.filter((candidate) => candidate.id !== id)
    best = chooseMatch(candidates, { phone })
  }
  return ids.length > 0 ? guestsOf(db, venue, ids) : []
}

/**
 * Guests whose number ends or begins with these digits. Keys are digits only, so that they sort as digits in a database
 * of any language: the index of whole numbers serves their beginnings, too.
 */
const guestsByDigits = (db: Queries, venue: VenueId, digits: string): Promise<StaffGuestRow[]> => {
  const ending = reversed(digits)
  // A zero before a town is in no key; a number that is stored with its country's code begins with that.
  const start = digits.replace(/^0/, '')
  const starts = /[1-9]/.test(start) ? [start, `${callingCodeRead() ?? '1'}${start}`] : []
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
