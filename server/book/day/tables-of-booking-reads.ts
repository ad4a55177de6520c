import type { Queries } from '../../platform/db/pool.ts'
import { sql } from '../../platform/db/sql.ts'
import type { VenueId } from '../../core/venue/venue.ts'
import { type Held, keptWithout } from '../../core/activity/table-change.ts'
import { joinedLabels } from '../rules/floor/written-floor.ts'

/** The tables a booking holds and whether staff chose them, or whether staff want it without one. */
export const tablesHeld = async (db: Queries, venue: VenueId, reservation: number): Promise<Held> => {
  const rows = await db.many(sql({ table_id: 'int8?', pinned: 'bool?', no_table: 'bool?' })`
    select t.table_id, t.pinned, h.no_table
      from reservation r
      left join reservation_table t on t.venue_id = r.venue_id and t.reservation_id = r.id
      left join reservation_house h on h.venue_id = r.venue_id and h.id = r.id
     where r.venue_id = ${venue} and r.id = ${reservation}
     order by t.table_id`)
  const tables = rows.flatMap(({ table_id }) => table_id ?? [])
  return tables.length === 0 && rows.some(({ no_table }) => no_table)
    ? keptWithout
    : { tables, pinned: rows.some(({ pinned }) => pinned) }
}

/** The labels of a booking's tables, "26" or "31+32"; empty where it holds none, or tables decide nothing. */
export const labelsHeld = async (db: Queries, venue: VenueId, reservation: number): Promise<string> => {
  const rows = await db.many(sql({ label: 'text' })`
    select d.label from reservation_table t
      join dining_table d on d.venue_id = t.venue_id and d.id = t.table_id
      join booking_settings s on s.venue_id = t.venue_id
     where t.venue_id = ${venue} and t.reservation_id = ${reservation} and s.table_mode = 'on'`)
  return joinedLabels(rows.map(({ label }) => label))
}

/** Whether a paged party may read that its table is held: where tables decide nothing, nobody knows of one. */
export const isHeldForPaged = async (
  db: Queries,
  venue: VenueId,
  entry: number,
  now: Temporal.Instant,
): Promise<boolean> => (await labelsPaged(db, venue, now))?.has(entry) ?? false

/** The tables that paged parties at the door hold now, by party on the waitlist; undefined where tables decide nothing. */
export const labelsPaged = async (
  db: Queries,
  venue: VenueId,
  now: Temporal.Instant,
): Promise<ReadonlyMap<number, string> | undefined> => {
  const rows = await db.many(sql({ entry: 'int8?', labels: 'text[]?' })`
    select h.waitlist_entry_id as entry, array_agg(d.label) as labels
      from booking_settings s
      left join table_hold h on h.venue_id = s.venue_id and h.expires_at > ${now}
      left join dining_table d on d.venue_id = h.venue_id and d.id = h.table_id
     where s.venue_id = ${venue} and s.table_mode = 'on'
     group by h.waitlist_entry_id`)
  if (rows.length === 0) return undefined
  return new Map(
    rows.flatMap(({ entry, labels }): [number, string][] =>
      entry === null ? [] : [[entry, joinedLabels(labels ?? [])]],
    ),
  )
}
