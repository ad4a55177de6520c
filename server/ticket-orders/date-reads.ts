import type { Queries } from '../db/pool.ts'
import { columnsOf, sql } from '../db/sql.ts'
import type { VenueId } from '../venue/venue.ts'
import { type SoldOccurrence, occurrenceRow, seatsTaken } from './event-reads.ts'

const namedRow = { ...occurrenceRow, event_name: 'text' } as const

/** One date of an event with its seats taken, for display; nothing is locked. */
export const dateById = async (
  db: Queries,
  venue: VenueId,
  occurrence: number,
): Promise<SoldOccurrence | undefined> => {
  const row = await db.maybe(sql(namedRow)`
    select ${columnsOf(occurrenceRow, 'o')}, e.name as event_name
      from occurrence o join ticketed_event e on e.venue_id = o.venue_id and e.id = o.event_id
     where o.venue_id = ${venue} and o.id = ${occurrence}`)
  return row && { ...row, taken: await seatsTaken(db, venue, occurrence) }
}
