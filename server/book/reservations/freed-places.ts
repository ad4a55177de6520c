import type { Queries } from '../../platform/db/pool.ts'
import { type Fragment, fragment, part, sql } from '../../platform/db/sql.ts'
import type { LocalDate } from '../../platform/kernel/time/written-time.ts'
import { tableMode } from '../tables/mode-reads.ts'
import type { VenueId } from '../../core/venue/venue.ts'
import type { Own } from './own.ts'

/*
 * Marks that places may have come free, written in the transaction that frees them. A job takes them away, gives tables to
 * who has none, and offers what is left to those who wait for it (waitlist/freed-job.ts). A mark too many costs a look; one
 * too few, somebody's table.
 *
 * What a press of staff freed is kept from machines for as long as its Undo is on screen: the mark says what that is, every
 * look of a machine counts it as taken until then, and people have it at once.
 */

/** What a press freed, and until when machines leave it alone. */
export type KeptForUndo = {
  readonly until: Temporal.Instant
  readonly tables: readonly number[]
  readonly startsAt: Temporal.Instant
  /** Without the gap after them. */
  readonly endsAt: Temporal.Instant
  readonly serviceMinute: number | null
  /** Guests that no longer count in that minute. */
  readonly covers: number
}

/** Marks a service date; one without a date frees nothing. `kept`: by a press that can be undone; absent: for all at once. */
export const markFreed = async (
  db: Queries,
  venue: VenueId,
  serviceDate: LocalDate | null,
  kept?: KeptForUndo,
): Promise<void> => {
  if (serviceDate === null) return
  await db.run(
    kept
      ? sql()`
    insert into freed_place (venue_id, service_date, from_moment, tables, starts_at, ends_at, service_minute, covers)
    values (${venue}, ${serviceDate}, ${kept.until}, ${[...kept.tables]}::bigint[], ${kept.startsAt}, ${kept.endsAt},
            ${kept.serviceMinute}, ${kept.covers})`
      : sql()`insert into freed_place (venue_id, service_date) values (${venue}, ${serviceDate})`,
  )
}

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

/** Takes away marks that were seen. By their ids: one with a lower id may be written by a transaction still under way. */
export const forgetFreed = (db: Queries, venue: VenueId, marks: readonly string[]): Promise<number> =>
  db.run(sql()`delete from freed_place where venue_id = ${venue} and id = any(${[...marks]}::bigint[])`)

/** Of what is kept for an undo at `now`: a part of a union that counts it, for a machine that asks; nothing for people. */
export const keptForUndo = (own: Own | undefined, rows: Fragment): Fragment =>
  own?.isMachine ? part`union all ${rows}` : nothing

const nothing = fragment('')
