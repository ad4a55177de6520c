import type { Queries } from '../../platform/db/pool.ts'
import { sql } from '../../platform/db/sql.ts'
import type { LocalDate } from '../../platform/kernel/time/written-time.ts'
import type { VenueId } from '../../core/venue/venue.ts'
import type { TableMode } from '../rules/floor/floor.ts'

/** Turns tables on or off, and says which service dates' bookings are to be given theirs. */
export const writeMode = (
  db: Queries,
  venue: VenueId,
  mode: TableMode,
  days: { readonly next: LocalDate; readonly last: LocalDate } | undefined,
): Promise<number> =>
  db.run(sql()`
    insert into booking_settings (venue_id, table_mode, tables_next_day, tables_last_day)
    values (${venue}, ${mode}, ${days?.next ?? null}, ${days?.last ?? null})
    on conflict (venue_id) do update set
      table_mode = excluded.table_mode, tables_next_day = excluded.tables_next_day,
      tables_last_day = excluded.tables_last_day`)

/** Notes that a service date is done; null when it was the last. */
export const writeNextDay = (
  db: Queries,
  venue: VenueId,
  done: LocalDate,
  next: LocalDate | null,
): Promise<number> =>
  db.run(sql()`
    update booking_settings set tables_next_day = ${next}
     where venue_id = ${venue} and tables_next_day = ${done}`)
