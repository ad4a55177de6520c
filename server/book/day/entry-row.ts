import { WaitlistEntry } from '@venue-data/contract/records/waitlist-entry.ts'
import { recordOf } from '../../platform/db/record-of.ts'
import type { RowOf } from '../../platform/db/sql.ts'

export const waitlistRow = {
  id: 'int8',
  guest_name: 'text?',
  email: 'text?',
  phone: 'text?',
  party_size: 'int4?',
  date: 'date?',
  requested_time: 'time?',
  window_start: 'time?',
  window_end: 'time?',
  status: 'text',
  source: 'text',
  notes: 'text?',
  quoted_minutes: 'int4?',
  quoted_at: 'timestamptz?',
  paged_at: 'timestamptz?',
  seated_at: 'timestamptz?',
  left_at: 'timestamptz?',
  external_id: 'text?',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
  revision: 'int4',
} as const
export type WaitlistRow = RowOf<typeof waitlistRow>

/** An entry as staff handle it: its public shape and what the moves need to know. */
export const entryRow = {
  ...waitlistRow,
  service_date: 'date?',
  reservation_id: 'int8?',
  booked_as: 'text?',
  rejoined_at: 'timestamptz?',
  offered_until: 'timestamptz?',
  quoted_by_hand: 'bool',
  coming_at: 'timestamptz?',
  for_later: 'bool',
  version: 'int4',
} as const
export type EntryRow = RowOf<typeof entryRow>

/** One in line, and the moment it stands there by; see `standsAt`. */
export const lineRow = { ...entryRow, stands_at: 'timestamptz?' } as const
export type LineRow = RowOf<typeof lineRow>

/** What a party says of itself. */
const said = [
  'guest_name',
  'email',
  'phone',
  'party_size',
  'requested_time',
  'window_start',
  'window_end',
  'notes',
  'external_id',
] as const
export type EntryWords = Pick<EntryRow, (typeof said)[number]>

export const entryRecord = recordOf(WaitlistEntry, entryRow, { written: said, contact: ['email', 'phone'] })
export const presentWaitlistEntry = entryRecord.present
