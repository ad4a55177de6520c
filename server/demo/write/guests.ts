import { sql } from '../../platform/db/sql.ts'
import { emailKey } from '../../platform/kernel/email.ts'
import { phoneKey } from '../../platform/kernel/phone.ts'
import { type Tables, idsInBatches, momentText } from './bulk.ts'
import type { DemoGuest } from '../guest-book.ts'

/** Writes the guests; the id of each. */
export const writeGuests = (
  { db, venue }: Tables,
  guests: readonly DemoGuest[],
): Promise<Map<DemoGuest, number>> =>
  idsInBatches(guests, (batch) => {
    const keys = batch.map(({ phone }) => (phone === null ? undefined : phoneKey(phone)))
    return db.many(sql({ id: 'int8' })`
      insert into guest (
        venue_id, name, email, email_key, phone, phone_key, phone_international, seating_preference,
        referral_source, staff_notes, allergies, visit_count, no_show_count, cancellation_count, last_visit_date,
        created_at, updated_at)
      select
        ${venue}, name, email, email_key, phone, phone_key, international, seating_preference, referral_source,
        staff_notes, allergies, visits, no_shows, cancellations, last_visit, created_at, updated_at
        from unnest(
          ${batch.map((one) => one.name)}::text[], ${batch.map((one) => one.email)}::text[],
          ${batch.map(({ email }) => email && emailKey(email))}::text[], ${batch.map((one) => one.phone)}::text[],
          ${keys.map((key) => key?.digits ?? null)}::text[],
          ${keys.map((key) => String(key?.international ?? false))}::boolean[],
          ${batch.map((one) => one.seatingPreference)}::text[], ${batch.map((one) => one.referralSource)}::text[],
          ${batch.map((one) => one.staffNotes)}::text[],
          ${batch.map((one) => one.allergies)}::text[], ${batch.map((one) => one.visitCount)}::integer[],
          ${batch.map((one) => one.noShowCount)}::integer[], ${batch.map((one) => one.cancellationCount)}::integer[],
          ${batch.map((one) => one.lastVisitDate)}::date[], ${batch.map((one) => momentText(one.createdAt))}::timestamptz[],
          ${batch.map((one) => momentText(one.updatedAt))}::timestamptz[])
        with ordinality as given (
          name, email, email_key, phone, phone_key, international, seating_preference, referral_source, staff_notes,
          allergies, visits, no_shows, cancellations, last_visit, created_at, updated_at, place)
       order by place
      returning id`)
  })
