import { isTakenByRemoved } from '../../../core/money/former-accounts.ts'
import { isHeldByBank, isNotSent, waitsForBank } from '../../../core/money/matter-store.ts'
import type { VenueId } from '../../../core/venue/venue.ts'
import type { Queries } from '../../../platform/db/pool.ts'
import { type Fragment, type RowOf, fragment, part, sql } from '../../../platform/db/sql.ts'

/* Where the money behind a booking is: what of it is here, on its way back, gone, or held back by a bank. */

/** What did not arrive of a payment of which nothing is left, such as after a dispute that was lost, is not to be sent again. */
export const supersedeSpent = (db: Queries, venue: VenueId, guarantee: number): Promise<number> =>
  db.run(sql()`
    update refund f set state = 'superseded'
     where f.venue_id = ${venue} and f.guarantee_id = ${guarantee} and f.state = 'failed' and f.payment_id in (
       select e.id from ${leftOfEach(venue, part`${guarantee}`, 'back')} where e.own <= 0 or e.all_left <= 0)`)

/**
 * Each payment behind a booking, with what of it may still go back (`e.left_cents`): what came in, less what went back or is on its
 * way. More than was paid for the booking never does, whichever of its payments went back twice, as by a refund and then a
 * dispute; what a bank holds back, and what came in another way, is the last of it. `back`: what is still on its way is here; `sent`: nor is what was sent and
 * failed. What an account took that was removed since, nobody but the venue can give back, as what came in otherwise.
 */
export const leftOfEach = (
  venue: VenueId,
  guarantee: Fragment,
  counts: keyof typeof gone = 'on its way',
): Fragment => {
  const states = fragment(gone[counts])
  return part`(
    select o.*, greatest(0, least(o.own, o.all_left - (sum(greatest(0, o.own)) over (order by case when o.via <> 'processor' then 2 when o.is_held then 1 else 0 end, o.id) - greatest(0, o.own))))::integer as left_cents
      from (
        select p.id, p.account_id, case when ${isTakenByRemoved(venue)} then 'otherwise' else p.via end as via,
               p.via = 'processor' and ${isTakenByRemoved(venue)} as is_removed,
               ${isHeldByBank(venue)} as is_held,
               p.amount_cents - coalesce((
                 select sum(r.amount_cents + r.beyond_cents) from refund r
                  where r.venue_id = ${venue} and r.payment_id = p.id and r.state in ${states}), 0) as own,
               sum(p.amount_cents) over () - coalesce((
                 select sum(r.amount_cents + r.beyond_cents) from refund r
                  where r.venue_id = ${venue} and r.guarantee_id = ${guarantee} and r.state in ${states}), 0) as all_left
          from payment p
         where p.venue_id = ${venue} and p.guarantee_id = ${guarantee} and p.state = 'succeeded') o) e`
}

const gone = {
  back: "('succeeded')",
  'on its way': "('pending', 'succeeded')",
  sent: "('pending', 'succeeded', 'failed')",
} as const

/** Whether some of the money behind a guarantee `g` is at the processor, and nobody has sent it back. */
export const isUnsent = (venue: VenueId): Fragment =>
  part`exists (select from ${leftOfEach(venue, part`g.id`, 'sent')} where e.via = 'processor' and e.left_cents > 0)`

/** What of the money behind a booking a bank holds back: the guarantee is `g`. */
export const heldByBank = (venue: VenueId): Fragment => part`(
  select coalesce(sum(e.left_cents), 0)::integer from ${leftOfEach(venue, part`g.id`)} where e.via = 'processor' and e.is_held)`

/** What of it an account took that was removed since: the guarantee is `g`. */
export const heldByRemoved = (venue: VenueId): Fragment => part`(
  select coalesce(sum(e.left_cents), 0)::integer from ${leftOfEach(venue, part`g.id`)} where e.is_removed)`

/** What of it came in otherwise, or through an account that was removed since, and is still here: the guarantee is `g`. */
export const heldOtherwise = (venue: VenueId): Fragment => part`(
  select coalesce(sum(e.left_cents), 0)::integer from ${leftOfEach(venue, part`g.id`)} where e.via = 'otherwise')`

const leftRow = { id: 'int8', account_id: 'uuid', left: 'int4', is_held: 'bool', is_removed: 'bool' } as const
type LeftOfPayment = RowOf<typeof leftRow>

/** What of its payments may still go back, and whether a bank holds that back. */
export const refundableOf = (db: Queries, venue: VenueId, guarantee: number): Promise<LeftOfPayment[]> =>
  leftOf(db, venue, guarantee, 'processor')

/** The payments that came in otherwise, or through an account that was removed since, with what of each is still here. */
export const otherwiseOf = (db: Queries, venue: VenueId, guarantee: number): Promise<LeftOfPayment[]> =>
  leftOf(db, venue, guarantee, 'otherwise')

const leftOf = (
  db: Queries,
  venue: VenueId,
  guarantee: number,
  via: 'processor' | 'otherwise',
): Promise<LeftOfPayment[]> =>
  db.many(sql(leftRow)`
    select e.id, e.account_id, e.left_cents as left, e.is_held, e.is_removed from ${leftOfEach(venue, part`${guarantee}`)} where e.via = ${via} order by e.id`)

/** What of its money is here, and not on its way back. */
export const stillHereOf = async (db: Queries, venue: VenueId, guarantee: number): Promise<number> => {
  const { cents } = await db.one(sql({ cents: 'int4' })`
    select coalesce(sum(e.left_cents), 0)::integer as cents from ${leftOfEach(venue, part`${guarantee}`)}`)
  return cents
}

const underWayRow = {
  /** To go back: on its way, or waiting for a dispute. */
  pending: 'int4',
  /** What of that waits. */
  waiting: 'int4',
  /** What of that is not sent, as a dispute that was lost took it. */
  not_sent: 'int4',
  /** Did not arrive, and is not tried again. */
  failed: 'int4',
  /** Went back through the processor, also beyond what was left; nothing that a bank took. */
  refunded: 'int4',
  /** Taken by a bank with a dispute: it counts as what went back. */
  lost: 'int4',
  /** The same as the bank’s own sum: also what it took beyond what was left, and before that is counted. */
  taken: 'int4',
  /** Given back by hand: it counts as what went back. */
  by_hand: 'int4',
  /** Came in another way than by the processor, or through an account that was removed since, and is still here. */
  otherwise: 'int4',
  /** What of that came in through such an account. */
  removed: 'int4',
  /** Of what is still at the processor, what a bank holds back with a dispute: it waits until that is decided. */
  held: 'int4',
} as const
export type UnderWay = RowOf<typeof underWayRow>

/** What disputes that were lost took, and that waits to be counted until a refund of it that was under way is withdrawn. */
const lostUncounted = (venue: VenueId, guarantee: number): Fragment => part`(
    select coalesce(sum(m.amount_cents), 0)::integer from money_matter m
     where m.venue_id = ${venue} and m.kind = 'dispute' and m.state = 'lost'
       and m.reservation_id = (select g.reservation_id from guarantee g where g.venue_id = ${venue} and g.id = ${guarantee})
       and not exists (
         select from refund d where d.venue_id = ${venue} and d.processor_ref = m.subject and d.state = 'succeeded'))`

export const refundsUnderWay = (db: Queries, venue: VenueId, guarantee: number): Promise<UnderWay> =>
  db.one(sql(underWayRow)`
    select coalesce((select ${heldOtherwise(venue)} from guarantee g where g.venue_id = ${venue} and g.id = ${guarantee}), 0) as otherwise,
           coalesce((select ${heldByRemoved(venue)} from guarantee g where g.venue_id = ${venue} and g.id = ${guarantee}), 0) as removed,
           coalesce((select ${heldByBank(venue)} from guarantee g where g.venue_id = ${venue} and g.id = ${guarantee}), 0) as held,
           coalesce(sum(r.amount_cents) filter (where r.state = 'pending'), 0)::integer as pending,
           coalesce(sum(r.amount_cents) filter (where r.state = 'pending' and ${waitsForBank(venue, 'r')}), 0)::integer as waiting,
           coalesce(sum(r.amount_cents) filter (where ${isNotSent(venue)}), 0)::integer as not_sent,
           coalesce(sum(r.amount_cents) filter (where r.state = 'failed'), 0)::integer as failed,
           coalesce(sum(r.amount_cents + r.beyond_cents) filter (where r.state = 'succeeded' and r.origin <> 'dispute' and r.via = 'processor'), 0)::integer as refunded,
           coalesce(sum(r.amount_cents + r.beyond_cents) filter (where r.state = 'succeeded' and r.origin = 'dispute'), 0)::integer + ${lostUncounted(venue, guarantee)} as taken,
           coalesce(sum(r.amount_cents) filter (where r.state = 'succeeded' and r.origin = 'dispute'), 0)::integer as lost,
           coalesce(sum(r.amount_cents) filter (where r.state = 'succeeded' and r.via <> 'processor'), 0)::integer as by_hand
      from refund r left join payment p on p.venue_id = r.venue_id and p.id = r.payment_id
     where r.venue_id = ${venue} and r.guarantee_id = ${guarantee}`)
