import type { Visit } from '@venue-data/contract/records/visit.ts'
import { type Fragment, type RowOf, part } from '../../platform/db/sql.ts'
import type { VenueId } from '../../core/venue/venue.ts'
import { stayMinutes } from '../tables/stays.ts'

/*
 * A visit is what a reservation leaves open: whose it is, and at which tables. It has no row of its own; its revision, and
 * when it last changed, are in its note in the feed of changes.
 */

export const visitRow = {
  id: 'int8',
  guest_id: 'int8?',
  waitlist_entry_id: 'int8?',
  party_size: 'int4?',
  date: 'date?',
  time: 'time?',
  duration_minutes: 'int4?',
  status: 'text',
  table_ids: 'int8[]',
  seated_at: 'timestamptz?',
  completed_at: 'timestamptz?',
  revision: 'int4',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
} as const
export type VisitRow = RowOf<typeof visitRow>

/** The columns of `visitRow`, of `reservation r` and its note `c`. */
export const visitColumns = (venue: VenueId): Fragment => part`
  r.id, case when r.erased_at is null then r.guest_id end as guest_id,
  (select min(e.id) from waitlist_entry e where e.venue_id = ${venue} and e.reservation_id = r.id) as waitlist_entry_id,
  r.party_size, r.date, r.time, r.duration_minutes, r.status,
  array(select t.table_id from reservation_table t
         where t.venue_id = ${venue} and t.reservation_id = r.id order by t.table_id) as table_ids,
  r.seated_at, r.completed_at, coalesce(c.revision, 1) as revision, r.created_at,
  coalesce(c.changed_at, r.updated_at) as updated_at`

/** `reservation r` with its note `c`, which it always has. As a left join it is not made where visits are only counted. */
export const visitTables = (venue: VenueId): Fragment => part`
  reservation r
  left join record_change c on c.venue_id = ${venue} and c.kind = 'visit' and c.record_id = r.id`

export const presentVisit = (row: VisitRow): Visit => ({
  id: row.id,
  guestId: row.guest_id,
  waitlistEntryId: row.waitlist_entry_id,
  partySize: row.party_size,
  date: row.date,
  time: row.time,
  durationMinutes: row.duration_minutes,
  status: row.status,
  tableIds: row.table_ids,
  seatedAt: row.seated_at,
  leftAt: row.completed_at,
  stayMinutes: stayMinutes({
    seatedAt: row.seated_at,
    leftAt: row.completed_at,
    durationMinutes: row.duration_minutes,
  }),
  revision: row.revision,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})
