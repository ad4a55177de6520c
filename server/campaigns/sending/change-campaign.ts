import type { Database, VenueQueries } from '../../db/pool.ts'
import { columnsOf, sql } from '../../db/sql.ts'
import { noted } from '../../events/note-change.ts'
import type { VenueId } from '../../venue/venue.ts'

/** What a statement returns of the campaign it changed. */
export const changedRow = { id: 'int8', revision: 'int4' } as const
type Changed = { readonly id: number; readonly revision: number }

/** Changes a campaign by one statement, and notes it; false when the statement found none to change. */
export const changeCampaign = (
  db: Database,
  venue: VenueId,
  now: Temporal.Instant,
  change: (queries: VenueQueries) => Promise<Changed | undefined>,
): Promise<boolean> =>
  db.transaction(async (connection) => {
    const queries = connection.within(venue)
    return (await noted(queries, venue, 'campaign', now, change(queries))) !== undefined
  })

/**
 * Notes that counters of a campaign have moved since a moment. Not done with each batch: whoever keeps a copy would read
 * the campaign again for every twenty mails.
 */
export const noteCounters = (
  db: Database,
  venue: VenueId,
  campaign: number,
  since: Temporal.Instant,
  now: Temporal.Instant,
): Promise<boolean> =>
  changeCampaign(db, venue, now, (queries) =>
    queries.maybe(sql(changedRow)`
      update campaign set revision = revision + 1
       where venue_id = ${venue} and id = ${campaign} and status = 'sending' and updated_at >= ${since}
      returning ${columnsOf(changedRow)}`),
  )
