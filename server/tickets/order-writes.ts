import type {
  PaymentMethod,
  TicketChannel,
  TicketOrderStatus,
} from '@venue-data/contract/records/ticket-order.ts'
import type { Queries } from '../platform/db/pool.ts'
import { columnsOf, sql } from '../platform/db/sql.ts'
import { withCommit } from '../platform/db/kept/with-commit.ts'
import { noted } from '../core/events/note-change.ts'
import { emailKey } from '../platform/kernel/email.ts'
import type { VenueId } from '../core/venue/venue.ts'
import { insertTickets } from './admission/ticket-writes.ts'
import { type RefundRow, refundRow } from './order-reads.ts'
import type { Price } from '../core/money/price.ts'
import { type OrderMove, type RefundState, type RefundWay, validTickets } from './states.ts'

export type NewOrder = {
  readonly occurrenceId: number
  readonly orderNumber: string
  readonly status: TicketOrderStatus
  readonly channel: TicketChannel
  readonly method: PaymentMethod
  readonly buyer: Buyer
  readonly seats: number
  /** Given back as it is sold: it was paid for too late. */
  readonly seatsReturned?: number
  readonly price: Price
  readonly promoCode: { readonly id: number; readonly code: string } | null
  readonly marketingOptIn: boolean | null
  readonly reference: string | null
  /** Null: the venue's is not known. */
  readonly currency: string | null
  /** In which the buyer is written to. */
  readonly language?: string
}

export type Buyer = {
  readonly firstName: string | null
  readonly lastName: string | null
  readonly email: string | null
  readonly phone: string | null
}

/** The new order's id; undefined when its number or its reference is taken. */
export const insertOrder = async (
  db: Queries,
  venue: VenueId,
  {
    occurrenceId,
    orderNumber,
    status,
    channel,
    method,
    buyer,
    seats,
    seatsReturned = 0,
    price,
    promoCode,
    ...more
  }: NewOrder,
  now: Temporal.Instant,
): Promise<number | undefined> => {
  const made = await noted(
    db,
    venue,
    'ticket_order',
    now,
    db.maybe(sql({ id: 'int8', revision: 'int4' })`
    insert into ticket_order (
      venue_id, occurrence_id, order_number, status, channel, payment_method, buyer_first_name, buyer_last_name,
      buyer_email, buyer_email_key, buyer_phone, seats, seats_returned, subtotal_cents, discount_cents, fee_cents, tax_cents,
      total_cents, promo_code, promo_code_id, marketing_opt_in, external_reference, currency, language, paid_at, created_at, updated_at)
    values (
      ${venue}, ${occurrenceId}, ${orderNumber}, ${status}, ${channel}, ${method}, ${buyer.firstName}, ${buyer.lastName},
      ${buyer.email}, ${buyer.email === null ? null : emailKey(buyer.email)}, ${buyer.phone}, ${seats}, ${seatsReturned},
      ${price.subtotalCents}, ${price.discountCents}, ${price.feeCents}, ${price.taxCents}, ${price.totalCents},
      ${promoCode?.code ?? null}, ${promoCode?.id ?? null}, ${more.marketingOptIn}, ${more.reference}, ${more.currency}, ${more.language ?? null},
      ${status === 'paid' ? now : null}, ${now}, ${now})
    on conflict do nothing
    returning id, revision`),
  )
  if (made && validTickets({ status, seats, seats_returned: seatsReturned }) > 0)
    makeTickets(db, venue, made.id, seats)
  return made?.id
}

/** Makes an order's tickets, with the commit: no trip more. */
export const makeTickets = (db: Queries, venue: VenueId, order: number, seats: number): void =>
  withCommit(db, () => insertTickets(db, venue, order, seats))

/** Writes a move. False when the order is not in any of the statuses it may start from. */
export const writeOrderMove = async (
  db: Queries,
  venue: VenueId,
  order: number,
  { from }: OrderMove,
  to: { readonly status: TicketOrderStatus; readonly refundedCents: number; readonly seatsReturned: number },
  now: Temporal.Instant,
): Promise<boolean> =>
  (await noted(
    db,
    venue,
    'ticket_order',
    now,
    db.maybe(sql({ id: 'int8', revision: 'int4' })`
    update ticket_order set
      status = ${to.status}, refunded_cents = ${to.refundedCents}, seats_returned = ${to.seatsReturned},
      paid_at = case when ${to.status} = 'paid' then coalesce(paid_at, ${now}) else paid_at end,
      updated_at = ${now}, version = version + 1, revision = revision + 1
    where venue_id = ${venue} and id = ${order} and status = any(${[...from]})
    returning id, revision`),
  )) !== undefined

/** Counts a change outside the order's own columns: a pending refund. */
export const countOrderChange = (db: Queries, venue: VenueId, order: number): Promise<number> =>
  db.run(sql()`update ticket_order set version = version + 1 where venue_id = ${venue} and id = ${order}`)

export type NewRefund = {
  readonly orderId: number
  readonly amountCents: number
  readonly seats: number
  readonly via: RefundWay
  readonly state: RefundState
  readonly answer: string | null
  readonly retryOf: number | null
  /** Of the one that it is another try of: seats that had gone back with that. */
  readonly goneSeats?: number
  /** The tickets that become void with it; null: the highest numbers. */
  readonly tickets: readonly number[] | null
}

export const insertRefund = (
  db: Queries,
  venue: VenueId,
  { orderId, amountCents, seats, goneSeats = 0, via, state, answer, retryOf, tickets }: NewRefund,
  now: Temporal.Instant,
): Promise<RefundRow> =>
  db.one(sql(refundRow)`
    insert into refund (
      venue_id, order_id, amount_cents, seats, gone_seats, via, state, answer, retry_of, tickets, made_at, settled_at)
    values (
      ${venue}, ${orderId}, ${amountCents}, ${seats}, ${goneSeats}, ${via}, ${state}, ${answer}, ${retryOf}, ${tickets && [...tickets]}, ${now},
      ${state === 'pending' ? null : now})
    returning ${columnsOf(refundRow)}`)

/** A refund that the processor makes: pending until it says how it ended. */
export const insertOnlineRefund = (
  db: Queries,
  venue: VenueId,
  refund: Pick<NewRefund, 'orderId' | 'amountCents' | 'seats' | 'goneSeats'> & {
    readonly payment: number
    readonly ref: string
    readonly retryOf?: number | null
    readonly tickets?: readonly number[] | null
  },
  now: Temporal.Instant,
): Promise<RefundRow> =>
  db.one(sql(refundRow)`
    insert into refund (
      venue_id, order_id, amount_cents, seats, gone_seats, via, state, retry_of, tickets, made_at, payment_id, ref, look_at)
    values (
      ${venue}, ${refund.orderId}, ${refund.amountCents}, ${refund.seats}, ${refund.goneSeats ?? 0}, 'processor', 'pending',
      ${refund.retryOf ?? null}, ${refund.tickets ? [...refund.tickets] : null}, ${now}, ${refund.payment}, ${refund.ref}, ${now})
    returning ${columnsOf(refundRow)}`)

type RefundMove = { readonly from: readonly RefundState[]; readonly to: RefundState }

/**
 * Moves one attempt; undefined when it is not in any of the states the move starts from. Seats that went back with one
 * that had succeeded stay back, so another attempt takes no more.
 */
export const moveRefund = (
  db: Queries,
  venue: VenueId,
  refund: number,
  { from, to }: RefundMove,
  answer: string | null,
  now: Temporal.Instant,
): Promise<RefundRow | undefined> =>
  db.maybe(sql(refundRow)`
    update refund set
      state = ${to}, answer = coalesce(${answer}, answer), settled_at = ${now},
      arrived_at = case when state = 'succeeded' then settled_at else arrived_at end,
      came_back_at = case when state = 'succeeded' then ${now} else came_back_at end,
      gone_seats = case when state = 'succeeded' then gone_seats + seats else gone_seats end,
      seats = case when state = 'succeeded' then 0 else seats end,
      tickets = case when state = 'succeeded' then null else tickets end
     where venue_id = ${venue} and id = ${refund} and state = any(${[...from]})
    returning ${columnsOf(refundRow)}`)

/** Closes the failure that an attempt is a retry of; `isAll`: every one, since nothing is left to give back. */
export const supersedeFailures = (
  db: Queries,
  venue: VenueId,
  { id, order_id: order, retry_of: retryOf }: Pick<RefundRow, 'id' | 'order_id' | 'retry_of'>,
  { from, to }: RefundMove,
  isAll = false,
): Promise<number> =>
  db.run(sql()`
    update refund set state = ${to}
     where venue_id = ${venue} and order_id = ${order} and id <> ${id} and state = any(${[...from]})
       and (${isAll}::boolean or id = ${retryOf}::bigint)`)
