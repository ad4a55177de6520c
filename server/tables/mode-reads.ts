import type { Queries } from '../db/pool.ts'
import { sql } from '../db/sql.ts'
import type { VenueId } from '../venue/venue.ts'
import type { TableMode } from './floor.ts'

/** Whether tables decide about bookings; off until a manager turns them on. */
export const tableMode = async (db: Queries, venue: VenueId): Promise<TableMode> => {
  const row = await db.maybe(sql({ table_mode: 'text' })`
    select table_mode from booking_settings where venue_id = ${venue}`)
  return row?.table_mode === 'on' ? 'on' : 'off'
}
