import type { Queries } from '../../platform/db/pool.ts'
import { columnsOf, fragment, part, sql } from '../../platform/db/sql.ts'
import { idsOfContact } from '../../platform/http/records/contact-ids.ts'
import type { PhoneKey } from '../../platform/kernel/phone/phone.ts'
import { folded, foldedText } from '../../crm/guests/folded-name.ts'
import type { LocalDate } from '../../platform/kernel/time/written-time.ts'
import { hasNumber, leastDigits, mostBookingsFound, soughtIn } from '../reservations/search-bookings.ts'
import type { VenueId } from '../../core/venue/venue.ts'
import { type EntryRow, entryRow } from '../day/entry-row.ts'

/**
 * Parties in line for an evening, and those whose wait ended without a table, found as its bookings are: by any part of the
 * name, or any run of digits of the number. The longest wait first, then who is gone, the last first.
 */
export const searchLine = async (
  db: Queries,
  venue: VenueId,
  serviceDate: LocalDate,
  typed: string,
): Promise<EntryRow[]> => {
  const sought = soughtIn(typed)
  if (!sought || (sought.isNumber && sought.digits.length < leastDigits)) return []
  const matches = sought.isNumber
    ? hasNumber('', sought)
    : part`strpos(${folded('guest_name')}, ${foldedText(sought.text)}) > 0`
  return db.many(sql(entryRow)`
    select ${columnsOf(entryRow)} from waitlist_entry
     where venue_id = ${venue} and status in ('waiting', 'offered', 'expired', 'cancelled')
       and coalesce(service_date, date) = ${serviceDate}::date and ${matches}
     order by left_at desc nulls first, created_at, id
     limit ${mostBookingsFound}`)
}

/** Who waits with this phone number, tonight or for another day, and whose wait ended tonight without a table; as in `searchLine`. */
export const lineOfPhone = async (
  db: Queries,
  venue: VenueId,
  serviceDate: LocalDate,
  phone: PhoneKey,
): Promise<EntryRow[]> => {
  const ids = await idsOfContact(db, venue, fragment('waitlist_entry'), {
    emailKey: undefined,
    phone,
  })
  if (ids.length === 0) return []
  return db.many(sql(entryRow)`
    select ${columnsOf(entryRow)} from waitlist_entry
     where venue_id = ${venue} and id = any(${ids}::bigint[])
       and (status in ('waiting', 'offered') and coalesce(service_date, date) >= ${serviceDate}::date
            or status in ('expired', 'cancelled') and coalesce(service_date, date) = ${serviceDate}::date)
     order by left_at desc nulls first, created_at, id
     limit ${mostBookingsFound}`)
}
