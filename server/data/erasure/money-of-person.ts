import type { Work } from '../../context.ts'
import { isNotSent } from '../../core/money/matter-store.ts'
import { sql } from '../../platform/db/sql.ts'
import { wallTimeOf } from '../../platform/kernel/time/venue-clock.ts'
import { admittingStatuses } from '../../tickets/states.ts'
import type { Found } from './find-person.ts'

/* What is not over between a venue and somebody who is to be erased: afterwards nobody can write to them about it. */

export type Sum = { readonly cents: number; readonly currency: string }

export type OpenMoney = {
  /** Deposits of bookings that are still to come. */
  readonly deposits: readonly Sum[]
  /** Seats that let somebody in, at events that are still to come. */
  readonly tickets: number
  /** To go back to them, and not there yet. */
  readonly back: readonly Sum[]
  /** Pages on which they may be paying now. */
  readonly paying: number
  /** Paid on a page, in a way that takes days. */
  readonly coming: number
}

export const openMoneyOf = async (
  { db, venue, now }: Work,
  { ids: { reservation, ticket_order: order }, checkouts }: Pick<Found, 'ids' | 'checkouts'>,
): Promise<OpenMoney> => {
  const { id } = venue
  const { date: today } = wallTimeOf(now(), venue.timezone)
  const deposits = await db.many(sql(sumRow)`
    select g.currency, sum(g.paid_cents - g.refunded_cents - (
             select coalesce(sum(f.amount_cents), 0) from refund f
              where f.venue_id = ${id} and f.guarantee_id = g.id and f.state = 'pending'))::integer as cents
      from guarantee g join reservation r on r.venue_id = g.venue_id and r.id = g.reservation_id
     where g.venue_id = ${id} and g.reservation_id = any(${reservation}::bigint[]) and g.kind <> 'card'
       and r.status in ('Requested', 'Confirmed') and r.service_date >= ${today}
     group by g.currency order by g.currency`)
  const { tickets } = await db.one(sql({ tickets: 'int4' })`
    select coalesce(sum(t.seats - t.seats_returned), 0)::integer as tickets
      from ticket_order t join occurrence o on o.venue_id = t.venue_id and o.id = t.occurrence_id
     where t.venue_id = ${id} and t.id = any(${order}::bigint[])
       and t.status = any(${[...admittingStatuses]}) and o.date >= ${today}`)
  const back = await db.many(sql(sumRow)`
    select coalesce(g.currency, t.currency, 'USD') as currency,
           sum(r.amount_cents + case when r.state = 'pending' then r.beyond_cents else 0 end)::integer as cents
      from refund r
      left join payment p on p.venue_id = r.venue_id and p.id = r.payment_id
      left join guarantee g on g.venue_id = r.venue_id and g.id = r.guarantee_id
      left join ticket_order t on t.venue_id = r.venue_id and t.id = r.order_id
     where r.venue_id = ${id} and r.state in ('pending', 'failed') and not coalesce(${isNotSent(venue.id)}, false)
       and (r.order_id = any(${order}::bigint[]) or g.reservation_id = any(${reservation}::bigint[]))
     group by 1 order by 1`)
  const pages = await db.one(sql({ paying: 'int4', coming: 'int4' })`
    select (count(*) filter (where state <> 'completed' and why is distinct from 'unpaid'))::integer as paying,
           (count(*) filter (where state = 'completed' or why = 'unpaid'))::integer as coming
      from checkout
     where venue_id = ${id}
       and (id = any(${checkouts.map((one) => one.id)}::bigint[]) or reservation_id = any(${reservation}::bigint[])
         or order_id = any(${order}::bigint[]))
       and (state in ('made', 'opening', 'open') and counts_until > ${now()} or state = 'completed' and look_at is not null)`)
  return { deposits: deposits.filter(({ cents }) => cents > 0), tickets, back, ...pages }
}

const sumRow = { currency: 'text', cents: 'int4' } as const
