import type { Queries } from '../../platform/db/pool.ts'
import { columnsOf, part } from '../../platform/db/sql.ts'
import type { ListAsked } from '../../platform/http/lists/list-asked.ts'
import { type ListSource, judged } from '../../platform/http/lists/list-page.ts'
import type { VenueId } from '../../core/venue/venue.ts'
import { campaignRow } from './reads.ts'

/** What the list of the API is read from. */
export const listedCampaigns = (
  _db: Queries,
  venue: VenueId,
  { filters: { status } }: ListAsked,
): ListSource<typeof campaignRow> => ({
  venue,
  kind: 'campaign',
  row: campaignRow,
  records: part`select ${columnsOf(campaignRow)} from campaign where venue_id = ${venue}`,
  where: [status && judged(part`status = any(${status})`)],
})
