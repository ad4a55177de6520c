import { Guest } from '@venue-data/contract/records/guest.ts'
import { recordOf } from '../../platform/db/record-of.ts'
import type { RowOf } from '../../platform/db/sql.ts'

export const guestRow = {
  id: 'int8',
  name: 'text?',
  email: 'text?',
  phone: 'text?',
  seating_preference: 'text?',
  referral_source: 'text?',
  visit_count: 'int4',
  no_show_count: 'int4',
  cancellation_count: 'int4',
  last_visit_date: 'date?',
  external_id: 'text?',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
  revision: 'int4',
} as const
export type GuestRow = RowOf<typeof guestRow>

/** A guest as staff see them. The API never returns the notes and allergies (docs/api.md#what-is-never-returned). */
export const staffGuestRow = {
  ...guestRow,
  staff_notes: 'text',
  allergies: 'text?',
  version: 'int4',
} as const
export type StaffGuestRow = RowOf<typeof staffGuestRow>

export const guestRecord = recordOf(Guest, staffGuestRow, {
  written: [
    'name',
    'email',
    'phone',
    'seating_preference',
    'referral_source',
    'external_id',
    'staff_notes',
    'allergies',
  ],
  contact: ['email', 'phone'],
})
export const presentGuest = guestRecord.present
