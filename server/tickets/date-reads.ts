import { limits } from '@venue-data/contract/limits.ts'
import type { Queries } from '../platform/db/pool.ts'
import { columnsOf, sql } from '../platform/db/sql.ts'
import type { LocalDate } from '../platform/kernel/time/written-time.ts'
import type { VenueId } from '../core/venue/venue.ts'
import { type SoldOccurrence, occurrenceRow, seatsTaken, withSold } from './event-reads.ts'

const namedRow = { ...occurrenceRow, event_name: 'text' } as const

/** One date of an event with its seats taken, for display; nothing is locked. */
export const dateById = async (
  db: Queries,
  venue: VenueId,
  occurrence: number,
  now: Temporal.Instant,
): Promise<SoldOccurrence | undefined> => {
  const row = await db.maybe(sql(namedRow)`
    select ${columnsOf(occurrenceRow, 'o')}, e.name as event_name
      from occurrence o join ticketed_event e on e.venue_id = o.venue_id and e.id = o.event_id
     where o.venue_id = ${venue} and o.id = ${occurrence}`)
  return row && { ...row, taken: await seatsTaken(db, venue, occurrence, now) }
}

/** The dates of all events from a day on, up to another one where that is asked, earliest first. */
export const datesBetween = async (
  db: Queries,
  venue: VenueId,
  from: LocalDate,
  to: LocalDate | undefined,
  now: Temporal.Instant,
): Promise<SoldOccurrence[]> =>
  withSold(
    db,
    venue,
    await db.many(sql(namedRow)`
    select ${columnsOf(occurrenceRow, 'o')}, e.name as event_name
      from occurrence o join ticketed_event e on e.venue_id = o.venue_id and e.id = o.event_id
     where o.venue_id = ${venue} and o.date >= ${from} and o.date <= ${to ?? 'infinity'}
     order by o.date, o.start_time, o.id limit ${limits.occurrencesMost}`),
    now,
  )
