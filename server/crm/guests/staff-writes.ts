import type { Queries } from '../../platform/db/pool.ts'
import { columnsOf, sql } from '../../platform/db/sql.ts'
import { movedWhen, noted } from '../../core/events/note-change.ts'
import type { VenueId } from '../../core/venue/venue.ts'
import { type StaffGuestRow, guestRecord, staffGuestRow } from './guest.ts'

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
  const row = { ...guestRecord.columns(to), staff_notes: to.staffNotes, allergies: to.allergies }
  return noted(
    db,
    venue,
    'guest',
    now,
    db.one(sql(staffGuestRow)`
    update guest set ${guestRecord.set(row)}, version = version + 1, ${movedWhen(guestRecord.differs(row), now)}
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
