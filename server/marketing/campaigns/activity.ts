import type { Actor } from '../../core/activity/actor.ts'
import { recordActivity } from '../../core/activity/record.ts'
import type { Work } from '../../context.ts'
import type { CampaignRow } from './reads.ts'

/**
 * Records who changed a campaign, in the private activity log. For bodies only their length: they may be a megabyte.
 */
export const recordCampaign = (
  work: Work,
  actor: Actor,
  action: string,
  before: CampaignRow | null,
  after: CampaignRow | null,
  at: Temporal.Instant,
): Promise<void> =>
  recordActivity(
    work,
    actor,
    {
      action,
      record: { kind: 'campaign', id: (after ?? before)?.id ?? 0 },
      before: before && traced(before),
      after: after && traced(after),
    },
    at,
  )

const traced = (row: CampaignRow) => ({
  name: row.name,
  subject: row.subject,
  preheader: row.preheader,
  body_characters: row.body_html.length,
  text_characters: row.body_text.length,
  body_format: row.body_format,
  segment: row.segment,
  event_id: row.event_id,
  series_key: row.series_key,
  series_step: row.series_step,
  series_total: row.series_total,
  status: row.status,
  scheduled_at: row.scheduled_at,
  recipients: row.row_count - row.held_count,
})
