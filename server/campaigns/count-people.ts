import type { Composed } from '@venue-data/contract/campaign.ts'
import type { Context } from '../context.ts'
import type { Queries } from '../db/pool.ts'
import { type RowOf, sql } from '../db/sql.ts'
import { wallTimeOf } from '../kernel/venue-clock.ts'
import type { Venue, VenueId } from '../venue/venue.ts'
import { countersOf } from './compose-counters.ts'
import { holdoutOf, leastForHoldout } from './compose-list.ts'
import type { CampaignRow } from './reads.ts'
import { type People, noUsableAddress, peopleOf } from './segment-people.ts'
import { type Sources, sourcesOf } from './segment-sources.ts'
import { type Segment, partsOf } from './segments.ts'

/** What building the list of a draft would say, without building it. */
export type Counted = Pick<
  Composed,
  | 'recipientsTotal'
  | 'heldBack'
  | 'holdoutPct'
  | 'matched'
  | 'noEmail'
  | 'unsubscribed'
  | 'suppressed'
  | 'excludedTicketHolders'
  | 'matchedKnown'
  | 'reliable'
  | 'notes'
>

/**
 * Counts who a segment would mail as an empty draft, in the classes and the order of `buildList`; nothing is written.
 * It may look at a million people, so it runs as a long transaction.
 */
export const countPeople = (
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  venue: Venue,
  row: CampaignRow,
  segment: Segment,
): Promise<Counted> =>
  db.longTransaction(venue.id, async (queries) => {
    const now = clock()
    const sources = await sourcesOf(queries, venue.id, segment, row, now)
    const holdoutPct = await holdoutOf(queries, venue.id)
    const { date } = wallTimeOf(now, venue.timezone)
    const parts = partsOf(segment)
    const counted = await judge(
      queries,
      venue.id,
      {
        people: peopleOf(segment, sources, { today: date, month: Number(date.slice(5, 7)) }),
        sources,
        isAll: parts.some(({ type }) => type === 'all'),
        isBirthday: parts.some(({ type }) => type === 'birthday'),
        holdoutPct,
        salt: row.series_key === '' ? `campaign ${row.id}` : `series ${row.series_key}`,
      },
      now,
    )
    const held = counted.held
    const counters = countersOf(
      {
        ...row,
        ...counted,
        holdout_pct: counted.mailable < leastForHoldout ? 0 : holdoutPct,
        present: 0,
        newcomers: 0,
        skipped_before: 0,
        added: counted.mailable - held,
        removed: 0,
        in_flight: 0,
      },
      { isDraft: true, isAll: parts.some(({ type }) => type === 'all'), holdoutPct, sources },
    )
    return { ...counters, recipientsTotal: counted.mailable - held }
  })

const judgedRow = {
  no_address: 'int8',
  suppressed: 'int8',
  never_subscribed: 'int8',
  pending: 'int8',
  left_list: 'int8',
  paused: 'int8',
  no_birthday_mails: 'int8',
  ticket_holders: 'int8',
  mailable: 'int8',
  cut: 'int8',
  held: 'int8',
} as const

type Asked = {
  readonly people: People
  readonly sources: Sources
  readonly isAll: boolean
  readonly isBirthday: boolean
  readonly holdoutPct: number
  readonly salt: string
}

/** The same classes as in `buildList`, whose test compares the two. */
const judge = (
  db: Queries,
  venue: VenueId,
  { people, sources, isAll, isBirthday, holdoutPct, salt }: Asked,
  now: Temporal.Instant,
): Promise<RowOf<typeof judgedRow>> =>
  // The query of people counts on these being the first two values.
  db.one(sql(judgedRow)`
    with given (venue, words) as (select ${venue}::bigint, ${people.words}::text[]),
    cuts as (
      select t.subscriber_id from subscriber_tag t
       where t.venue_id = ${venue} and t.tag_id = any(${sources.excludedTags}::bigint[])
      union
      select e.subscriber_id from recipient e
       where e.venue_id = ${venue} and e.campaign_id = any(${sources.exceptCampaigns}::bigint[])
         and (e.state in ('waiting', 'claimed', 'wire', 'sent') or e.state = 'failed' and e.why = 'unknown')
      union
      select m.subscriber_id from recipient m
       where m.venue_id = ${venue} and m.campaign_id = any(${sources.recentCampaigns}::bigint[])
         and (m.state in ('wire', 'sent') or m.state = 'failed' and m.why = 'unknown')
         and coalesce(m.ended_at, ${now}) >= ${sources.mailedSince}),
    holders as (
      select distinct o.buyer_email_key
        from ticket_order o join occurrence c on c.venue_id = o.venue_id and c.id = o.occurrence_id
       where o.venue_id = ${venue} and c.event_id = any(${sources.holdersOf}::bigint[])
         and o.status in ('paid', 'paid_unconfirmed', 'partially_refunded') and o.buyer_email_key is not null),
    judged as (
      select cuts.subscriber_id is not null as is_cut,
             case
               when ${isAll}::boolean and p.status = 'pending' then 'pending'
               when ${noUsableAddress} then 'no address'
               when x.email_key is not null then 'suppressed'
               when p.subscriber_id is null then 'never subscribed'
               when p.status = 'pending' then 'pending'
               when p.status <> 'subscribed' then 'left'
               when p.mail_paused_until > ${now} then 'paused'
               when ${isBirthday}::boolean and not p.birthday_mails then 'no birthday mails'
               when holders.buyer_email_key is not null then 'ticket holder'
               else 'mail'
             end as class,
             case when ${holdoutPct}::integer > 0
               then ('x' || substr(md5(${salt}::text || ':' || p.subscriber_id), 1, 8))::bit(32)::bigint % 100
             end as bucket
        from (${people.people}) p
        left join suppression x on x.venue_id = ${venue} and x.email_key = p.person
        left join holders on holders.buyer_email_key = p.person
        left join cuts on cuts.subscriber_id = p.subscriber_id),
    counted as (
      select count(*) filter (where class = 'no address' and not is_cut) as no_address,
             count(*) filter (where class = 'suppressed' and not is_cut) as suppressed,
             count(*) filter (where class = 'never subscribed' and not is_cut) as never_subscribed,
             count(*) filter (where class = 'pending' and not is_cut) as pending,
             count(*) filter (where class = 'left' and not is_cut) as left_list,
             count(*) filter (where class = 'paused' and not is_cut) as paused,
             count(*) filter (where class = 'no birthday mails' and not is_cut) as no_birthday_mails,
             count(*) filter (where class = 'ticket holder' and not is_cut) as ticket_holders,
             count(*) filter (where class = 'mail' and not is_cut) as mailable,
             count(*) filter (where class = 'mail' and is_cut) as cut,
             count(*) filter (where class = 'mail' and not is_cut and bucket < ${holdoutPct}::integer) as in_bucket
        from judged)
    select no_address, suppressed, never_subscribed, pending, left_list, paused, no_birthday_mails, ticket_holders,
           mailable, cut, case when mailable < ${leastForHoldout}::integer then 0 else in_bucket end as held
      from counted`)
