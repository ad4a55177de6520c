import type { Queries } from '../../platform/db/pool.ts'
import { type RowOf, columnsOf, sql } from '../../platform/db/sql.ts'
import type { VenueId } from '../../core/venue/venue.ts'

export const ticketRow = {
  id: 'int8',
  order_id: 'int8',
  number: 'int4',
  code: 'text',
  void_at: 'timestamptz?',
  in_at: 'timestamptz?',
  in_by: 'int8?',
  door: 'text?',
} as const
export type TicketRow = RowOf<typeof ticketRow>

/** The tickets that some orders have so far, by their numbers. */
export const ticketsOfOrders = (
  db: Queries,
  venue: VenueId,
  orders: readonly number[],
): Promise<TicketRow[]> =>
  db.many(sql(ticketRow)`
    select ${columnsOf(ticketRow)} from ticket
     where venue_id = ${venue} and order_id = any(${orders}::bigint[])
     order by order_id, number`)
