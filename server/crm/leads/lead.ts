import { Lead, type LeadOrigin } from '@venue-data/contract/records/lead.ts'
import { recordOf } from '../../platform/db/record-of.ts'
import type { RowOf } from '../../platform/db/sql.ts'
import { leadFields } from './fields.ts'

export const leadRow = {
  id: 'int8',
  contact_name: 'text?',
  contact_email: 'text?',
  contact_phone: 'text?',
  event_name: 'text?',
  occasion: 'text?',
  event_date: 'text?',
  guest_count: 'text?',
  budget_per_person: 'text?',
  dining_style: 'text?',
  dietary_needs: 'text?',
  stage: 'text',
  priority: 'text',
  notes: 'text?',
  submitted_via: 'text',
  submitted_at: 'timestamptz?',
  external_id: 'text?',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
  revision: 'int4',
  concept: 'text?',
  guest_id: 'int8?',
  /** What a form carries. */
  version: 'int4',
} as const
export type LeadRow = RowOf<typeof leadRow>

export const leadRecord = recordOf(Lead, leadRow, {
  written: [...leadFields.columns, 'stage', 'external_id', 'guest_id'],
  contact: ['contact_email', 'contact_phone'],
  called: { date: 'event_date' },
})
type Columns = Parameters<typeof leadRecord.values>[0]
/** Only integrators give it an id of their own. */
export type Inquiry = Omit<Columns, 'stage' | 'guest_id'>
export type NewLead = Columns & { readonly submitted_via: LeadOrigin }
export const presentLead = leadRecord.present
