import type { Queries } from '../db/pool.ts'
import { type RowOf, columnsOf, sql } from '../db/sql.ts'
import type { ListWindow } from '../http/list-window.ts'
import type { VenueId } from '../venue/venue.ts'

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
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
} as const
export type WaitlistRow = RowOf<typeof waitlistRow>

export const newestWaitlistEntries = (
  db: Queries,
  venue: VenueId,
  { limit, since }: ListWindow,
): Promise<WaitlistRow[]> =>
  db.many(sql(waitlistRow)`
    select ${columnsOf(waitlistRow)} from waitlist_entry
     where venue_id = ${venue} and created_at >= ${since ?? '-infinity'}
     order by created_at desc, id desc
     limit ${limit}`)
