import { Campaign } from '@venue-data/contract/records/campaign.ts'
import type { Queries } from '../../platform/db/pool.ts'
import { recordOf } from '../../platform/db/record-of.ts'
import { type RowOf, columnsOf, fragment, sql } from '../../platform/db/sql.ts'
import { statesIn } from '../../core/events/record-states.ts'
import type { VenueId } from '../../core/venue/venue.ts'

export const campaignRow = {
  id: 'int8',
  name: 'text',
  subject: 'text',
  preheader: 'text',
  body_html: 'text',
  body_text: 'text',
  body_format: 'text',
  segment: 'jsonb',
  /** What the list was built with (`listSegmentOf`). */
  list_segment: 'jsonb?',
  status: 'text',
  event_id: 'int8?',
  series_key: 'text',
  series_step: 'int4?',
  series_total: 'int4?',
  scheduled_at: 'timestamptz?',
  send_hold_until: 'timestamptz?',
  test_sent_at: 'timestamptz?',
  composed_at: 'timestamptz?',
  reliable: 'bool',
  holdout_pct: 'int4',
  started_at: 'timestamptz?',
  finished_at: 'timestamptz?',
  last_error: 'text',
  row_count: 'int4',
  held_count: 'int4',
  sent_count: 'int4',
  failed_count: 'int4',
  skipped_count: 'int4',
  nameless_count: 'int4',
  version: 'int4',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
  revision: 'int4',
} as const
export type CampaignRow = RowOf<typeof campaignRow>

export const campaignRecord = recordOf(Campaign, campaignRow, {
  written: ['name', 'subject', 'preheader', 'body_html', 'body_text', 'body_format'],
})

export const campaignsByIds = (db: Queries, venue: VenueId, ids: readonly number[]): Promise<CampaignRow[]> =>
  db.many(sql(campaignRow)`
    select ${columnsOf(campaignRow)} from campaign where venue_id = ${venue} and id = any(${ids}::bigint[])`)

export const campaignStates = statesIn(fragment('campaign'))

export const campaign = (db: Queries, venue: VenueId, id: number): Promise<CampaignRow | undefined> =>
  db.maybe(sql(campaignRow)`
    select ${columnsOf(campaignRow)} from campaign where venue_id = ${venue} and id = ${id}`)

/** The campaign, locked: taken before anything on its list, so that no two transactions deadlock. */
export const campaignForUpdate = (
  db: Queries,
  venue: VenueId,
  id: number,
): Promise<CampaignRow | undefined> =>
  db.maybe(sql(campaignRow)`
    select ${columnsOf(campaignRow)} from campaign where venue_id = ${venue} and id = ${id} for update`)

/** People who will be or were mailed: the list without those held back. */
export const recipientsOf = ({ row_count, held_count }: CampaignRow): number => row_count - held_count

/** Copies still to go, including those on their way to the relay. */
export const pendingOf = ({
  row_count,
  held_count,
  sent_count,
  failed_count,
  skipped_count,
}: CampaignRow): number => row_count - held_count - sent_count - failed_count - skipped_count

/** Copies that failed for a temporary reason and may be sent again. */
export const retryableCopies = async (db: Queries, venue: VenueId, id: number): Promise<number> =>
  (
    await db.one(sql({ n: 'int8' })`
      select count(*) as n from recipient
       where venue_id = ${venue} and campaign_id = ${id} and state = 'failed' and why = 'used-up'`)
  ).n

/** Whether a copy is on the wire: handed over, its outcome not known yet. */
export const isOnTheWire = async (db: Queries, venue: VenueId, id: number): Promise<boolean> =>
  (await db.maybe(sql({ subscriber_id: 'int8' })`
    select subscriber_id from recipient
     where venue_id = ${venue} and campaign_id = ${id} and state = 'wire' limit 1`)) !== undefined
