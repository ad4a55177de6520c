import type { Queries } from '../../platform/db/pool.ts'
import { sql } from '../../platform/db/sql.ts'
import type { LocalDate } from '../../platform/kernel/time/written-time.ts'
import type { VenueId } from '../../core/venue/venue.ts'
import { tableMode } from './floor/mode-reads.ts'

/** Marks each date that somebody waits for, on the list or in the book without a table: the venue changed what it takes. */
export const markAllFreed = async (db: Queries, venue: VenueId): Promise<void> => {
  const waitedFor = await db.many(sql({ service_date: 'date' })`
    select distinct service_date from waitlist_entry
     where venue_id = ${venue} and for_later and status = 'waiting' and service_date is not null`)
  const without = (await tableMode(db, venue)) === 'on' ? await datesWithoutTable(db, venue) : []
  const dates = [...new Set([...waitedFor.map(({ service_date }) => service_date), ...without])]
  await db.run(sql()`
    insert into freed_place (venue_id, service_date)
    select ${venue}, service_date from unnest(${dates}::date[]) as service_date`)
}

/** The dates of the last bookings that are booked and hold no table. Those that are over cost the job a look. */
const datesWithoutTable = async (db: Queries, venue: VenueId): Promise<LocalDate[]> => {
  const rows = await db.many(sql({ service_date: 'date' })`
    select distinct r.service_date from reservation r
     where r.venue_id = ${venue} and r.status = 'Confirmed' and r.service_date is not null
       and not exists (select from reservation_table t where t.venue_id = ${venue} and t.reservation_id = r.id)
     order by r.service_date desc limit ${mostDates}`)
  return rows.map(({ service_date }) => service_date)
}

/** More than anybody plans ahead. */
const mostDates = 400
