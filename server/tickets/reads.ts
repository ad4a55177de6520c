import type { Queries } from '../platform/db/pool.ts'
import { type RowOf, fragment, quickRead, sql } from '../platform/db/sql.ts'
import { statesIn } from '../core/events/record-states.ts'
import type { VenueId } from '../core/venue/venue.ts'

export const ticketOrderRow = {
  id: 'int8',
  order_number: 'text',
  status: 'text',
  channel: 'text',
  payment_method: 'text',
  buyer_first_name: 'text?',
  buyer_last_name: 'text?',
  buyer_email: 'text?',
  buyer_phone: 'text?',
  event_name: 'text',
  occurrence_title: 'text?',
  event_date: 'date',
  event_start_time: 'time?',
  subtotal_cents: 'int4',
  discount_cents: 'int4',
  fee_cents: 'int4',
  tax_cents: 'int4',
  total_cents: 'int4',
  refunded_cents: 'int4',
  promo_code: 'text?',
  marketing_opt_in: 'bool?',
  paid_at: 'timestamptz?',
  external_reference: 'text?',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
  revision: 'int4',
} as const
export type TicketOrderRow = RowOf<typeof ticketOrderRow>

/** An order shows the name of its event, and the title, day and time of its date. */
export const orderColumns = fragment(`
  t.id, t.order_number, t.status, t.channel, t.payment_method,
  t.buyer_first_name, t.buyer_last_name, t.buyer_email, t.buyer_phone,
  e.name as event_name, o.title as occurrence_title, o.date as event_date, o.start_time as event_start_time,
  t.subtotal_cents, t.discount_cents, t.fee_cents, t.tax_cents, t.total_cents, t.refunded_cents,
  t.promo_code, t.marketing_opt_in, t.paid_at, t.external_reference, t.created_at, t.updated_at, t.revision`)
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
