import type { Guest } from '@venue-data/contract/records/guest.ts'
import type { GuestRow } from './reads.ts'

export const presentGuest = (row: GuestRow): Guest => ({
  id: row.id,
  name: row.name,
  email: row.email,
  phone: row.phone,
  seatingPreference: row.seating_preference,
  referralSource: row.referral_source,
  visitCount: row.visit_count,
  noShowCount: row.no_show_count,
  cancellationCount: row.cancellation_count,
  lastVisitDate: row.last_visit_date,
  externalId: row.external_id,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  revision: row.revision,
})
