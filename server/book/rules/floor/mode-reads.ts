import type { Queries } from '../../../platform/db/pool.ts'
import { sql } from '../../../platform/db/sql.ts'
import type { LocalDate } from '../../../platform/kernel/time/written-time.ts'
import type { VenueId } from '../../../core/venue/venue.ts'
import type { TableMode } from './floor.ts'

/** Whether tables decide about bookings; off until a manager turns them on. */
export const tableMode = async (db: Queries, venue: VenueId): Promise<TableMode> => {
  const row = await db.maybe(sql({ table_mode: 'text' })`
    select table_mode from booking_settings where venue_id = ${venue}`)
  return row?.table_mode === 'on' ? 'on' : 'off'
}

/** The service dates whose bookings are still to be given tables; undefined when that is done. */
export const daysToGive = async (
  db: Queries,
  venue: VenueId,
): Promise<{ readonly next: LocalDate; readonly last: LocalDate } | undefined> => {
  const row = await db.maybe(sql({ tables_next_day: 'date?', tables_last_day: 'date?' })`
    select tables_next_day, tables_last_day from booking_settings where venue_id = ${venue} and table_mode = 'on'`)
  const { tables_next_day: next, tables_last_day: last } = row ?? {}
  return next && last && next <= last ? { next, last } : undefined
}

/** The venues that wait for tables to be given. */
export const venuesToGiveTables = async (db: Queries): Promise<Set<number>> => {
  const rows = await db.many(sql({ venue_id: 'int8' })`
    select venue_id from booking_settings where tables_next_day is not null and table_mode = 'on'`)
  return new Set(rows.map(({ venue_id }) => venue_id))
}

/** The last service date that has a booking to come. */
export const lastDayBooked = async (
  db: Queries,
  venue: VenueId,
  from: LocalDate,
): Promise<LocalDate | null> => {
  const row = await db.one(sql({ last: 'date?' })`
    select max(service_date) as last from reservation
     where venue_id = ${venue} and service_date >= ${from} and status in ('Requested', 'Confirmed')`)
  return row.last
}
