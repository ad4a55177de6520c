import type { TicketOrder, TicketOrderStatus } from '@venue-data/contract/records/ticket-order.ts'
import { type Actor, doerOf } from '../core/activity/actor.ts'
import { recordActivity } from '../core/activity/record.ts'
import type { Work } from '../context.ts'
import { isMoneyAwaited } from '../core/money/checkout-store.ts'
import { recordEvent } from '../core/events/record.ts'
import { withCommit } from '../platform/db/kept/with-commit.ts'
import { Refusal } from '../platform/kernel/refusal.ts'
import { asSeen } from '../platform/kernel/running/seen-version.ts'
import { type SoldOrderRow, soldOrder, soldOrderForUpdate } from './order-reads.ts'
import { voidTickets } from './admission/ticket-writes.ts'
import { makeTickets, writeOrderMove } from './order-writes.ts'
import { mailTickets } from './admission/mail-tickets.ts'
import { isMadeByKey, presentTicketOrder } from './order.ts'
import {
  type OrderCondition,
  type OrderMove,
  type OrderMoveName,
  orderMoves,
  validTickets,
} from './states.ts'

export type SeenOrder = { readonly order: number; readonly seenVersion: number }
export type MovedOrder = { readonly order: TicketOrder; readonly version: number }

/**
 * The money for an order has arrived: paid, emitted once as `ticket_order.paid`. Staff confirm only money from
 * outside the processor. Refuses an order that is not awaiting payment.
 */
export const confirmPayment = (work: Work, actor: Actor, seen: SeenOrder): Promise<MovedOrder> =>
  moveOrder(work, actor, 'confirmPayment', seen)

/** Cancels an order that took no money: never confirmed, or with nothing to pay. Its seats are freed. Refuses one whose money is on its way. */
export const cancelOrder = async (work: Work, actor: Actor, seen: SeenOrder): Promise<MovedOrder> => {
  const row = await soldOrder(work.db, work.venue.id, seen.order)
  if (row && (await isMoneyAwaited(work.db, work.venue.id, row))) throw new Refusal(409, moneyAwaited)
  return moveOrder(work, actor, 'cancel', seen)
}

/** Why nobody cancels an order whose money is on its way: it would have to go back. */
export const moneyAwaited =
  'The bank has not confirmed this payment yet. If it fails, the order is cancelled by itself.'

const moveOrder = async (
  work: Work,
  actor: Actor,
  move: OrderMoveName,
  { order, seenVersion }: SeenOrder,
): Promise<MovedOrder> => {
  const row = asSeen('order', await soldOrderForUpdate(work.db, work.venue.id, order), seenVersion)
  refuseMove(actor, move, row)
  return writeMoved(work, actor, move, row, {}, {})
}

/** Refuses what the table of moves does not allow: who asks, the status, the condition. */
export const refuseMove = (actor: Actor, name: OrderMoveName, row: SoldOrderRow): void => {
  const move: OrderMove = orderMoves[name]
  if (!move.who.includes(doerOf(actor))) throw new Refusal(403, 'Your role cannot do this with an order.')
  if (!move.from.some((status) => status === row.status)) {
    throw new Refusal(409, `This order is ${statusInWords(row.status)}, so this cannot be done now.`)
  }
  const mistake = move.condition && conditions[move.condition](actor, row)
  if (mistake) throw new Refusal(409, mistake)
}

/** Writes a move of a locked order, its event and its activity. */
export const writeMoved = async (
  work: Work,
  actor: Actor,
  name: OrderMoveName,
  row: SoldOrderRow,
  to: {
    readonly refundedCents?: number
    readonly seatsReturned?: number
    /** The tickets that become void first. */
    readonly tickets?: readonly number[] | null
    /** What the trail calls it, where that is not the name of the move. */
    readonly saidAs?: 'loseToDispute' | 'winDispute' | undefined
  },
  more: Readonly<Record<string, unknown>>,
): Promise<MovedOrder> => {
  const { db, venue } = work
  const move: OrderMove = orderMoves[name]
  const refundedCents = to.refundedCents ?? row.refunded_cents
  const now = work.now()
  const written = await writeOrderMove(
    db,
    venue.id,
    row.id,
    move,
    {
      status: move.to === 'by cents' ? statusByCents(row.total_cents, refundedCents) : move.to,
      refundedCents,
      seatsReturned: to.seatsReturned ?? row.seats_returned,
    },
    now,
  )
  const after = await soldOrder(db, venue.id, row.id)
  if (!written || !after) throw new Error('a locked order was not moved')
  await keepTickets(work, row, after, to.tickets ?? [])
  const order = presentTicketOrder(after)
  await recordEvent(work, move.names, order, now, { before: presentTicketOrder(row) })
  await recordActivity(
    work,
    actor,
    { action: to.saidAs ?? name, record: { kind: 'ticket_order', id: row.id }, before: row, after, more },
    now,
  )
  return { order, version: after.version }
}

/** An order that was paid gets its tickets, and its buyer the mail; one that gave seats back loses theirs. */
const keepTickets = async (
  work: Work,
  before: SoldOrderRow,
  after: SoldOrderRow,
  chosen: readonly number[],
): Promise<void> => {
  const { db, venue, now } = work
  const valid = validTickets(after)
  if (valid > validTickets(before)) {
    makeTickets(db, venue.id, after.id, after.seats)
    if (!isMadeByKey(after)) await mailTickets(work, after, now())
  }
  if (valid < validTickets(before))
    withCommit(db, () => voidTickets(db, venue.id, after.id, { valid, chosen }, now()))
}

/** The status that the refunded cents imply. */
export const statusByCents = (totalCents: number, refundedCents: number): TicketOrderStatus => {
  if (refundedCents === 0) return 'paid'
  return refundedCents === totalCents ? 'refunded' : 'partially_refunded'
}

const conditions: Record<OrderCondition, (actor: Actor, row: SoldOrderRow) => string | undefined> = {
  'external for staff': (actor, row) =>
    actor.kind === 'staff' && row.payment_method === 'processor_link'
      ? 'The processor says when this order is paid.'
      : undefined,
  'no money taken': (_actor, row) =>
    row.status === 'paid' && row.total_cents > 0
      ? 'This order is paid: refund it instead of cancelling it.'
      : undefined,
}

export const statusInWords = (status: string): string =>
  status === 'paid_unconfirmed' ? 'still to be paid' : status.replaceAll('_', ' ')
