import type { Queries } from '../../../platform/db/pool.ts'
import { type RowOf, part, sql } from '../../../platform/db/sql.ts'
import { leftOfEach } from '../../../book/reservations/guarantee/money-left.ts'
import type { VenueId } from '../../../core/venue/venue.ts'

/* What an account is still needed for: what its removal ends, and what has to end first. */

const heldRow = {
  /** Cards that are kept with it. */
  cards: 'int4',
  /** Those of them that may be charged, as `isChargeable` says it of one: no-shows, and guests who canceled when that was no longer free. */
  chargeable: 'int4',
  /** Those of them whose guest was mailed to pay instead, and has time until then. */
  awaited: 'int4',
  /** Cards that are being charged. */
  charges: 'int4',
  /** Refunds that the processor has not answered, or that wait for a dispute. */
  refunds: 'int4',
  /** Payments that may still arrive: their page is open, or nobody knows yet how it ended. */
  pages: 'int4',
  /** Disputes that are not decided. */
  disputes: 'int4',
  /** Calls about refunds and disputes that came lately and are not looked at yet. */
  calls: 'int4',
  /** 1 where it is to be looked at once more what it did after a backup. */
  looks: 'int4',
} as const
export type HeldByAccount = RowOf<typeof heldRow>

/** So long a call is looked at until it is the venue's other business, and some time for the look. */
const callHours = 2

export const heldByAccount = (
  db: Queries,
  venue: VenueId,
  account: string,
  now: Temporal.Instant,
): Promise<HeldByAccount> => {
  const cards = part`from guarantee g where g.venue_id = ${venue} and g.account_id = ${account}::uuid and g.customer_ref is not null`
  return db.one(sql(heldRow)`
    select (select count(*)::integer ${cards}) as cards,
           (select count(*)::integer ${cards} and g.kind = 'card' and g.status in ('held', 'charge_failed') and g.delete_at > ${now} and exists (
              select from reservation r
               where r.venue_id = ${venue} and r.id = g.reservation_id and (
                 r.status = 'No-show' or r.status = 'Cancelled' and r.cancelled_by = 'guest'
                   and r.cancelled_from is distinct from 'Requested' and r.cancelled_at >= g.free_until))) as chargeable,
           (select count(*)::integer ${cards} and g.status = 'charge_failed' and g.asked_cents > 0 and g.ask_until > ${now}) as awaited,
           (select count(*)::integer from payment p
             where p.venue_id = ${venue} and p.account_id = ${account}::uuid and p.state = 'pending') as charges,
           (select count(*)::integer from refund r join payment p on p.venue_id = r.venue_id and p.id = r.payment_id
             where r.venue_id = ${venue} and p.account_id = ${account}::uuid and r.state = 'pending') as refunds,
           (select count(*)::integer from checkout c
             where c.venue_id = ${venue} and c.account_id = ${account}::uuid
               and (c.state in ('made', 'opening', 'open') or c.look_at is not null)) as pages,
           (select count(*)::integer from money_matter m join payment p on p.venue_id = m.venue_id and p.id = m.payment_id
             where m.venue_id = ${venue} and m.kind = 'dispute' and m.state in ('open', 'warning') and m.done_at is null
               and p.account_id = ${account}::uuid) as disputes,
           (select count(*)::integer from processor_event e
             where e.venue_id = ${venue} and e.account_id = ${account}::uuid and e.looked_at is null
               and e.at > ${now.subtract({ hours: callHours })}
               and (e.kind like 'refund.%' or e.kind like 'charge.dispute.%')) as calls,
           (select count(*)::integer from processor_account a
             where a.venue_id = ${venue} and a.id = ${account}::uuid and a.look_at is not null) as looks`)
}

/** Whether something is under way with it that its key is needed for. */
export const isStillNeeded = ({ cards, charges, refunds, pages, calls, looks }: HeldByAccount): boolean =>
  cards + charges + refunds + pages + calls + looks > 0

const refundableRow = { currency: 'text', payments: 'int4', cents: 'int8' } as const

/** How much of what it took could still go back, and of how many payments. */
export const refundableOfAccount = (
  db: Queries,
  venue: VenueId,
  account: string,
): Promise<RowOf<typeof refundableRow>[]> =>
  db.many(sql(refundableRow)`
    select s.currency, count(*)::integer as payments, sum(s.cents)::bigint as cents from (
      select p.currency, least(
               p.amount_cents - coalesce((
                 select sum(r.amount_cents + r.beyond_cents) from refund r
                  where r.venue_id = ${venue} and r.payment_id = p.id and r.state in ('pending', 'succeeded')), 0),
               t.total_cents - t.refunded_cents - coalesce((
                 select sum(r.amount_cents) from refund r
                  where r.venue_id = ${venue} and r.order_id = t.id and r.state = 'pending'), 0)) as cents
        from payment p join ticket_order t on t.venue_id = p.venue_id and t.id = p.order_id
       where p.venue_id = ${venue} and p.account_id = ${account}::uuid and p.state = 'succeeded' and p.via = 'processor'
      union all
      select g.currency, e.left_cents
        from guarantee g
        cross join lateral ${leftOfEach(venue, part`g.id`)}
        join payment p on p.venue_id = ${venue} and p.id = e.id
       where g.venue_id = ${venue} and p.account_id = ${account}::uuid and p.via = 'processor') s
     where s.cents > 0 group by s.currency order by s.currency`)

const mostCards = 200

/** Cards that its removal has deleted, and that wait for their own day until then. */
export const cardsToRelease = async (
  db: Queries,
  venue: VenueId,
  account: string,
  { now, soon }: Readonly<Record<'now' | 'soon', Temporal.Instant>>,
): Promise<number[]> => {
  const rows = await db.many(sql({ id: 'int8' })`
    select g.id from guarantee g
     where g.venue_id = ${venue} and g.account_id = ${account}::uuid and g.customer_ref is not null and g.status <> 'asked'
       and not (g.status = 'charge_failed' and g.asked_cents > 0 and g.ask_until > ${now})
       and (g.status in ('held', 'charge_failed') or g.look_at is null or g.look_at > ${soon})
     order by g.id limit ${mostCards}`)
  return rows.map(({ id }) => id)
}
