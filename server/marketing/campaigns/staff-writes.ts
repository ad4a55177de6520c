import type { Queries } from '../../platform/db/pool.ts'
import { columnsOf, sql } from '../../platform/db/sql.ts'
import { noted } from '../../core/events/note-change.ts'
import type { VenueId } from '../../core/venue/venue.ts'
import { type CampaignRow, campaignRecord, campaignRow } from './reads.ts'
import type { CampaignText } from './writes.ts'

/** Everything staff write to a draft. */
export type DraftText = CampaignText & {
  readonly eventId: number | null
  readonly seriesKey: string
  readonly seriesStep: number | null
  readonly seriesTotal: number | null
}

export type DraftWrite = DraftText & {
  /** A test of different text unlocks nothing. */
  readonly keepsTest: boolean
  /** A list of other people does not count. */
  readonly keepsList: boolean
}

/** Writes a draft the caller has locked. */
export const writeDraft = (
  db: Queries,
  venue: VenueId,
  id: number,
  draft: DraftWrite,
  now: Temporal.Instant,
): Promise<CampaignRow> =>
  noted(
    db,
    venue,
    'campaign',
    now,
    db.one(sql(campaignRow)`
    update campaign set
      ${campaignRecord.set(campaignRecord.columns(draft))},
      segment = ${JSON.stringify(draft.segment)}, event_id = ${draft.eventId},
      series_key = ${draft.seriesKey}, series_step = ${draft.seriesStep}, series_total = ${draft.seriesTotal},
      test_sent_at = case when ${draft.keepsTest}::boolean then test_sent_at end,
      composed_at = case when ${draft.keepsList}::boolean then composed_at end,
      version = version + 1, revision = revision + 1, updated_at = ${now}
     where venue_id = ${venue} and id = ${id} and status = 'draft'
    returning ${columnsOf(campaignRow)}`),
  )
