import type { Segment } from '@venue-data/contract/segment.ts'
import type { Queries } from '../db/pool.ts'
import { type RowOf, columnsOf, sql } from '../db/sql.ts'
import type { VenueId } from '../venue/venue.ts'
import { type Judging, classCounts, countsOfClasses, judging } from './judge-people.ts'
import { campaignRow } from './reads.ts'

/** What a list was made of. The classes are in the order of the counters; each person is in the first that fits. */
const composedRow = {
  ...campaignRow,
  ...classCounts,
  /** Of the mailable: on the list before, in the control group, and not on a list that was confirmed. */
  present: 'int8',
  held: 'int8',
  newcomers: 'int8',
  /** On a confirmed list, of the mailable: skipped before, and not put back. */
  skipped_before: 'int8',
  added: 'int8',
  removed: 'int8',
  in_flight: 'int8',
} as const
export type ComposedRow = RowOf<typeof composedRow>

export type Building = {
  readonly campaign: number
  /** A draft is built anew; a list whose count was confirmed only shrinks. */
  readonly isDraft: boolean
  /** Kept with a draft's list: what is asked of its people at the last moment depends on it. */
  readonly segment: Segment
  readonly judged: Judging
  readonly reliable: boolean
}

/** Fewer people than this tell nothing, so none of them is held back. */
export const leastForHoldout = 100

/**
 * Judges everybody the segment describes and brings the list in line, in one statement and so on one view of the
 * data; the campaign is held by the caller. Nobody comes onto a list twice: its key is the person.
 */
export const buildList = (
  db: Queries,
  venue: VenueId,
  { campaign, isDraft, segment, judged, reliable }: Building,
  now: Temporal.Instant,
): Promise<ComposedRow> =>
  db.one(sql(composedRow)`
    ${judging(venue, campaign, judged, now)},
    share (pct) as (
      select case when count(*) < ${leastForHoldout}::integer then 0 else ${judged.holdoutPct}::integer end
        from judged where class = 'mail' and not is_cut),
    listed as not materialized (
      select judged.*, case when bucket < pct then 'held' else 'waiting' end as wanted
        from judged cross join share where class = 'mail' and not is_cut),
    counted as materialized (
      select of_judged.*, of_listed.*, c.row_count - of_listed.still as gone
        from campaign c
        cross join (
          select ${countsOfClasses}
            from judged) of_judged
        cross join (
          select count(state) as still,
                 count(*) filter (where state is null) as newcomers,
                 count(*) filter (where is_nameless and wanted = 'waiting') as nameless,
                 count(*) filter (where state is null and wanted = 'held') as newly_held,
                 count(*) filter (where state = 'held') as was_held,
                 count(*) filter (where state = 'skipped') as was_skipped,
                 count(*) filter (where wanted = 'held') as to_hold,
                 count(*) filter (where state = 'held' and wanted = 'waiting') as let_go,
                 count(*) filter (where state = 'waiting' and wanted = 'held') as taken_back
            from listed) of_listed
       where c.venue_id = ${venue} and c.id = ${campaign}),
    inserted as (
      insert into recipient (venue_id, campaign_id, subscriber_id, email_key, state, due_at)
      select venue_id, ${campaign}::bigint, subscriber_id, person, wanted, ${now}::timestamptz
        from listed where ${isDraft}::boolean and state is null),
    removed as (
      delete from recipient r
       where ${isDraft}::boolean and (select gone from counted) > 0
         and r.venue_id = ${venue} and r.campaign_id = ${campaign}
         and not exists (select from listed where listed.subscriber_id = r.subscriber_id)
      returning r.state),
    turned as (
      update recipient r set state = listed.wanted
        from listed
       where ${isDraft}::boolean and (select let_go + taken_back from counted) > 0
         and r.venue_id = ${venue} and r.campaign_id = ${campaign}
         and r.subscriber_id = listed.subscriber_id and r.state <> listed.wanted),
    dropped as (
      update recipient r set
        state = 'skipped', ended_at = ${now},
        why = case stale.class
                when 'suppressed' then 'suppressed' when 'ticket holder' then 'ticket-holder'
                when 'paused' then 'paused' when 'left' then 'unsubscribed' when 'pending' then 'unsubscribed'
                else 'no-match' end
        from (
          select w.subscriber_id, judged.class
            from recipient w left join judged on judged.subscriber_id = w.subscriber_id
           where w.venue_id = ${venue} and w.campaign_id = ${campaign} and w.state = 'waiting'
             and (judged.class is distinct from 'mail' or judged.is_cut)) stale
       where not ${isDraft}::boolean and (select gone from counted) > 0
         and r.venue_id = ${venue} and r.campaign_id = ${campaign}
         and r.subscriber_id = stale.subscriber_id and r.state = 'waiting'
      returning r.state),
    pulled as materialized (
      select (select count(*) from removed) as rows, (select count(*) from removed where state = 'held') as held,
             (select count(*) from dropped) as dropped),
    tally as (
      update campaign c set
        row_count = case when ${isDraft}::boolean then row_count + newcomers - pulled.rows else row_count end,
        held_count = case when ${isDraft}::boolean then to_hold else held_count end,
        nameless_count = case when ${isDraft}::boolean then nameless else nameless_count end,
        skipped_count = skipped_count + pulled.dropped,
        holdout_pct = case when ${isDraft}::boolean then (select pct from share) else c.holdout_pct end,
        list_segment = case when ${isDraft}::boolean then ${JSON.stringify(segment)}::jsonb else c.list_segment end,
        reliable = ${reliable}, composed_at = ${now}, updated_at = ${now}
        from counted cross join pulled
       where c.venue_id = ${venue} and c.id = ${campaign}
      returning ${columnsOf(campaignRow, 'c')})
    select tally.*, no_address, suppressed, never_subscribed, pending, left_list, paused, no_birthday_mails,
           ticket_holders, mailable, cut,
           case when ${isDraft}::boolean then mailable - to_hold - newcomers + newly_held - let_go
             else still - was_held - was_skipped end as present,
           case when ${isDraft}::boolean then to_hold else was_held end as held,
           case when ${isDraft}::boolean then 0 else newcomers end as newcomers,
           case when ${isDraft}::boolean then 0 else was_skipped end as skipped_before,
           case when ${isDraft}::boolean then newcomers - newly_held + let_go else 0 end as added,
           case when ${isDraft}::boolean then pulled.rows - pulled.held else pulled.dropped end as removed,
           (select count(*) from recipient r
             where not ${isDraft}::boolean and gone > 0 and r.venue_id = ${venue} and r.campaign_id = ${campaign}
               and r.state in ('claimed', 'wire', 'sent', 'failed')
               and not exists (select from listed where listed.subscriber_id = r.subscriber_id)) as in_flight
      from tally cross join counted cross join pulled`)

/** The share of people the venue holds back from each campaign, in percent. */
export const holdoutOf = async (db: Queries, venue: VenueId): Promise<number> =>
  (
    await db.maybe(sql({ holdout_pct: 'int4' })`
      select holdout_pct from mail_settings where venue_id = ${venue}`)
  )?.holdout_pct ?? 0
