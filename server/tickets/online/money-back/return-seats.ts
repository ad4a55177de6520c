import { paymentOfOrder } from '../../../core/money/payment-store.ts'
import { leastCoin } from '../../../core/money/currency.ts'
import type { Work } from '../../../context.ts'
import { refuse } from '../../../platform/kernel/refusal.ts'
import { momentWallReaches } from '../../../platform/kernel/time/venue-clock.ts'
import { ticketsOfOrders } from '../../admission/ticket-reads.ts'
import { eventOfOccurrence } from '../../event-reads.ts'
import { endOfDay } from '../../on-sale.ts'
import { type SoldOrderRow, refundsOfOrder, soldOrderForUpdate } from '../../order-reads.ts'
import { recordRefund } from '../../refunds.ts'
import { centsBackFor, centsToShare } from '../../return-rules.ts'
import { validTickets } from '../../states.ts'

/*
 * Buyers return seats of their own order, where the event lets them: until so many hours before it begins, and only what
 * was paid through the processor, which sends their part of it back. It is a refund like staff's.
 */

export type Returnable = {
  /** So many at the most. */
  readonly seats: number
  readonly until: Temporal.Instant
  readonly centsFor: (seats: number) => number
}

type Reading = Pick<Work, 'db' | 'venue' | 'now'>

/** What a buyer may return now; undefined: nothing. */
export const returnableOf = async (work: Reading, order: SoldOrderRow): Promise<Returnable | undefined> =>
  (await returnOf(work, order)).returnable

type Return = {
  readonly returnable: Returnable | undefined
  /** The event lets seats be returned, and its buyer has to ask for it: the account that took the money was removed. */
  readonly isByVenue: boolean
}

/** What a buyer may return now, and whether only the venue can give the money back. */
export const returnOf = async (work: Reading, order: SoldOrderRow): Promise<Return> => {
  const open = await openReturn(work, order)
  if (open?.payment?.is_removed) return { returnable: undefined, isByVenue: validTickets(order) > 0 }
  const isOpen = open?.payment !== undefined && !open.payment.is_held
  return { returnable: isOpen ? await seatsToReturn(work, order, open) : undefined, isByVenue: false }
}

const seatsToReturn = async (
  { db, venue }: Reading,
  order: SoldOrderRow,
  { event, until }: OpenReturn,
): Promise<Returnable | undefined> => {
  const refunds = await refundsOfOrder(db, venue.id, order.id)
  const pending = refunds.reduce((sum, { state, seats }) => sum + (state === 'pending' ? seats : 0), 0)
  const centsLeft = centsToShare(order, refunds)
  const tickets = await ticketsOfOrders(db, venue.id, [order.id])
  const seatsLeft = validTickets(order) - pending
  // Who came in does not return their seat.
  const isIn = tickets.filter(({ in_at, void_at }) => in_at !== null && void_at === null).length
  const seats = seatsLeft - isIn
  const centsFor = (returned: number): number =>
    centsBackFor({
      ...{ seats: returned, seatsLeft, centsLeft },
      ...{ seatsSold: order.seats, feeCents: order.fee_cents, keepsFee: event.return_keeps_fee },
      coin: leastCoin(order.currency ?? 'USD'),
    })
  return seats > 0 && centsFor(seats) > 0 ? { seats, until, centsFor } : undefined
}

type OpenReturn = NonNullable<Awaited<ReturnType<typeof openReturn>>>

/** Until when the event lets its buyers return seats, while it does, and what was paid online. */
const openReturn = async ({ db, venue, now }: Reading, order: SoldOrderRow) => {
  const event = await eventOfOccurrence(db, venue.id, order.occurrence_id)
  if (event?.return_hours == null) return undefined
  const until = beginOf(order, venue.timezone).subtract({ hours: event.return_hours })
  if (Temporal.Instant.compare(now(), until) >= 0) return undefined
  return { event, until, payment: await paymentOfOrder(db, venue.id, order.id) }
}

/** Returns seats for the sum that the buyer was shown. Refused where that is another by now, such as after a second press. */
export const returnSeats = async (
  work: Work,
  { order: id, seats, shownCents, seenVersion }: ReturnAsked,
): Promise<void> => {
  const order = await soldOrderForUpdate(work.db, work.venue.id, id)
  const returnable = order && (await returnableOf(work, order))
  const cents = returnable && seats <= returnable.seats ? returnable.centsFor(seats) : 0
  if (!order || order.version !== seenVersion || cents === 0 || cents !== shownCents)
    throw refuse('not-in-state', 'These seats can no longer be returned like that.')
  await recordRefund(
    work,
    { kind: 'guest' },
    { order: id, seenVersion, amountCents: cents, seats, via: 'processor', outcome: 'pending' },
  )
}

type ReturnAsked = {
  readonly order: number
  readonly seats: number
  readonly shownCents: number
  readonly seenVersion: number
}

/** When it begins; a date without a time begins as its day ends. */
const beginOf = (
  { event_date: date, event_start_time: time }: SoldOrderRow,
  zone: string,
): Temporal.Instant =>
  time === null ? endOfDay(date, zone) : momentWallReaches({ date, time: time.slice(0, 5) }, zone)
