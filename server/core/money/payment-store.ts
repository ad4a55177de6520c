import type { Queries } from '../../platform/db/pool.ts'
import { type RowOf, columnsOf, sql } from '../../platform/db/sql.ts'
import type { VenueId } from '../venue/venue.ts'
import { isTakenByRemoved } from './former-accounts.ts'
import { isHeldByBank } from './matter-store.ts'

/* Money that came in through the processor. Money that goes back is a refund of the order or of the guarantee. */

export const paymentRow = {
  id: 'int8',
  account_id: 'uuid',
  order_id: 'int8?',
  guarantee_id: 'int8?',
  amount_cents: 'int4',
  currency: 'text',
  state: 'text',
  processor_ref: 'text?',
} as const
export type PaymentRow = RowOf<typeof paymentRow>

export const insertPayment = (
  db: Queries,
  venue: VenueId,
  paid: {
    readonly ref: string
    readonly account: string
    /** Null: a card was charged without its guest. */
    readonly checkout: number | null
    /** Exactly one of the two. */
    readonly order?: number
    readonly guarantee?: number
    readonly amountCents: number
    readonly currency: string
    readonly processorRef: string | null
  },
  now: Temporal.Instant,
): Promise<PaymentRow> =>
  db.one(sql(paymentRow)`
    insert into payment (
      venue_id, ref, account_id, checkout_id, order_id, guarantee_id, amount_cents, currency, via, state,
      processor_ref, made_at, settled_at)
    values (
      ${venue}, ${paid.ref}, ${paid.account}, ${paid.checkout}, ${paid.order ?? null}, ${paid.guarantee ?? null},
      ${paid.amountCents}, ${paid.currency}, 'processor', 'succeeded', ${paid.processorRef}, ${now}, ${now})
    returning ${columnsOf(paymentRow)}`)

/** Money that came in another way, as somebody of the venue says: the processor knows nothing of it. */
export const keepPaidOtherwise = (
  db: Queries,
  venue: VenueId,
  paid: {
    readonly ref: string
    readonly account: string
    readonly guarantee: number
    readonly amountCents: number
    readonly currency: string
  },
  now: Temporal.Instant,
): Promise<number> =>
  db.run(sql()`
    insert into payment (
      venue_id, ref, account_id, guarantee_id, amount_cents, currency, via, state, made_at, settled_at)
    values (
      ${venue}, ${paid.ref}, ${paid.account}, ${paid.guarantee}, ${paid.amountCents}, ${paid.currency}, 'otherwise',
      'succeeded', ${now}, ${now})`)

/** With whether a bank holds it back, and whether the account that took it was removed since. */
const heldRow = { ...paymentRow, is_held: 'bool', is_removed: 'bool' } as const

/** What was paid online for an order; undefined when it was paid otherwise. */
export const paymentOfOrder = (
  db: Queries,
  venue: VenueId,
  order: number,
): Promise<RowOf<typeof heldRow> | undefined> =>
  db.maybe(sql(heldRow)`
    select ${columnsOf(paymentRow, 'p')}, ${isHeldByBank(venue)} as is_held,
           ${isTakenByRemoved(venue)} as is_removed
      from payment p
     where p.venue_id = ${venue} and p.order_id = ${order} and p.state = 'succeeded' order by p.id limit 1`)

/** What was paid by this name at the processor. */
export const paymentByProcessorRef = (
  db: Queries,
  venue: VenueId,
  processorRef: string,
): Promise<PaymentRow | undefined> =>
  db.maybe(sql(paymentRow)`
    select ${columnsOf(paymentRow)} from payment where venue_id = ${venue} and processor_ref = ${processorRef}`)

/** Whether a payment is written, by our name or by the processor's. */
export const isPaymentKnown = async (
  db: Queries,
  venue: VenueId,
  ref: string,
  processorRef: string,
): Promise<boolean> =>
  (await db.maybe(sql({ id: 'int8' })`
    select id from payment
     where venue_id = ${venue} and (ref = ${ref} or processor_ref = ${processorRef}) limit 1`)) !== undefined

export const paymentById = (db: Queries, venue: VenueId, id: number): Promise<PaymentRow | undefined> =>
  db.maybe(sql(paymentRow)`
    select ${columnsOf(paymentRow)} from payment where venue_id = ${venue} and id = ${id}`)

/** Whether it was paid for what could not be given: all of it goes back, and its buyer knows. */
export const wasRefused = async (db: Queries, venue: VenueId, payment: number): Promise<boolean> =>
  (await db.maybe(sql({ id: 'int8' })`
    select c.id from payment p join checkout c on c.venue_id = ${venue} and c.id = p.checkout_id
     where p.venue_id = ${venue} and p.id = ${payment} and c.state = 'refused'`)) !== undefined

/** How the money of a checkout went back, by the last try. */
export const refundOfCheckout = async (
  db: Queries,
  venue: VenueId,
  checkout: number,
): Promise<string | undefined> =>
  (
    await db.maybe(sql({ state: 'text' })`
      select f.state from payment p join refund f on f.venue_id = p.venue_id and f.payment_id = p.id
       where p.venue_id = ${venue} and p.checkout_id = ${checkout} order by f.id desc limit 1`)
  )?.state
