import type { Queries } from '../db/pool.ts'
import { sql } from '../db/sql.ts'
import type { LocalDate } from '../kernel/written-time.ts'
import type { VenueId } from '../venue/venue.ts'

/*
 * Marks that places may have come free, written in the transaction that frees them. A job takes them away and offers what
 * there is to those who wait for it (waitlist/offers.ts). A mark too many costs a look; one too few, somebody's table.
 */

/** Marks a service date; one without a date frees nothing. */
export const markFreed = async (
  db: Queries,
  venue: VenueId,
  serviceDate: LocalDate | null,
): Promise<void> => {
  if (serviceDate === null) return
  await db.run(sql()`insert into freed_place (venue_id, service_date) values (${venue}, ${serviceDate})`)
}

/** Marks each date that somebody waits for: the venue changed what it takes. */
export const markAllFreed = async (db: Queries, venue: VenueId): Promise<void> => {
  const waitedFor = await db.many(sql({ service_date: 'date' })`
    select distinct service_date from waitlist_entry
     where venue_id = ${venue} and for_later and status = 'waiting' and service_date is not null`)
  const dates = waitedFor.map(({ service_date }) => service_date)
  await db.run(sql()`
    insert into freed_place (venue_id, service_date)
    select ${venue}, service_date from unnest(${dates}::date[]) as service_date`)
}

/** Takes away marks that were seen. By their ids: one with a lower id may be written by a transaction still under way. */
export const forgetFreed = (db: Queries, venue: VenueId, marks: readonly string[]): Promise<number> =>
  db.run(sql()`delete from freed_place where venue_id = ${venue} and id = any(${[...marks]}::bigint[])`)
