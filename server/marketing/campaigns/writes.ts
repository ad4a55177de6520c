import type { BodyFormat } from '@venue-data/contract/records/campaign.ts'
import type { Segment } from '@venue-data/contract/records/segment.ts'
import type { Queries } from '../../platform/db/pool.ts'
import { columnsOf, sql } from '../../platform/db/sql.ts'
import { noted } from '../../core/events/note-change.ts'
import type { VenueId } from '../../core/venue/venue.ts'
import { type CampaignRow, campaignRecord, campaignRow } from './reads.ts'
import { campaignMoves } from './states.ts'

/** A campaign's content, cleaned, and who it goes to. */
export type CampaignText = {
  readonly name: string
  readonly subject: string
  readonly preheader: string
  readonly bodyHtml: string
  readonly bodyText: string
  readonly bodyFormat: BodyFormat
  readonly segment: Segment
}

export const insertCampaign = (
  db: Queries,
  venue: VenueId,
  text: CampaignText,
  createdBy: number | null,
  now: Temporal.Instant,
): Promise<CampaignRow> =>
  noted(
    db,
    venue,
    'campaign',
    now,
    db.one(sql(campaignRow)`
    insert into campaign (venue_id, ${campaignRecord.names}, segment, created_by, created_at, updated_at)
    values (
      ${venue}, ${campaignRecord.values(campaignRecord.columns(text))}, ${JSON.stringify(text.segment)}, ${createdBy},
      ${now}, ${now})
    returning ${columnsOf(campaignRow)}`),
  )

/** A test of exactly this content reached the venue. Undefined if the content has changed in the meantime. */
export const writeTested = (
  db: Queries,
  venue: VenueId,
  { id, subject, preheader, body_html, body_text, body_format }: CampaignRow,
  now: Temporal.Instant,
): Promise<CampaignRow | undefined> =>
  noted(
    db,
    venue,
    'campaign',
    now,
    db.maybe(sql(campaignRow)`
    update campaign set test_sent_at = ${now}, revision = revision + 1, updated_at = ${now}
     where venue_id = ${venue} and id = ${id} and subject = ${subject} and preheader = ${preheader}
       and body_html = ${body_html} and body_text = ${body_text} and body_format = ${body_format}
    returning ${columnsOf(campaignRow)}`),
  )

/** Schedules a campaign the caller has locked and checked. */
export const writeScheduled = (
  db: Queries,
  venue: VenueId,
  id: number,
  { scheduledAt, holdUntil }: { scheduledAt: Temporal.Instant; holdUntil: Temporal.Instant | null },
  now: Temporal.Instant,
): Promise<CampaignRow> =>
  noted(
    db,
    venue,
    'campaign',
    now,
    db.one(sql(campaignRow)`
    update campaign set
      status = 'scheduled', scheduled_at = ${scheduledAt}, send_hold_until = ${holdUntil}, finished_at = null,
      last_error = '', updated_at = ${now}, version = version + 1, revision = revision + 1
     where venue_id = ${venue} and id = ${id} and status = any(${[...campaignMoves.send.from, ...campaignMoves.sendAgain.from]})
    returning ${columnsOf(campaignRow)}`),
  )

/** Requeues copies that failed for a temporary reason; returns how many. Their campaign is locked. */
export const retryCopies = async (
  db: Queries,
  venue: VenueId,
  id: number,
  now: Temporal.Instant,
): Promise<number> =>
  (
    await db.one(sql({ retried: 'int8' })`
      with again as (
        update recipient r set
          state = 'waiting', why = null, due_at = ${now}, tries = 0, first_tried_at = null, ended_at = null
         where r.venue_id = ${venue} and r.campaign_id = ${id} and r.state = 'failed' and r.why = 'used-up'
        returning r.subscriber_id),
      tally as (
        update campaign set failed_count = failed_count - (select count(*) from again)
         where venue_id = ${venue} and id = ${id}
        returning id)
      select count(*) as retried from again cross join tally`)
  ).retried

/**
 * Stops a campaign the caller has locked: copies not yet handed over are skipped, and the tallies updated. Nothing is
 * scheduled any longer, and the last error is cleared.
 */
export const writeCancelled = (
  db: Queries,
  venue: VenueId,
  id: number,
  now: Temporal.Instant,
): Promise<CampaignRow> =>
  noted(
    db,
    venue,
    'campaign',
    now,
    db.one(sql(campaignRow)`
    with stopped as (
      update recipient r set
        state = 'skipped', why = 'cancelled', claim = null, lease_until = null, ended_at = ${now}
       where r.venue_id = ${venue} and r.campaign_id = ${id} and r.state in ('waiting', 'claimed')
      returning r.subscriber_id)
    update campaign set
      status = 'cancelled', finished_at = ${now}, send_hold_until = null, last_error = '', updated_at = ${now}, version = version + 1, revision = revision + 1,
      skipped_count = skipped_count + (select count(*) from stopped)
     where venue_id = ${venue} and id = ${id} and status = any(${campaignMoves.cancel.from})
    returning ${columnsOf(campaignRow)}`),
  )
