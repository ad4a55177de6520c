import { limits } from '@venue-data/contract/limits.ts'
import type { Queries } from '../../platform/db/pool.ts'
import { type Fragment, columnsOf, fragment, joined, part, sql } from '../../platform/db/sql.ts'
import { folded, foldedText } from '../../crm/guests/folded-name.ts'
import { houseColumns, houseJoins, houseRow } from '../../crm/house/reads.ts'
import { addDays } from '../../platform/kernel/time/calendar.ts'
import { emailKey } from '../../platform/kernel/email.ts'
import { phoneKey, suffixesOf } from '../../platform/kernel/phone/phone.ts'
import type { LocalDate } from '../../platform/kernel/time/written-time.ts'
import type { VenueId } from '../../core/venue/venue.ts'
import { referenceKeyOf } from '../../core/venue/reference-key.ts'
import { bookRow } from '../day/book-row.ts'
import { type DayRow, guestColumns } from './day-book.ts'
import { idOfReference } from './reference.ts'

/** Bookings a search shows; who looks for another types another letter. */
export const mostBookingsFound = 20

/** The days that a search looks through without being told which. */
export const searchedDays = (today: LocalDate): SearchedDays => ({
  ...{ today, from: addDays(today, -1) },
  to: addDays(today, limits.searchDaysAhead),
})

export type SearchedDays = { readonly today: LocalDate; readonly from: LocalDate; readonly to: LocalDate }

const nothingBefore = fragment('')

/** Fewer digits are no part of a phone number. */
export const leastDigits = 3

/** What was typed into the search, and whether it can be a number rather than a name; undefined for nothing to look for. */
export const soughtIn = (
  typed: string,
): { readonly text: string; readonly digits: string; readonly isNumber: boolean } | undefined => {
  const text = typed.normalize('NFC').replaceAll(/\s+/g, ' ').trim().slice(0, 254)
  if (text === '' || !text.isWellFormed() || /\p{Cc}/u.test(text)) return undefined
  return { text, digits: text.replaceAll(/[^0-9]/g, ''), isNumber: /^[0-9+()\-./# ]+$/.test(text) }
}

/**
 * Bookings of these days, by any part of the name, the start of the email address, or any run of digits of the number:
 * today's first; of these who is still expected, then who is seated, then who is done, each by time. The days around
 * today are few, so they are read through. With `byNumber` also, before all, the booking of any day with this number, or whose
 * guest reads out what it is called on their page.
 */
export const searchBookings = async (
  db: Queries,
  venue: VenueId,
  { today, from, to }: SearchedDays,
  typed: string,
  { byNumber, most = mostBookingsFound }: { readonly byNumber: boolean; readonly most?: number },
): Promise<DayRow[]> => {
  const sought = soughtIn(typed)
  if (!sought) return []
  const { text, digits, isNumber } = sought
  const id = byNumber ? await idMeant(db, venue, sought) : undefined
  const matches = isNumber
    ? digits.length >= leastDigits && hasNumber('r.', sought)
    : part`(strpos(${folded('r.guest_name')}, ${foldedText(text)}) > 0 or starts_with(r.email_key, ${emailKey(text)}))`
  const ofDays = matches && part`r.service_date between ${from} and ${to} and ${matches}`
  const isMeant = id !== undefined && part`r.id = ${id}`
  const found = isMeant && ofDays ? part`(${isMeant} or ${ofDays})` : isMeant || ofDays
  if (!found) return []
  return db.many(sql({ ...bookRow, ...guestColumns, ...houseRow })`
    select ${columnsOf(bookRow, 'r')}, ${columnsOf(guestColumns, 'g')}, ${houseColumns(venue)} from reservation r
      left join guest g on g.venue_id = r.venue_id and g.id = r.guest_id ${houseJoins}
     where r.venue_id = ${venue}
       and ${found}
     order by ${isMeant ? part`not (${isMeant}),` : nothingBefore} r.service_date <> ${today},
              case when r.status in ('Requested', 'Confirmed') then 0 when r.status = 'Seated' then 1 else 2 end,
              r.service_date < ${today}, r.service_date, r.service_minute, r.id
     limit ${most}`)
}

/**
 * Rows whose number has these digits anywhere; or is this number with or without its country's code; or begins with them
 * after the zero that is dialed inside a country: "020 79" is found in +44 20 7946 0958.
 */
export const hasNumber = (
  alias: '' | 'r.',
  { text, digits }: NonNullable<ReturnType<typeof soughtIn>>,
): Fragment => {
  const [key, international] = [fragment(`${alias}phone_key`), fragment(`${alias}phone_international`)]
  const whole = phoneKey(text)
  const withoutZero = /^0([1-9][0-9]{2,})$/.exec(digits)?.[1]
  return joined(
    [
      part`(strpos(${key}, ${digits}) > 0`,
      ...(whole
        ? [
            part`${key} = ${whole.digits}`,
            part`(${key} = any(${suffixesOf(whole.digits)}) and not ${international})`,
          ]
        : []),
      ...(withoutZero === undefined
        ? []
        : [
            part`strpos(${key}, ${withoutZero}) between 1 and case when ${international} then ${mostCodeDigits + 1}::int else 1 end`,
          ]),
      part`false)`,
    ],
    ' or ',
  )
}

/** A country's code has no more. */
const mostCodeDigits = 3

/** The booking whose number this is, or what its guest calls it; there may be none. */
const idMeant = async (
  db: Queries,
  venue: VenueId,
  { text, digits, isNumber }: NonNullable<ReturnType<typeof soughtIn>>,
): Promise<number | undefined> => {
  if (!isNumber) return idOfReference(await referenceKeyOf(db, venue), text)
  return digits !== '' && digits.length <= mostIdDigits ? Number(digits) : undefined
}

/** Ids are exact up to here. */
const mostIdDigits = 15
