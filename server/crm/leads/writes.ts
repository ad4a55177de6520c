import type { LeadOrigin, LeadStage } from '@venue-data/contract/records/lead.ts'
import type { Queries } from '../../platform/db/pool.ts'
import { columnsOf, part, sql } from '../../platform/db/sql.ts'
import { movedWhen, noted, noteGone } from '../../core/events/note-change.ts'
import { contactKeys } from '../../platform/kernel/contact-keys.ts'
import type { VenueId } from '../../core/venue/venue.ts'
import type { Inquiry } from './fields.ts'
import { type LeadRow, leadRow } from './reads.ts'

type NewLead = Inquiry & {
  readonly guest_id: number | null
  readonly stage: LeadStage
  readonly submitted_via: LeadOrigin
}

export const insertLead = (
  db: Queries,
  venue: VenueId,
  lead: NewLead,
  now: Temporal.Instant,
): Promise<LeadRow> => {
  const keys = contactKeys(lead.contact_email, lead.contact_phone)
  return noted(
    db,
    venue,
    'lead',
    now,
    db.one(sql(leadRow)`
    insert into lead (
      venue_id, guest_id, contact_name, contact_email, contact_phone, email_key, phone_key, phone_international, event_name, occasion, event_date, guest_count,
      budget_per_person, dining_style, dietary_needs, concept, stage, priority, notes, submitted_via, submitted_at, external_id,
      created_at, updated_at)
    values (
      ${venue}, ${lead.guest_id}, ${lead.contact_name}, ${lead.contact_email}, ${lead.contact_phone},
      ${keys.email_key}, ${keys.phone_key}, ${keys.phone_international}, ${lead.event_name}, ${lead.occasion}, ${lead.event_date}, ${lead.guest_count}, ${lead.budget_per_person}, ${lead.dining_style},
      ${lead.dietary_needs}, ${lead.concept}, ${lead.stage}, ${lead.priority}, ${lead.notes}, ${lead.submitted_via},
      ${now}, ${lead.external_id ?? null}, ${now}, ${now})
    returning ${columnsOf(leadRow)}`),
  )
}

/** Writes what staff may change of a lead that is held by the caller. The room or brand and the guest are not public. */
export const writeLead = (
  db: Queries,
  venue: VenueId,
  to: LeadRow,
  now: Temporal.Instant,
): Promise<LeadRow> => {
  const keys = contactKeys(to.contact_email, to.contact_phone)
  return noted(
    db,
    venue,
    'lead',
    now,
    db.one(sql(leadRow)`
    update lead set
      contact_name = ${to.contact_name}, contact_email = ${to.contact_email}, contact_phone = ${to.contact_phone},
      email_key = ${keys.email_key}, phone_key = ${keys.phone_key}, phone_international = ${keys.phone_international},
      event_name = ${to.event_name}, occasion = ${to.occasion}, event_date = ${to.event_date},
      guest_count = ${to.guest_count}, budget_per_person = ${to.budget_per_person}, dining_style = ${to.dining_style},
      dietary_needs = ${to.dietary_needs}, concept = ${to.concept}, stage = ${to.stage}, priority = ${to.priority},
      notes = ${to.notes}, external_id = ${to.external_id}, guest_id = ${to.guest_id}, version = version + 1,
      ${movedWhen(
        part`(contact_name, contact_email, contact_phone, event_name, occasion, event_date, guest_count,
              budget_per_person, dining_style, dietary_needs, stage, priority, notes, external_id)
          is distinct from (
              ${to.contact_name}, ${to.contact_email}, ${to.contact_phone}, ${to.event_name}, ${to.occasion},
              ${to.event_date}, ${to.guest_count}, ${to.budget_per_person}, ${to.dining_style}, ${to.dietary_needs},
              ${to.stage}, ${to.priority}, ${to.notes}, ${to.external_id})`,
        now,
      )}
    where venue_id = ${venue} and id = ${to.id}
    returning ${columnsOf(leadRow)}`),
  )
}

/** False if it is gone already. */
export const removeLead = async (
  db: Queries,
  venue: VenueId,
  id: number,
  now: Temporal.Instant,
): Promise<boolean> => {
  const gone = await db.maybe(sql({ revision: 'int4' })`
    delete from lead where venue_id = ${venue} and id = ${id} returning revision`)
  if (gone) noteGone(db, venue, { kind: 'lead', id, revision: gone.revision }, now)
  return gone !== undefined
}
