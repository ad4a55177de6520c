import type { VenueId } from '../../core/venue/venue.ts'
import type { Queries } from '../../platform/db/pool.ts'
import { part, sql } from '../../platform/db/sql.ts'
import type { LocalDate } from '../../platform/kernel/time/written-time.ts'
import type { Days } from './report-reads.ts'
import { publicSources } from '../../marketing/subscribers/growth.ts'

/* What is counted by another date than that of a service: of an event, of joining, of sending, of asking. */

type Asked = Days & { readonly zone: string }

const ordersRow = {
  date: 'date',
  code: 'text?',
  orders: 'int8',
  gross: 'int8',
  discounts: 'int8',
  fees: 'int8',
  taxes: 'int8',
  refunded: 'int8',
  seats: 'int8',
  unconfirmed: 'int8',
} as const

/** Ticket orders by the date of their event and by promo code, without those paid with a test account; looked up date by date, whatever the plan expects. */
export const ordersOfDates = (db: Queries, venue: VenueId, { from, to }: Days) => {
  const paid = part`filter (where t.status <> 'paid_unconfirmed')`
  return db.many(sql(ordersRow)`
    select o.date, t.promo_code as code, count(*) ${paid} as orders,
           coalesce(sum(t.total_cents) ${paid}, 0)::bigint as gross,
           coalesce(sum(t.discount_cents) ${paid}, 0)::bigint as discounts,
           coalesce(sum(t.fee_cents) ${paid}, 0)::bigint as fees,
           coalesce(sum(t.tax_cents) ${paid}, 0)::bigint as taxes,
           coalesce(sum(t.refunded_cents) ${paid}, 0)::bigint as refunded,
           coalesce(sum(t.seats - t.seats_returned) ${paid}, 0)::bigint as seats,
           coalesce(sum(t.total_cents) filter (where t.status = 'paid_unconfirmed'), 0)::bigint as unconfirmed
      from occurrence o
     cross join lateral (
       select * from ticket_order t
        where t.venue_id = ${venue} and t.occurrence_id = o.id
          and t.status in ('paid', 'partially_refunded', 'refunded', 'refund_failed', 'paid_unconfirmed')
          and (t.payment_method <> 'processor_link' or not exists (
            select from payment p
              join processor_account a on a.venue_id = ${venue} and a.id = p.account_id and not a.live
             where p.venue_id = ${venue} and p.order_id = t.id))
       offset 0) t
     where o.venue_id = ${venue} and o.date between ${from} and ${to}
     group by o.date, t.promo_code`)
}

/** The names of the events that had orders, by date; of several on one date in their order. */
export const eventsOfDates = async (
  db: Queries,
  venue: VenueId,
  { from, to }: Days,
): Promise<ReadonlyMap<LocalDate, readonly string[]>> => {
  const rows = await db.many(sql({ date: 'date', name: 'text' })`
    select o.date, e.name from occurrence o join ticketed_event e on e.venue_id = ${venue} and e.id = o.event_id
     where o.venue_id = ${venue} and o.date between ${from} and ${to}
       and exists (select from ticket_order t where t.venue_id = ${venue} and t.occurrence_id = o.id)
     group by o.date, e.name order by o.date, min(o.start_time), e.name`)
  const byDate = Map.groupBy(rows, ({ date }) => date)
  return new Map([...byDate].map(([date, of]) => [date, of.map(({ name }) => name)]))
}

const listRow = { date: 'date', measure: 'text', source: 'text?', people: 'int8' } as const

/** Who joined and left the email list, and returned mail, by date. */
export const listOfDates = (db: Queries, venue: VenueId, { from, to, zone }: Asked) => {
  const wasOn = part`(status = 'subscribed' or confirmed_at is not null
    or status = 'unsubscribed' and source <> all(${publicSources}))`
  return db.many(sql(listRow)`
    select date, measure, source, count(*) as people from (
      select (coalesce(confirmed_at, consent_at) at time zone ${zone})::date as date, 'joined' as measure, source
        from subscriber where venue_id = ${venue} and ${wasOn}
      union all
      select (unsubscribed_at at time zone ${zone})::date, 'left', source
        from subscriber where venue_id = ${venue} and ${wasOn}
      union all
      select (at at time zone ${zone})::date, 'bounced', null
        from mail_bounce where venue_id = ${venue} and kind <> 'complaint') as moments
     where date between ${from} and ${to}
     group by date, measure, source`)
}

const campaignRow = {
  id: 'int8',
  sent: 'int4',
  held: 'int4',
  failed: 'int4',
  gone: 'int8',
  complaints: 'int8',
} as const

/** Campaigns by when they began to go out. */
export const campaignsOfDates = (db: Queries, venue: VenueId, { from, to, zone }: Asked) =>
  db.many(sql(campaignRow)`
    select c.id, c.sent_count as sent, c.held_count as held, c.failed_count as failed,
           (select count(*) from recipient r
             where r.venue_id = ${venue} and r.campaign_id = c.id and r.left_at is not null) as gone,
           (select count(distinct coalesce(b.subscriber_id, -b.id)) from mail_bounce b
             where b.venue_id = ${venue} and b.campaign_id = c.id and b.kind = 'complaint') as complaints
      from campaign c
     where c.venue_id = ${venue} and (c.started_at at time zone ${zone})::date between ${from} and ${to}`)

/** Campaigns that began less than seven days ago: who books because of them is still being counted. */
export const campaignsCounting = async (
  db: Queries,
  venue: VenueId,
  now: Temporal.Instant,
): Promise<ReadonlyMap<number, Temporal.Instant>> => {
  const rows = await db.many(sql({ id: 'int8', until: 'timestamptz' })`
    select id, started_at + interval '168 hours' as until from campaign
     where venue_id = ${venue} and started_at > ${now}::timestamptz - interval '168 hours'`)
  return new Map(rows.map(({ id, until }) => [id, Temporal.Instant.from(until)]))
}

const bookedRow = { campaign_id: 'int8', state: 'text', people: 'int8', booked: 'int8' } as const

/** Of those a campaign went to and of those it was held back from: who booked within a week of its start. */
export const bookedAfter = (db: Queries, venue: VenueId, campaigns: readonly number[]) =>
  db.many(sql(bookedRow)`
    select r.campaign_id, r.state, count(*) as people,
           count(*) filter (where exists (
             select from reservation b
              where b.venue_id = ${venue} and b.email_key = r.email_key
                and b.created_at between c.started_at and c.started_at + interval '168 hours')) as booked
      from recipient r
      join campaign c on c.venue_id = ${venue} and c.id = r.campaign_id
     where r.venue_id = ${venue} and r.campaign_id = any(${[...campaigns]}::bigint[]) and r.state in ('sent', 'held')
     group by r.campaign_id, r.state`)

/** Leads by when they asked, at the stage they are now. */
export const leadsOfDates = (db: Queries, venue: VenueId, { from, to, zone }: Asked) =>
  db.many(sql({ stage: 'text', leads: 'int8' })`
    select stage, count(*) as leads from lead
     where venue_id = ${venue} and (submitted_at at time zone ${zone})::date between ${from} and ${to}
     group by stage`)
