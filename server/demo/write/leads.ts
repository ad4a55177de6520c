import { sql } from '../../platform/db/sql.ts'
import { contactKeys } from '../../platform/kernel/contact-keys.ts'
import { type Tables, inBatches, momentText } from './bulk.ts'
import type { DemoGuest } from '../guest-book.ts'
import type { DemoLead } from '../leads.ts'
import type { DemoTask } from '../tasks.ts'

/** Writes the inquiries, each with its guest. */
export const writeLeads = (
  { db, venue }: Tables,
  leads: readonly DemoLead[],
  guestIds: ReadonlyMap<DemoGuest, number>,
): Promise<void> =>
  inBatches(leads, (batch) => {
    const keys = batch.map((one) => contactKeys(one.contactEmail, one.contactPhone))
    return db.run(sql()`
      insert into lead (
        venue_id, guest_id, contact_name, contact_email, contact_phone, email_key, phone_key, phone_international,
        event_name, occasion, event_date, guest_count, budget_per_person, dining_style, dietary_needs, concept, stage, priority, notes, submitted_via, submitted_at,
        created_at, updated_at)
      select
        ${venue}, guest_id, contact_name, contact_email, contact_phone, email_key, phone_key, phone_international,
        event_name, occasion, event_date, guest_count, budget, dining_style, dietary_needs, concept, stage, priority, notes, submitted_via, created_at, created_at,
        updated_at
        from unnest(
          ${batch.map(({ guest }) => guestIds.get(guest) as number)}::bigint[],
          ${batch.map((one) => one.contactName)}::text[], ${batch.map((one) => one.contactEmail)}::text[],
          ${batch.map((one) => one.contactPhone)}::text[],
          ${keys.map((one) => one.email_key)}::text[], ${keys.map((one) => one.phone_key)}::text[],
          ${keys.map((one) => String(one.phone_international))}::boolean[], ${batch.map((one) => one.eventName)}::text[],
          ${batch.map((one) => one.occasion)}::text[], ${batch.map((one) => one.date)}::text[],
          ${batch.map((one) => one.guestCount)}::text[], ${batch.map((one) => one.budgetPerPerson)}::text[],
          ${batch.map((one) => one.diningStyle)}::text[], ${batch.map((one) => one.dietaryNeeds)}::text[],
          ${batch.map((one) => one.concept)}::text[], ${batch.map((one) => one.stage)}::text[],
          ${batch.map((one) => one.priority)}::text[], ${batch.map((one) => one.notes)}::text[],
          ${batch.map((one) => one.submittedVia)}::text[],
          ${batch.map((one) => momentText(one.createdAt))}::timestamptz[],
          ${batch.map((one) => momentText(one.updatedAt))}::timestamptz[])
        with ordinality as given (
          guest_id, contact_name, contact_email, contact_phone, email_key, phone_key, phone_international, event_name,
          occasion, event_date, guest_count, budget,
          dining_style, dietary_needs, concept, stage, priority, notes, submitted_via, created_at, updated_at, place)
       order by place`)
  })

export const writeTasks = ({ db, venue }: Tables, tasks: readonly DemoTask[]): Promise<void> =>
  inBatches(tasks, (batch) =>
    db.run(sql()`
      insert into task (venue_id, title, due, priority, category, client, done, created_at, updated_at)
      select ${venue}, title, due, priority, category, client, done, created_at, updated_at
        from unnest(
          ${batch.map((one) => one.title)}::text[], ${batch.map((one) => one.due)}::date[],
          ${batch.map((one) => one.priority)}::text[], ${batch.map((one) => one.category)}::text[],
          ${batch.map((one) => one.client)}::text[], ${batch.map((one) => String(one.done))}::boolean[],
          ${batch.map((one) => momentText(one.createdAt))}::timestamptz[],
          ${batch.map((one) => momentText(one.updatedAt))}::timestamptz[])
        with ordinality as given (title, due, priority, category, client, done, created_at, updated_at, place)
       order by place`),
  )
