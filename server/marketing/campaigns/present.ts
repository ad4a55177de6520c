import type { Campaign, Cancelled } from '@venue-data/contract/records/campaign.ts'
import type { Venue } from '../../core/venue/venue.ts'
import { type CampaignRow, pendingOf, recipientsOf } from './reads.ts'
import { errorSentence } from './reasons-to-wait.ts'

export const presentCampaign = ({ slug }: Pick<Venue, 'slug'>, row: CampaignRow): Campaign => ({
  id: row.id,
  restaurantId: slug,
  name: row.name,
  subject: row.subject,
  preheader: row.preheader,
  bodyHtml: row.body_html,
  bodyText: row.body_text,
  bodyFormat: row.body_format,
  segment: row.segment as Campaign['segment'],
  status: row.status,
  scheduledAt: row.scheduled_at,
  startedAt: row.started_at,
  finishedAt: row.finished_at,
  testSentAt: row.test_sent_at,
  createdBy: null,
  recipientsTotal: recipientsOf(row),
  sentCount: row.sent_count,
  failedCount: row.failed_count,
  lastError: errorSentence(row),
  sendHoldUntil: row.send_hold_until,
  eventId: row.event_id,
  seriesKey: row.series_key,
  seriesStep: row.series_step,
  seriesTotal: row.series_total,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  revision: row.revision,
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
