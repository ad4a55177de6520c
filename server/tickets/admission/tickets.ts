import type { Work } from '../../context.ts'
import { type SoldOrderRow, soldOrderForUpdate } from '../order-reads.ts'
import { validTickets } from '../states.ts'
import { type TicketRow, ticketsOfOrders } from './ticket-reads.ts'
import { insertTickets, voidTickets } from './ticket-writes.ts'

/*
 * The tickets of an order. Cast: what sells an order or confirms its payment makes them with its commit (order-writes.ts),
 * what gives seats back voids them with its own (order-moves.ts). Orders of before there were tickets, of the demo, and
 * of a process of the release before have none: they get theirs here, the first time that somebody needs them. A
 * migration would write millions of rows for evenings that are over, and those orders would still be without.
 */

type Order = Pick<SoldOrderRow, 'id' | 'status' | 'seats' | 'seats_returned'>

/** The tickets of orders, by their numbers; none of one that was never paid. */
export const ticketsOf = async (
  { db, venue, now }: Pick<Work, 'db' | 'venue' | 'now'>,
  orders: readonly Order[],
): Promise<Map<number, readonly TicketRow[]>> => {
  if (orders.length === 0) return new Map()
  const ids = orders.map(({ id }) => id)
  const kept = Map.groupBy(await ticketsOfOrders(db, venue.id, ids), (row) => row.order_id)
  const amiss = orders.filter((order) => isAmiss(order, kept.get(order.id) ?? []))
  if (amiss.length === 0) return kept
  for (const { id } of amiss.toSorted((one, other) => one.id - other.id)) {
    // Read again, and locked: seats may have gone back since.
    const order = await soldOrderForUpdate(db, venue.id, id)
    if (!order) continue
    const valid = validTickets(order)
    if (valid > 0) await insertTickets(db, venue.id, order.id, order.seats)
    await voidTickets(db, venue.id, order.id, { valid, chosen: [] }, now())
  }
  return Map.groupBy(await ticketsOfOrders(db, venue.id, ids), (row) => row.order_id)
}

/** Whether an order lacks tickets, or has more valid ones than seats. */
const isAmiss = (order: Order, tickets: readonly TicketRow[]): boolean => {
  const valid = validTickets(order)
  const isShort = valid > 0 && tickets.length < order.seats
  return isShort || tickets.filter((ticket) => ticket.void_at === null).length > valid
}
