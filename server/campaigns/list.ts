import type { Queries } from '../db/pool.ts'
import { columnsOf, part } from '../db/sql.ts'
import type { ListAsked } from '../http/list-asked.ts'
import { type ListSource, judged } from '../http/list-page.ts'
import type { VenueId } from '../venue/venue.ts'
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
