import type { Queries } from '../../platform/db/pool.ts'
import { type Fragment, fragment, part, sql } from '../../platform/db/sql.ts'
import type { LocalDate } from '../../platform/kernel/time/written-time.ts'
import type { VenueId } from '../../core/venue/venue.ts'
import type { Own } from './own-place.ts'

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

/** Takes away marks that were seen. By their ids: one with a lower id may be written by a transaction still under way. */
export const forgetFreed = (db: Queries, venue: VenueId, marks: readonly string[]): Promise<number> =>
  db.run(sql()`delete from freed_place where venue_id = ${venue} and id = any(${[...marks]}::bigint[])`)

/** Of what is kept for an undo at `now`: a part of a union that counts it, for a machine that asks; nothing for people. */
export const keptForUndo = (own: Own | undefined, rows: Fragment): Fragment =>
  own?.isMachine ? part`union all ${rows}` : nothing

const nothing = fragment('')
