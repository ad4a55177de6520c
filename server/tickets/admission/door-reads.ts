import type { Queries } from '../../platform/db/pool.ts'
import { sql } from '../../platform/db/sql.ts'
import { emailKey, isEmailAddress } from '../../platform/kernel/email.ts'
import type { VenueId } from '../../core/venue/venue.ts'
import { orderNumbersMeant } from '../order-number.ts'
import { type SoldOrderRow, soldOrderColumns, soldOrderRow } from '../order-reads.ts'
import { fromOrders } from '../reads.ts'
import { admittingStatuses } from '../states.ts'

/** Of a date: how many are in, and how many have a valid ticket. */
export const countsOfDate = async (
  db: Queries,
  venue: VenueId,
  occurrence: number,
): Promise<{ readonly in: number; readonly expected: number }> => {
  const [expected, came] = await Promise.all([
    db.one(sql({ seats: 'int4' })`
      select coalesce(sum(seats - seats_returned), 0)::integer as seats from ticket_order
       where venue_id = ${venue} and occurrence_id = ${occurrence} and status = any(${[...admittingStatuses]})`),
    db.one(sql({ people: 'int4' })`
      select count(*)::integer as people
        from ticket_order o join ticket t on t.venue_id = o.venue_id and t.order_id = o.id
       where o.venue_id = ${venue} and o.occurrence_id = ${occurrence} and t.in_at is not null`),
  ])
  return { in: came.people, expected: expected.seats }
}

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
