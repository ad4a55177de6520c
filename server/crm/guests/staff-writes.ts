import type { Queries } from '../../platform/db/pool.ts'
import { columnsOf, part, sql } from '../../platform/db/sql.ts'
import { movedWhen, noted } from '../../core/events/note-change.ts'
import { emailKey } from '../../platform/kernel/email.ts'
import { phoneKey } from '../../platform/kernel/phone.ts'
import type { VenueId } from '../../core/venue/venue.ts'
import { type StaffGuestRow, staffGuestRow } from './staff-reads.ts'

export type StaffColumns = {
  readonly name: string | null
  readonly email: string | null
  readonly phone: string | null
  readonly seatingPreference: string | null
  readonly referralSource: string | null
  readonly externalId: string | null
  readonly staffNotes: string
  readonly allergies: string | null
}

/** Writes what staff may change about a guest, and the keys derived from it. The caller has locked the row. */
export const writeStaffEdit = (
  db: Queries,
  venue: VenueId,
  guest: number,
  to: StaffColumns,
  now: Temporal.Instant,
): Promise<StaffGuestRow> => {
  const phone = to.phone === null ? undefined : phoneKey(to.phone)
  return noted(
    db,
    venue,
    'guest',
    now,
    db.one(sql(staffGuestRow)`
    update guest set
      name = ${to.name}, email = ${to.email}, email_key = ${to.email === null ? null : emailKey(to.email)},
      phone = ${to.phone}, phone_key = ${phone?.digits ?? null}, phone_international = ${phone?.international ?? false},
      seating_preference = ${to.seatingPreference}, referral_source = ${to.referralSource},
      external_id = ${to.externalId},
      staff_notes = ${to.staffNotes}, allergies = ${to.allergies},
      version = version + 1,
      ${movedWhen(
        part`(name, email, phone, seating_preference, referral_source, external_id)
          is distinct from (
            ${to.name}, ${to.email}, ${to.phone}, ${to.seatingPreference}, ${to.referralSource}, ${to.externalId})`,
        now,
      )}
    where venue_id = ${venue} and id = ${guest}
    returning ${columnsOf(staffGuestRow)}`),
  )
}

/** Another guest who has an address. */
export const guestWithAddress = async (
  db: Queries,
  venue: VenueId,
  key: string,
  but: number,
): Promise<number | undefined> =>
  (
    await db.maybe(sql({ id: 'int8' })`
      select id from guest where venue_id = ${venue} and email_key = ${key} and id <> ${but}`)
  )?.id
