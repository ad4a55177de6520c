import type { Queries } from '../../platform/db/pool.ts'
import { sql } from '../../platform/db/sql.ts'
import { emailKey, isEmailAddress } from '../../platform/kernel/email.ts'
import type { VenueId } from '../../core/venue/venue.ts'
import { orderNumbersMeant } from '../order-number.ts'
import { type SoldOrderRow, soldOrderColumns, soldOrderRow } from '../order-reads.ts'
import { fromOrders } from '../reads.ts'
import { admittingStatuses } from '../states.ts'

/**
 * Of a date: how many are in, and how many have a valid ticket. Seats that are being returned are not expected, as nobody
 * comes in with their tickets; whoever was in before their money went is.
 */
export const countsOfDate = (
  db: Queries,
  venue: VenueId,
  occurrence: number,
): Promise<{ readonly in: number; readonly expected: number }> =>
  db.one(sql({ in: 'int4', expected: 'int4' })`
    select coalesce(sum(came.people), 0)::integer as in,
           coalesce(sum(greatest(came.people, case
             when o.status <> all(${[...admittingStatuses]}) then 0
             when going.cents > 0 and going.cents >= o.total_cents - o.refunded_cents then 0
             else o.seats - o.seats_returned - going.seats end)), 0)::integer as expected
      from ticket_order o
      cross join lateral (
        select count(*) as people from ticket t
         where t.venue_id = ${venue} and t.order_id = o.id and t.in_at is not null) came
      cross join lateral (
        select coalesce(sum(r.amount_cents), 0) as cents, coalesce(sum(r.seats), 0) as seats from refund r
         where r.venue_id = ${venue} and r.order_id = o.id and r.state = 'pending') going
     where o.venue_id = ${venue} and o.occurrence_id = ${occurrence}`)

export const mostFoundAtDoor = 20

/** A date's orders by what somebody at the door says: their name or a part of it, an order's number, an email address. */
export const ordersAtDoor = (
  db: Queries,
  { id: venue, slug }: { readonly id: VenueId; readonly slug: string },
  occurrence: number,
  typed: string,
): Promise<SoldOrderRow[]> => {
  const text = typed.replaceAll('\0', '').trim().slice(0, 100)
  const pattern = `%${text.toLowerCase().replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
  return db.many(sql(soldOrderRow)`
    select ${soldOrderColumns(venue)} ${fromOrders}
     where t.venue_id = ${venue} and t.occurrence_id = ${occurrence}
       and (t.order_number = any(${orderNumbersMeant(slug, text)})
         or t.buyer_email_key = ${isEmailAddress(text) ? emailKey(text) : null}::text
         or lower(coalesce(t.buyer_first_name, '') || ' ' || coalesce(t.buyer_last_name, '')) like ${pattern})
     order by t.buyer_last_name, t.buyer_first_name, t.id limit ${mostFoundAtDoor}`)
}
