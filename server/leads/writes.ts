import type { LeadOrigin, LeadStage, Priority } from '@venue-data/contract/lead.ts'
import type { Queries } from '../db/pool.ts'
import { columnsOf, sql } from '../db/sql.ts'
import type { VenueId } from '../venue/venue.ts'
import { type LeadRow, leadRow } from './reads.ts'

export type NewLeadRow = {
  readonly guestId: number | null
  readonly contactName: string
  readonly contactEmail: string | null
  readonly contactPhone: string | null
  readonly eventName: string
  readonly occasion: string | null
  readonly eventDate: string | null
  readonly guestCount: string | null
  readonly budgetPerPerson: string | null
  /** The API does not ask for these two. */
  readonly diningStyle?: string | null
  readonly dietaryNeeds?: string | null
  readonly concept: string | null
  readonly stage: LeadStage
  readonly priority: Priority
  readonly notes: string | null
  readonly submittedVia: LeadOrigin
}

export const insertLead = (
  db: Queries,
  venue: VenueId,
  lead: NewLeadRow,
  now: Temporal.Instant,
): Promise<LeadRow> =>
  db.one(sql(leadRow)`
    insert into lead (
      venue_id, guest_id, contact_name, contact_email, contact_phone, event_name, occasion, event_date, guest_count,
      budget_per_person, dining_style, dietary_needs, concept, stage, priority, notes, submitted_via, submitted_at,
      created_at, updated_at)
    values (
      ${venue}, ${lead.guestId}, ${lead.contactName}, ${lead.contactEmail}, ${lead.contactPhone}, ${lead.eventName},
      ${lead.occasion}, ${lead.eventDate}, ${lead.guestCount}, ${lead.budgetPerPerson}, ${lead.diningStyle ?? null},
      ${lead.dietaryNeeds ?? null}, ${lead.concept},
      ${lead.stage}, ${lead.priority}, ${lead.notes}, ${lead.submittedVia}, ${now}, ${now}, ${now})
    returning ${columnsOf(leadRow)}`)
