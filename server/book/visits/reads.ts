import { type RecordState, statesIn } from '../../core/events/record-states.ts'
import type { VenueId } from '../../core/venue/venue.ts'
import type { Queries } from '../../platform/db/pool.ts'
import { fragment, quickRead, sql } from '../../platform/db/sql.ts'
import { type VisitRow, visitColumns, visitRow, visitTables } from './visit.ts'

export const visitById = (db: Queries, venue: VenueId, id: number): Promise<VisitRow | undefined> =>
  db.maybe(
    quickRead(sql(visitRow)`
    select ${visitColumns(venue)} from ${visitTables(venue)} where r.venue_id = ${venue} and r.id = ${id}`),
  )

export const visitsByIds = (db: Queries, venue: VenueId, ids: readonly number[]): Promise<VisitRow[]> =>
  db.many(sql(visitRow)`
    select ${visitColumns(venue)} from ${visitTables(venue)} where r.venue_id = ${venue} and r.id = any(${ids}::bigint[])`)

const reservations = statesIn(fragment('reservation'))

/** Every reservation is a visit that was never noted: its first revision. */
export const visitStates = async (
  db: Queries,
  venue: VenueId,
  after: number,
  most: number,
): Promise<RecordState[]> =>
  (await reservations(db, venue, after, most)).map((state) => ({ ...state, revision: 1 }))
