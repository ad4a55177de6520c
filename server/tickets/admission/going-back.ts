import type { Work } from '../../context.ts'
import {
  type AttemptRow,
  type RefundRow,
  type SoldOrderRow,
  pendingRefunds,
  refundsOfOrder,
} from '../order-reads.ts'
import { type TicketRow, ticketsOfOrders } from './ticket-reads.ts'

/** What of an order's money is on its way back to the card or did not arrive there, and the tickets that go with it. */
export type GoingBack = {
  readonly onWayCents: number
  /** Not sent yet: a bank disputes the payment. */
  readonly waitingCents: number
  readonly stuckCents: number
  /** Did not arrive there, and nobody sends it again: staff closed it. */
  readonly keptCents: number
  /** Numbers of the tickets that are void once their refund has arrived. */
  readonly tickets: ReadonlySet<number>
  /** Numbers of those that are void because the buyer’s bank took their payment back. */
  readonly taken: ReadonlySet<number>
}

/** The tickets that let somebody in, and stay. */
export const staying = (tickets: readonly TicketRow[], { tickets: going }: GoingBack): readonly TicketRow[] =>
  tickets.filter(({ void_at, number }) => void_at === null && !going.has(number))

export const goingBackOf = async (
  { db, venue }: Pick<Work, 'db' | 'venue'>,
  order: SoldOrderRow,
  tickets: readonly TicketRow[],
): Promise<GoingBack> => {
  const refunds = await refundsOfOrder(db, venue.id, order.id)
  const pending = refunds.filter(({ state }) => state === 'pending')
  const left = order.total_cents - order.refunded_cents - centsOf(pending)
  const toCard = ({ via }: RefundRow): boolean => via === 'processor'
  const ended = (as: string): number => centsOf(refunds.filter((one) => one.state === as && toCard(one)))
  // One that failed may have gone back by another since.
  const stuckCents = Math.min(ended('failed'), left)
  return {
    onWayCents: centsOf(pending.filter((one) => toCard(one) && !one.waits && !one.not_sent)),
    waitingCents: centsOf(pending.filter((one: AttemptRow) => one.waits)),
    stuckCents,
    keptCents: Math.min(ended('dismissed'), left - stuckCents),
    tickets: ticketsGoing(pending, left === 0, tickets),
    taken: new Set(tickets.filter((one) => isTakenByBank(refunds, one)).map(({ number }) => number)),
  }
}

/** The tickets of an order that are being returned: their money is on its way, so nobody comes in with them. */
export const ticketsGoingBack = async (
  { db, venue }: Pick<Work, 'db' | 'venue'>,
  order: SoldOrderRow,
): Promise<ReadonlySet<number>> => {
  const { cents } = await pendingRefunds(db, venue.id, order.id)
  if (cents === 0) return new Set()
  return (await goingBackOf({ db, venue }, order, await ticketsOfOrders(db, venue.id, [order.id]))).tickets
}

/**
 * Whether a ticket is void because the buyer’s bank took its payment back: that was the last money that went back by then. A seat
 * that was returned before that stays one that was returned.
 */
export const isTakenByBank = (
  refunds: readonly RefundRow[],
  { void_at }: Pick<TicketRow, 'void_at'>,
): boolean => {
  if (void_at === null) return false
  const before = refunds.filter(
    ({ state, origin, settled_at }) =>
      settled_at !== null && settled_at <= void_at && (state === 'succeeded' || origin === 'dispute'),
  )
  return before.toSorted(bySettled).at(-1)?.origin === 'dispute'
}

const bySettled = (one: RefundRow, other: RefundRow): number =>
  (one.settled_at ?? '').localeCompare(other.settled_at ?? '') || one.id - other.id

const centsOf = (refunds: readonly RefundRow[]): number =>
  refunds.reduce((sum, { amount_cents: cents }) => sum + cents, 0)

/** The same as become void then: with all the money all of them, else the chosen ones, then the highest numbers. */
const ticketsGoing = (
  pending: readonly RefundRow[],
  isWhole: boolean,
  tickets: readonly TicketRow[],
): ReadonlySet<number> => {
  if (pending.length === 0) return new Set()
  const chosen = new Set(pending.flatMap((refund) => refund.tickets ?? []))
  const last = (ticket: TicketRow): number =>
    (chosen.has(ticket.number) ? 2 : 0) + (ticket.in_at === null ? 1 : 0)
  const valid = tickets
    .filter(({ void_at }) => void_at === null)
    .toSorted((one, other) => last(one) - last(other) || one.number - other.number)
  const seats = pending.reduce((sum, refund) => sum + refund.seats, 0)
  const stay = isWhole ? 0 : Math.max(0, valid.length - seats)
  return new Set(valid.slice(stay).map(({ number }) => number))
}
