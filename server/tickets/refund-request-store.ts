import type { Queries } from '../platform/db/pool.ts'
import { type RowOf, columnsOf, sql } from '../platform/db/sql.ts'
import type { VenueId } from '../core/venue/venue.ts'

export const refundRequestRow = {
  id: 'int8',
  order_id: 'int8',
  amount_cents: 'int4',
  reason: 'text?',
  status: 'text',
  asked_at: 'timestamptz',
  answered_at: 'timestamptz?',
} as const
export type RefundRequestRow = RowOf<typeof refundRequestRow>

export const insertRefundRequest = (
  db: Queries,
  venue: VenueId,
  {
    orderId,
    amountCents,
    reason,
    key,
  }: {
    readonly orderId: number
    readonly amountCents: number
    readonly reason: string | null
    readonly key: number | null
  },
  now: Temporal.Instant,
): Promise<RefundRequestRow> =>
  db.one(sql(refundRequestRow)`
    insert into refund_request (venue_id, order_id, amount_cents, reason, status, asked_by_key, asked_at)
    values (${venue}, ${orderId}, ${amountCents}, ${reason}, 'asked', ${key}, ${now})
    returning ${columnsOf(refundRequestRow)}`)

/** Undefined when it does not belong to this order, or was answered before. */
export const answerRefundRequest = (
  db: Queries,
  venue: VenueId,
  { order, request }: { readonly order: number; readonly request: number },
  status: 'granted' | 'declined',
  now: Temporal.Instant,
): Promise<RefundRequestRow | undefined> =>
  db.maybe(sql(refundRequestRow)`
    update refund_request set status = ${status}, answered_at = ${now}
     where venue_id = ${venue} and id = ${request} and order_id = ${order} and status = 'asked'
    returning ${columnsOf(refundRequestRow)}`)

/** What is asked for of an order and not answered. */
export const centsAsked = async (db: Queries, venue: VenueId, order: number): Promise<number> => {
  const { cents } = await db.one(sql({ cents: 'int8' })`
    select coalesce(sum(amount_cents), 0) as cents from refund_request
     where venue_id = ${venue} and order_id = ${order} and status = 'asked'`)
  return cents
}

const mostOfOrder = 500

/** Every request of an order, oldest first. */
export const refundRequestsOf = (db: Queries, venue: VenueId, order: number): Promise<RefundRequestRow[]> =>
  db.many(sql(refundRequestRow)`
    select ${columnsOf(refundRequestRow)} from refund_request
     where venue_id = ${venue} and order_id = ${order} order by id limit ${mostOfOrder}`)

const waitingRow = {
  ...refundRequestRow,
  order_number: 'text',
  buyer_first_name: 'text?',
  buyer_last_name: 'text?',
  buyer_email: 'text?',
} as const
export type RefundToAnswer = RowOf<typeof waitingRow>

/** Those that wait for an answer, oldest first, with whose order it is. */
export const refundsToAnswer = (db: Queries, venue: VenueId, most: number): Promise<RefundToAnswer[]> =>
  db.many(sql(waitingRow)`
    select ${columnsOf(refundRequestRow, 'r')}, t.order_number, t.buyer_first_name, t.buyer_last_name, t.buyer_email
      from refund_request r join ticket_order t on t.venue_id = r.venue_id and t.id = r.order_id
     where r.venue_id = ${venue} and r.status = 'asked'
     order by r.asked_at, r.id limit ${most}`)
