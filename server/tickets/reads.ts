import type { Queries } from '../platform/db/pool.ts'
import { fragment, quickRead, sql } from '../platform/db/sql.ts'
import { statesIn } from '../core/events/record-states.ts'
import type { VenueId } from '../core/venue/venue.ts'
import { type TicketOrderRow, ticketOrderRow } from './order.ts'

/** An order shows the name of its event, and the title, day and time of its date. */
export const orderColumns = fragment(`
  t.id, t.order_number, t.status, t.channel, t.payment_method,
  t.buyer_first_name, t.buyer_last_name, t.buyer_email, t.buyer_phone,
  e.name as event_name, o.title as occurrence_title, o.date as event_date, o.start_time as event_start_time,
  t.subtotal_cents, t.discount_cents, t.fee_cents, t.tax_cents, t.total_cents, t.refunded_cents,
  t.promo_code, t.marketing_opt_in, t.paid_at, t.external_reference, t.currency, t.created_at, t.updated_at, t.revision`)
export const fromOrders = fragment(`
  from ticket_order t
  join occurrence o on o.venue_id = t.venue_id and o.id = t.occurrence_id
  join ticketed_event e on e.venue_id = o.venue_id and e.id = o.event_id`)

export const ticketOrderById = (
  db: Queries,
  venue: VenueId,
  id: number,
): Promise<TicketOrderRow | undefined> =>
  db.maybe(
    quickRead(sql(ticketOrderRow)`
    select ${orderColumns} ${fromOrders} where t.venue_id = ${venue} and t.id = ${id}`),
  )

export const ticketOrdersByIds = (
  db: Queries,
  venue: VenueId,
  ids: readonly number[],
): Promise<TicketOrderRow[]> =>
  db.many(sql(ticketOrderRow)`
    select ${orderColumns} ${fromOrders}
     where t.venue_id = ${venue} and t.id = any(${ids}::bigint[])`)

export const ticketOrderStates = statesIn(fragment('ticket_order'))
