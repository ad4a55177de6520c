import type { Lead } from '@venue-data/contract/records/lead.ts'
import type { LeadRow } from './reads.ts'

export const presentLead = (row: LeadRow): Lead => ({
  id: row.id,
  contactName: row.contact_name,
  contactEmail: row.contact_email,
  contactPhone: row.contact_phone,
  eventName: row.event_name,
  occasion: row.occasion,
  date: row.event_date,
  guestCount: row.guest_count,
  budgetPerPerson: row.budget_per_person,
  diningStyle: row.dining_style,
  dietaryNeeds: row.dietary_needs,
  stage: row.stage,
  priority: row.priority,
  notes: row.notes,
  submittedVia: row.submitted_via,
  submittedAt: row.submitted_at,
  externalId: row.external_id,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  revision: row.revision,
})
