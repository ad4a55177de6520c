import type { Segment } from '@venue-data/contract/records/segment.ts'
import { type Fragment, columnsOf, fragment, part } from '../../../platform/db/sql.ts'
import { wallTimeOf } from '../../../platform/kernel/time/venue-clock.ts'
import type { Venue, VenueId } from '../../../core/venue/venue.ts'
import type { CampaignRow } from '../reads.ts'
import { isTicket, noUsableAddress, peopleOf } from './people.ts'
import type { Sources } from './sources.ts'
import { partsOf } from './segments.ts'

/*
 * Which people in a segment would be mailed, and why the others would not: the one place for the classes and their
 * order, used to build a list and to count beforehand.
 */

export type Judging = {
  /** The query of the people described. */
  readonly people: Fragment
  readonly sources: Sources
  /** The segment says `all`: unconfirmed sign-ups are never part of it. */
  readonly isAll: boolean
  /** Birthday mail, which people can opt out of. */
  readonly isBirthday: boolean
  readonly holdoutPct: number
  /** The seed of the hold-out: the same for all campaigns of a series, so that they hold back the same people. */
  readonly salt: string
}

/** The inputs for checking a campaign's people against a segment. */
export const judgingOf = (
  { id: venue, timezone }: Venue,
  { id, series_key }: CampaignRow,
  segment: Segment,
  { sources, holdoutPct }: Pick<Judging, 'sources' | 'holdoutPct'>,
  now: Temporal.Instant,
): Judging => {
  const { date } = wallTimeOf(now, timezone)
  const has = (wanted: string): boolean => partsOf(segment).some(({ type }) => type === wanted)
  return {
    people: peopleOf(venue, segment, sources, { today: date, month: Number(date.slice(5, 7)) }),
    sources,
    isAll: has('all'),
    isBirthday: has('birthday'),
    holdoutPct,
    salt: series_key === '' ? `campaign ${id}` : `series ${series_key}`,
  }
}

/**
 * The beginning of a statement, whose `judged` has a row for each person: their class, whether an exclusion takes
 * them out, their place in the hold-out, and the state of their copy in the list of `campaign` (null: they have
 * none).
 */
export const judging = (
  venue: VenueId,
  campaign: number | null,
  { people, sources, isAll, isBirthday, holdoutPct, salt }: Judging,
  now: Temporal.Instant,
): Fragment => part`
  with cuts as (
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
       and ${isTicket} and o.buyer_email_key is not null),
  judged as materialized (
    select p.venue_id, p.subscriber_id, p.person, r.state, p.is_nameless, cuts.subscriber_id is not null as is_cut,
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
      from (${people}) p
      left join suppression x on x.venue_id = ${venue} and x.email_key = p.person
      left join recipient r
        on r.venue_id = ${venue} and r.campaign_id = ${campaign}::bigint and r.subscriber_id = p.subscriber_id
      left join holders on holders.buyer_email_key = p.person
      left join cuts on cuts.subscriber_id = p.subscriber_id)`

/** Counts per class, from `judged`. */
export const countsOfClasses = fragment(`
  count(*) filter (where class = 'no address' and not is_cut) as no_address,
  count(*) filter (where class = 'suppressed' and not is_cut) as suppressed,
  count(*) filter (where class = 'never subscribed' and not is_cut) as never_subscribed,
  count(*) filter (where class = 'pending' and not is_cut) as pending,
  count(*) filter (where class = 'left' and not is_cut) as left_list,
  count(*) filter (where class = 'paused' and not is_cut) as paused,
  count(*) filter (where class = 'no birthday mails' and not is_cut) as no_birthday_mails,
  count(*) filter (where class = 'ticket holder' and not is_cut) as ticket_holders,
  count(*) filter (where class = 'mail' and not is_cut) as mailable,
  count(*) filter (where class = 'mail' and is_cut) as cut`)

/** Their names and types, for the row of a statement. */
export const classCounts = {
  no_address: 'int8',
  suppressed: 'int8',
  never_subscribed: 'int8',
  pending: 'int8',
  left_list: 'int8',
  paused: 'int8',
  no_birthday_mails: 'int8',
  ticket_holders: 'int8',
  mailable: 'int8',
  /** Mailable, but left out by exclude.tags, mailedWithinDays or campaigns. */
  cut: 'int8',
} as const

/** Their columns, for a select list. */
export const namesOfClasses = columnsOf(classCounts)
