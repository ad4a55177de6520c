import type { Segment } from '@venue-data/contract/records/segment.ts'
import type { Queries } from '../../../platform/db/pool.ts'
import { type RowOf, columnsOf, sql } from '../../../platform/db/sql.ts'
import { noted } from '../../../core/events/note-change.ts'
import type { VenueId } from '../../../core/venue/venue.ts'
import { type Judging, classCounts, countsOfClasses, judging, namesOfClasses } from './judge.ts'
import { campaignRow } from '../reads.ts'
import { leastForHoldout } from './holdout.ts'

/**
 * What a list was made from. The classes are in the order of the counters; each person is in the first that matches.
 */
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

type Building = { readonly campaign: number; readonly judged: Judging }

/**
 * Checks everybody the segment describes and updates a draft's list accordingly, in one statement and so on one view
 * of the data; the caller has locked the campaign. Nobody is on a list twice: its key is the person. The segment is
 * stored with the list, since the checks at the last moment depend on it.
 */
export const rebuildList = (
  db: Queries,
  venue: VenueId,
  { campaign, judged, segment, reliable }: Building & { segment: Segment; reliable: boolean },
  now: Temporal.Instant,
): Promise<ComposedRow> =>
  noted(
    db,
    venue,
    'campaign',
    now,
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
        cross join (select ${countsOfClasses} from judged) of_judged
        cross join (
          select count(state) as still,
                 count(*) filter (where state is null) as newcomers,
                 count(*) filter (where is_nameless and wanted = 'waiting') as nameless,
                 count(*) filter (where state is null and wanted = 'held') as newly_held,
                 count(*) filter (where wanted = 'held') as to_hold,
                 count(*) filter (where state = 'held' and wanted = 'waiting') as let_go,
                 count(*) filter (where state = 'waiting' and wanted = 'held') as taken_back
            from listed) of_listed
       where c.venue_id = ${venue} and c.id = ${campaign}),
    inserted as (
      insert into recipient (venue_id, campaign_id, subscriber_id, email_key, state, due_at)
      select venue_id, ${campaign}::bigint, subscriber_id, person, wanted, ${now}::timestamptz
        from listed where state is null),
    removed as (
      delete from recipient r
       where (select gone from counted) > 0 and r.venue_id = ${venue} and r.campaign_id = ${campaign}
         and not exists (select from listed where listed.subscriber_id = r.subscriber_id)
      returning r.state),
    turned as (
      update recipient r set state = listed.wanted
        from listed
       where (select let_go + taken_back from counted) > 0 and r.venue_id = ${venue} and r.campaign_id = ${campaign}
         and r.subscriber_id = listed.subscriber_id and r.state <> listed.wanted),
    pulled as materialized (
      select count(*) as rows, count(*) filter (where state = 'held') as held from removed),
    tally as (
      update campaign c set
        row_count = row_count + newcomers - pulled.rows, held_count = to_hold, nameless_count = nameless,
        holdout_pct = (select pct from share), list_segment = ${JSON.stringify(segment)}::jsonb,
        reliable = ${reliable}, composed_at = ${now}, revision = c.revision + 1, updated_at = ${now}
        from counted cross join pulled
       where c.venue_id = ${venue} and c.id = ${campaign}
      returning ${columnsOf(campaignRow, 'c')})
    select tally.*, ${namesOfClasses},
           mailable - to_hold - newcomers + newly_held - let_go as present, to_hold as held,
           0::bigint as newcomers, 0::bigint as skipped_before,
           newcomers - newly_held + let_go as added, pulled.rows - pulled.held as removed, 0::bigint as in_flight
      from tally cross join counted cross join pulled`),
  )

/**
 * Like `rebuildList`, for a list whose count was confirmed: it only shrinks. People no longer described are skipped,
 * with the reason; people who would be new, or were skipped before, are counted and left out.
 */
export const shrinkList = (
  db: Queries,
  venue: VenueId,
  { campaign, judged }: Building,
  now: Temporal.Instant,
): Promise<ComposedRow> =>
  noted(
    db,
    venue,
    'campaign',
    now,
    db.one(sql(composedRow)`
    ${judging(venue, campaign, judged, now)},
    listed as not materialized (select * from judged where class = 'mail' and not is_cut),
    counted as materialized (
      select of_judged.*, of_listed.*, c.row_count - of_listed.still as gone
        from campaign c
        cross join (select ${countsOfClasses} from judged) of_judged
        cross join (
          select count(state) as still,
                 count(*) filter (where state is null) as newcomers,
                 count(*) filter (where state = 'held') as was_held,
                 count(*) filter (where state = 'skipped') as was_skipped
            from listed) of_listed
       where c.venue_id = ${venue} and c.id = ${campaign}),
    skipped as (
      update recipient r set
        state = 'skipped', ended_at = ${now},
        why = case
                when stale.class in ('suppressed', 'paused') then stale.class
                when stale.class = 'ticket holder' then 'ticket-holder'
                when stale.class in ('left', 'pending') then 'unsubscribed'
                else 'no-match' end
        from (
          select w.subscriber_id, judged.class
            from recipient w left join judged on judged.subscriber_id = w.subscriber_id
           where w.venue_id = ${venue} and w.campaign_id = ${campaign} and w.state = 'waiting'
             and (judged.class is distinct from 'mail' or judged.is_cut)) stale
       where (select gone from counted) > 0 and r.venue_id = ${venue} and r.campaign_id = ${campaign}
         and r.subscriber_id = stale.subscriber_id and r.state = 'waiting'
      returning r.state),
    pulled as materialized (select count(*) as rows from skipped),
    tally as (
      update campaign c set
        skipped_count = skipped_count + pulled.rows, reliable = true, composed_at = ${now}, revision = c.revision + 1, updated_at = ${now}
        from pulled
       where c.venue_id = ${venue} and c.id = ${campaign}
      returning ${columnsOf(campaignRow, 'c')})
    select tally.*, ${namesOfClasses},
           still - was_held - was_skipped as present, was_held as held, newcomers, was_skipped as skipped_before,
           0::bigint as added, pulled.rows as removed,
           (select count(*) from recipient r
             where gone > 0 and r.venue_id = ${venue} and r.campaign_id = ${campaign}
               and r.state in ('claimed', 'wire', 'sent', 'failed')
               and not exists (select from listed where listed.subscriber_id = r.subscriber_id)) as in_flight
      from tally cross join counted cross join pulled`),
  )

/** The share of people the venue holds back from each campaign, in percent. */
export const holdoutOf = async (db: Queries, venue: VenueId): Promise<number> =>
  (
    await db.maybe(sql({ holdout_pct: 'int4' })`
      select holdout_pct from mail_settings where venue_id = ${venue}`)
  )?.holdout_pct ?? 0
