import type { Campaign, Cancelled } from '@venue-data/contract/records/campaign.ts'
import type { Venue } from '../../core/venue/venue.ts'
import { type CampaignRow, campaignRecord, pendingOf, recipientsOf } from './reads.ts'
import { errorSentence } from './reasons-to-wait.ts'

export const presentCampaign = ({ slug }: Pick<Venue, 'slug'>, row: CampaignRow): Campaign =>
  campaignRecord.present({
    ...row,
    restaurant_id: slug,
    segment: row.segment as Campaign['segment'],
    created_by: null,
    recipients_total: recipientsOf(row),
    last_error: errorSentence(row),
  })

/** The tally of a list: total = pending + sent + failed + skipped + heldBack. */
export const countsOf = (row: CampaignRow): Cancelled['counts'] => ({
  total: row.row_count,
  pending: pendingOf(row),
  sent: row.sent_count,
  failed: row.failed_count,
  skipped: row.skipped_count,
  heldBack: row.held_count,
})
