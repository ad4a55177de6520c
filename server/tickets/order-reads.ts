import type { TicketOrderStatus } from '@venue-data/contract/records/ticket-order.ts'
import type { Queries } from '../platform/db/pool.ts'
import { type Fragment, type RowOf, columnsOf, fragment, part, sql } from '../platform/db/sql.ts'
import { emailKey, isEmailAddress } from '../platform/kernel/email.ts'
import { type ListPage, type PageAsked, newestPlace, pageOf } from '../platform/kernel/list-page.ts'
import { isNotSent, waitsForBank } from '../core/money/matter-store.ts'
import type { VenueId } from '../core/venue/venue.ts'
import { orderNumbersMeant } from './order-number.ts'
import { ticketOrderRow } from './order.ts'
import { fromOrders, orderColumns } from './reads.ts'

/** An order as staff handle it: its public shape and what the moves need to know. */
export const soldOrderRow = {
  ...ticketOrderRow,
  occurrence_id: 'int8',
  seats: 'int4',
  seats_returned: 'int4',
  promo_code_id: 'int8?',
  version: 'int4',
  /** Of what went back, what a bank took by a dispute. */
  lost_cents: 'int4',
  /** The bank’s own sum: also what it took beyond what was left. */
  taken_cents: 'int4',
} as const
export type SoldOrderRow = RowOf<typeof soldOrderRow>

const byDispute = (venue: VenueId, cents: 'f.amount_cents' | 'f.amount_cents + f.beyond_cents'): Fragment =>
  part`case when t.refunded_cents = 0 then 0 else (
  select coalesce(sum(${fragment(cents)}), 0)::integer from refund f
   where f.venue_id = ${venue} and f.order_id = t.id and f.state = 'succeeded' and f.origin = 'dispute') end`
export const soldOrderColumns = (venue: VenueId): Fragment => part`
  ${orderColumns}, t.occurrence_id, t.seats, t.seats_returned, t.promo_code_id, t.version,
  ${byDispute(venue, 'f.amount_cents')} as lost_cents, ${byDispute(venue, 'f.amount_cents + f.beyond_cents')} as taken_cents`

export const soldOrder = (db: Queries, venue: VenueId, order: number): Promise<SoldOrderRow | undefined> =>
  db.maybe(
    sql(
      soldOrderRow,
    )`select ${soldOrderColumns(venue)} ${fromOrders} where t.venue_id = ${venue} and t.id = ${order}`,
  )

/** The same, locked until the transaction ends. */
export const soldOrderForUpdate = async (
  db: Queries,
  venue: VenueId,
  order: number,
): Promise<SoldOrderRow | undefined> => {
  const held = await db.maybe(sql({ id: 'int8' })`
    select id from ticket_order where venue_id = ${venue} and id = ${order} for update`)
  return held && soldOrder(db, venue, order)
}

/** The order that has a reference of the software which made it. */
export const orderOfReference = (
  db: Queries,
  venue: VenueId,
  reference: string,
): Promise<SoldOrderRow | undefined> =>
  db.maybe(sql(soldOrderRow)`
    select ${soldOrderColumns(venue)} ${fromOrders} where t.venue_id = ${venue} and t.external_reference = ${reference}`)

/** The last orders bought under an address, by its key, newest first. */
export const ordersOfBuyer = (
  db: Queries,
  venue: VenueId,
  buyerKey: string,
  most: number,
): Promise<SoldOrderRow[]> =>
  db.many(sql(soldOrderRow)`
    select ${soldOrderColumns(venue)} ${fromOrders}
     where t.venue_id = ${venue} and t.buyer_email_key = ${buyerKey}
     order by t.created_at desc, t.id desc limit ${most}`)

/** Orders newest first, optionally of one status or one date. */
export const ordersPage = async (
  db: Queries,
  venue: VenueId,
  {
    status = null,
    occurrence = null,
  }: { readonly status?: TicketOrderStatus | null; readonly occurrence?: number | null },
  { limit, after }: PageAsked,
): Promise<ListPage<SoldOrderRow>> => {
  const { at, id } = newestPlace(after)
  // Separate statements, so that each is planned with its own index.
  const rows = await db.many(
    status !== null
      ? sql(soldOrderRow)`
        select ${soldOrderColumns(venue)} ${fromOrders}
         where t.venue_id = ${venue} and t.status = ${status} and (t.created_at, t.id) < (${at}, ${id})
           and (${occurrence}::bigint is null or t.occurrence_id = ${occurrence})
         order by t.created_at desc, t.id desc limit ${limit + 1}`
      : occurrence !== null
        ? sql(soldOrderRow)`
          select ${soldOrderColumns(venue)} ${fromOrders}
           where t.venue_id = ${venue} and t.occurrence_id = ${occurrence} and (t.created_at, t.id) < (${at}, ${id})
           order by t.created_at desc, t.id desc limit ${limit + 1}`
        : sql(soldOrderRow)`
          select ${soldOrderColumns(venue)} ${fromOrders}
           where t.venue_id = ${venue} and (t.created_at, t.id) < (${at}, ${id})
           order by t.created_at desc, t.id desc limit ${limit + 1}`,
  )
  return pageOf(rows, limit, (row) => [row.created_at, row.id])
}

const mostFound = 50

/** The orders a number read out at the door may mean, or bought under an email address; newest first. */
export const findOrders = (
  db: Queries,
  { id: venue, slug }: { readonly id: VenueId; readonly slug: string },
  typed: string,
): Promise<SoldOrderRow[]> => {
  const text = typed.replaceAll('\0', '').slice(0, 254)
  return db.many(
    isEmailAddress(text)
      ? sql(soldOrderRow)`
        select ${soldOrderColumns(venue)} ${fromOrders}
         where t.venue_id = ${venue} and t.buyer_email_key = ${emailKey(text)}
         order by t.created_at desc, t.id desc limit ${mostFound}`
      : sql(soldOrderRow)`
        select ${soldOrderColumns(venue)} ${fromOrders}
         where t.venue_id = ${venue} and t.order_number = any(${orderNumbersMeant(slug, text)})
         order by t.created_at desc, t.id desc limit ${mostFound}`,
  )
}

export const refundRow = {
  id: 'int8',
  order_id: 'int8',
  amount_cents: 'int4',
  /** Moved at the processor beyond what the order had left: it comes off nothing. */
  beyond_cents: 'int4',
  seats: 'int4',
  /** Had gone back with it before it failed, or with the one that it is another try of: nothing takes them back once more. */
  gone_seats: 'int4',
  via: 'text',
  state: 'text',
  answer: 'text?',
  retry_of: 'int8?',
  tickets: 'int4[]?',
  payment_id: 'int8?',
  origin: 'text',
  made_at: 'timestamptz',
  settled_at: 'timestamptz?',
} as const
export type RefundRow = RowOf<typeof refundRow>

const attemptRow = { ...refundRow, waits: 'bool', not_sent: 'bool' } as const
/** With whether it waits for a dispute of its payment, or will not be sent as that took it. */
export type AttemptRow = RowOf<typeof attemptRow>

const mostRefunds = 500

/** Every refund attempt of an order, in the order they were made. */
export const refundsOfOrder = (db: Queries, venue: VenueId, order: number): Promise<AttemptRow[]> =>
  db.many(sql(attemptRow)`
    select ${columnsOf(refundRow, 'r')}, r.state = 'pending' and ${waitsForBank(venue, 'r')} as waits, ${isNotSent(venue)} as not_sent
      from refund r left join payment p on p.venue_id = r.venue_id and p.id = r.payment_id
     where r.venue_id = ${venue} and r.order_id = ${order} order by r.id limit ${mostRefunds}`)

export const refundById = (db: Queries, venue: VenueId, refund: number): Promise<RefundRow | undefined> =>
  db.maybe(sql(refundRow)`
    select ${columnsOf(refundRow)} from refund where venue_id = ${venue} and id = ${refund}`)

/** Pending refunds, not settled yet. */
export const pendingRefunds = (
  db: Queries,
  venue: VenueId,
  order: number,
): Promise<{ cents: number; seats: number }> =>
  db.one(sql({ cents: 'int4', seats: 'int4' })`
    select coalesce(sum(amount_cents), 0)::integer as cents, coalesce(sum(seats), 0)::integer as seats from refund
     where venue_id = ${venue} and order_id = ${order} and state = 'pending'`)
