import type { WaitlistEntry } from '@venue-data/contract/records/waitlist-entry.ts'
import type { WaitlistRow } from './entry-row.ts'

export const presentWaitlistEntry = (row: WaitlistRow): WaitlistEntry => ({
  id: row.id,
  guestName: row.guest_name,
  email: row.email,
  phone: row.phone,
  partySize: row.party_size,
  date: row.date,
  requestedTime: row.requested_time,
  windowStart: row.window_start,
  windowEnd: row.window_end,
  status: row.status,
  source: row.source,
  notes: row.notes,
  quotedMinutes: row.quoted_minutes,
  quotedAt: row.quoted_at,
  pagedAt: row.paged_at,
  seatedAt: row.seated_at,
  leftAt: row.left_at,
  externalId: row.external_id,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  revision: row.revision,
})
