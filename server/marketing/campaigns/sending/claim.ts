import type { Queries } from '../../../platform/db/pool.ts'
import { type RowOf, fragment, sql } from '../../../platform/db/sql.ts'
import { formsOnList } from '../../subscribers/erased-address.ts'
import type { VenueId } from '../../../core/venue/venue.ts'
import { isTicket } from '../audience/people.ts'
import { sendingLimits } from './limits.ts'

const claimedRow = {
  subscriber_id: 'int8',
  email: 'text',
  first_name: 'text?',
  tries: 'int4',
  first_tried_at: 'timestamptz?',
  message_id: 'text?',
} as const

/** A copy that only this process may put on the wire, unless another takes it over. */
export type Claimed = RowOf<typeof claimedRow> & { readonly leaseUntilMs: number }

/** Changes since the list was built that affect this segment. */
export type LastLook = {
  /** People with a ticket for this event are left out. */
  readonly ticketEvent: number | null
  /** Birthday mail, which people can opt out of. */
  readonly isBirthday: boolean
  /** They must have one tag of each group, and one they did not turn off. */
  readonly topics: readonly (readonly number[])[]
}

export type Claim = LastLook & {
  readonly boot: string
  /** A few if the relay is slow, so that none waits long in a buffer. */
  readonly size: keyof typeof limitOf
}

/** The planner must know how few they are. */
const limitOf = { many: fragment('limit 500'), few: fragment('limit 20') }

/**
 * Claims copies that are due and checks each person once more: anyone who has since unsubscribed, been put on the
 * do-not-email list, been erased, paused their mail, bought a ticket or turned off the mail's topic is skipped.
 * Claims nothing from a campaign that is not sending.
 */
export const claimCopies = async (
  db: Queries,
  venue: VenueId,
  campaign: number,
  { boot, size, ticketEvent, isBirthday, topics }: Claim,
  now: Temporal.Instant,
): Promise<{ readonly claimed: Claimed[]; readonly skipped: number }> => {
  const limit = limitOf[size]
  const rows = await db.many(sql({ ...claimedRow, email: 'text?', state: 'text' })`
    with held as (
      select id from campaign
       where venue_id = ${venue} and id = ${campaign} and status = 'sending' for no key update),
    picked as (
      select r.subscriber_id, r.email_key
        from recipient r
       where r.venue_id = ${venue} and r.campaign_id = ${campaign} and r.state = 'waiting' and r.due_at <= ${now}::timestamptz
         and (select id from held) is not null
       order by r.due_at ${limit} for update of r skip locked),
    judged as materialized (
      select p.subscriber_id, s.email, s.first_name,
             case when s.id is null or s.email_key <> p.email_key then 'deleted'
                  when exists (
                    select from suppression u where u.venue_id = ${venue} and u.email_key = any(${formsOnList(venue, fragment('p.email_key'))}))
                    then 'suppressed'
                  when s.status <> 'subscribed' then 'unsubscribed'
                  when s.mail_paused_until > ${now} then 'paused'
                  when ${ticketEvent}::bigint is not null and exists (
                    select from ticket_order o join occurrence c on c.venue_id = o.venue_id and c.id = o.occurrence_id
                     where o.venue_id = ${venue} and c.event_id = ${ticketEvent} and o.buyer_email_key = p.email_key
                       and ${isTicket}) then 'ticket-holder'
                  when ${isBirthday}::boolean and not s.birthday_mails then 'no-match'
                  when cardinality(${topics.flat()}::bigint[]) > 0 and exists (
                    select from unnest(
                      ${topics.flatMap((tags, group) => tags.map(() => group))}::int4[], ${topics.flat()}::bigint[]
                    ) g (part, tag_id)
                      left join topic_off f
                        on f.venue_id = ${venue} and f.subscriber_id = p.subscriber_id and f.tag_id = g.tag_id
                      left join subscriber_tag t
                        on t.venue_id = ${venue} and t.subscriber_id = p.subscriber_id and t.tag_id = g.tag_id
                     group by g.part
                    having bool_or(f.tag_id is not null) and not bool_or(t.tag_id is not null and f.tag_id is null))
                    then 'no-match'
             end as why
        from picked p left join subscriber s on s.venue_id = ${venue} and s.id = p.subscriber_id),
    taken as (
      update recipient r
         set state = case when j.why is null then 'claimed' else 'skipped' end, why = j.why,
             claim = case when j.why is null then ${boot}::uuid end,
             lease_until = case when j.why is null then ${now.add({ milliseconds: sendingLimits.claimLeaseMs })}::timestamptz end,
             ended_at = case when j.why is not null then ${now}::timestamptz end
        from judged j
       where r.venue_id = ${venue} and r.campaign_id = ${campaign} and r.subscriber_id = j.subscriber_id
      returning r.subscriber_id, j.email, j.first_name, r.tries, r.first_tried_at, r.message_id, r.state),
    tallied as (
      update campaign c set skipped_count = c.skipped_count + s.count, updated_at = ${now}
        from (select count(*)::int4 as count from taken where state = 'skipped') s
       where c.venue_id = ${venue} and c.id = ${campaign} and s.count > 0
      returning c.id)
    select subscriber_id, email, first_name, tries, first_tried_at, message_id, state from taken`)
  const leaseUntilMs = now.epochMilliseconds + sendingLimits.claimLeaseMs
  const claimed = rows
    .filter(({ state }) => state === 'claimed')
    .map((row) => ({ ...row, email: row.email as string, leaseUntilMs }))
  return { claimed, skipped: rows.length - claimed.length }
}

/** Returns copies that were claimed but not put on the wire. */
export const giveBackClaimed = (
  db: Queries,
  venue: VenueId,
  campaign: number,
  boot: string,
): Promise<number> =>
  db.run(sql()`
    update recipient set state = 'waiting', claim = null, lease_until = null
     where venue_id = ${venue} and campaign_id = ${campaign} and state = 'claimed' and claim = ${boot}`)
