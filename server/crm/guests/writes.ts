import type { Queries } from '../../platform/db/pool.ts'
import { columnsOf, part, sql } from '../../platform/db/sql.ts'
import { movedWhen, noted } from '../../core/events/note-change.ts'
import { emailKey } from '../../platform/kernel/email.ts'
import { phoneKey } from '../../platform/kernel/phone/phone.ts'
import type { VenueId } from '../../core/venue/venue.ts'
import type { ImportedDetails } from './imported-details.ts'
import { type GuestRow, guestRecord, guestRow } from './guest.ts'
import type { FieldValues } from './rules.ts'

/**
 * Locks the venue's guest book until the transaction ends; a separate statement, so that what follows sees
 * everything.
 */
export const lockGuestBook = async (db: Queries, venue: VenueId): Promise<void> => {
  if (await holdGuestBookRow(db, venue)) return
  await db.run(sql()`insert into guest_book (venue_id) values (${venue}) on conflict do nothing`)
  await holdGuestBookRow(db, venue)
}

/** The same, if it has been locked before; false the first time. */
export const holdGuestBookRow = async (db: Queries, venue: VenueId): Promise<boolean> =>
  (await db.maybe(sql({ venue_id: 'int8' })`
    select venue_id from guest_book where venue_id = ${venue} for update`)) !== undefined

/** A new guest. Undefined if somebody with this address was added without the guest book's lock. */
export const insertGuest = (
  db: Queries,
  venue: VenueId,
  {
    name,
    email,
    phone,
    externalId,
    staffNotes,
    brought,
  }: FieldValues & { staffNotes: string; brought?: ImportedDetails | undefined },
  now: Temporal.Instant,
): Promise<GuestRow | undefined> => {
  const { visits, noShows, cancellations, lastVisit = null, allergies = null, ...details } = brought ?? {}
  const row = {
    ...guestRecord.columns({ ...details, name, email, phone, externalId }),
    staff_notes: staffNotes,
    allergies,
  }
  return noted(
    db,
    venue,
    'guest',
    now,
    db.maybe(sql(guestRow)`
    insert into guest (
      venue_id, ${guestRecord.names}, visit_count, imported_visit_count, no_show_count, imported_no_show_count,
      cancellation_count, imported_cancellation_count, last_visit_date, imported_last_visit_date,
      created_at, updated_at)
    values (
      ${venue}, ${guestRecord.values(row)}, ${visits ?? 0}, ${visits ?? 0}, ${noShows ?? 0}, ${noShows ?? 0},
      ${cancellations ?? 0}, ${cancellations ?? 0}, ${lastVisit}, ${lastVisit}, ${now}, ${now})
    on conflict (venue_id, email_key) do nothing
    returning ${columnsOf(guestRow)}`),
  )
}

/** Fills fields and replaces the staff notes. The row is locked, and the fields filled were empty. */
export const fillGuest = (
  db: Queries,
  venue: VenueId,
  guest: number,
  fill: FieldValues,
  staffNotes: string,
  now: Temporal.Instant,
): Promise<GuestRow> => {
  const { name, email, phone, externalId } = fill
  const key = phone === undefined ? undefined : phoneKey(phone)
  const isPublic = Object.keys(fill).length > 0
  return noted(
    db,
    venue,
    'guest',
    now,
    db.one(sql(guestRow)`
    update guest set
      name = coalesce(${name ?? null}, name),
      email = coalesce(${email ?? null}, email),
      email_key = coalesce(${email === undefined ? null : emailKey(email)}, email_key),
      phone = coalesce(${phone ?? null}, phone),
      phone_key = coalesce(${key?.digits ?? null}, phone_key),
      phone_international = coalesce(${key?.international ?? null}, phone_international),
      external_id = coalesce(${externalId ?? null}, external_id),
      staff_notes = ${staffNotes},
      version = version + 1,
      ${movedWhen(part`${isPublic}`, now)}
    where venue_id = ${venue} and id = ${guest}
    returning ${columnsOf(guestRow)}`),
  )
}
