import type { EventName } from '@venue-data/contract/webhooks/events.ts'
import type { Database, VenueQueries } from '../../../platform/db/pool.ts'
import { columnsOf, sql } from '../../../platform/db/sql.ts'
import { noted } from '../../../core/events/note-change.ts'
import { recordEvent } from '../../../core/events/record.ts'
import type { VenueId } from '../../../core/venue/venue.ts'
import { venueOfId } from '../../../core/venue/venues.ts'
import { presentCampaign } from '../present.ts'
import { campaign } from '../reads.ts'

/** What a statement returns of the campaign it changed. */
export const changedRow = { id: 'int8', revision: 'int4' } as const
type Changed = { readonly id: number; readonly revision: number }

/** Changes a campaign by one statement, notes the change and records its event; false when the statement found none to change. */
export const changeCampaign = (
  db: Database,
  venue: VenueId,
  now: Temporal.Instant,
  change: (queries: VenueQueries) => Promise<Changed | undefined>,
  names: readonly CampaignEvent[] = [],
): Promise<boolean> =>
  db.transaction(async (connection) => {
    const queries = connection.within(venue)
    const changed = await noted(queries, venue, 'campaign', now, change(queries))
    if (changed && names.length > 0) await recordCampaignEvents(queries, venue, changed.id, names, now)
    return changed !== undefined
  })

type CampaignEvent = Extract<EventName, `campaign.${string}`>

/** Records an event with the campaign as it is now. */
export const recordCampaignEvents = async (
  queries: VenueQueries,
  venue: VenueId,
  id: number,
  names: readonly CampaignEvent[],
  now: Temporal.Instant,
): Promise<void> => {
  const [owner, row] = [await venueOfId(queries, venue), await campaign(queries, venue, id)]
  if (owner && row) {
    await recordEvent({ db: queries, venue: owner }, names, presentCampaign(owner, row), now)
  }
}

/**
 * Notes that counters of a campaign have moved since a moment. Not done with each batch: anyone keeping a copy would read
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
