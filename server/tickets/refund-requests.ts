import { RefundRequest } from '@venue-data/contract/records/ticket-order.ts'
import { type Actor, doerOf } from '../core/activity/actor.ts'
import { recordActivity } from '../core/activity/record.ts'
import type { Work } from '../context.ts'
import { refuseErased } from '../platform/http/records/erased-records.ts'
import { recordEvent } from '../core/events/record.ts'
import { recordOf } from '../platform/db/record-of.ts'
import { paymentOfOrder } from '../core/money/payment-store.ts'
import { mostRefundable, refusePart } from '../core/money/venue-currency.ts'
import { Refusal, notFound, refuse } from '../platform/kernel/refusal.ts'
import { statusInWords } from './order-moves.ts'
import { pendingRefunds, soldOrderForUpdate } from './order-reads.ts'
import { presentTicketOrder } from './order.ts'
import {
  type RefundRequestRow,
  answerRefundRequest,
  centsAsked,
  insertRefundRequest,
  refundRequestRow,
} from './refund-request-store.ts'
import { type MadeRefund, type RefundAsked, recordRefund } from './refunds.ts'
import { orderMoves } from './states.ts'

/*
 * Refunds that integrators ask for. The order stays as it is until a manager answers: to grant one is to record a refund
 * of just that amount, as any other; to decline it changes nothing.
 */

export const presentRefundRequest = recordOf(RefundRequest, refundRequestRow).present

/** Asks for a refund of what was paid, less what was given back, is on its way back or is asked for already. */
export const askRefund = async (
  work: Work,
  actor: Actor,
  {
    order,
    amountCents,
    reason,
  }: { readonly order: number; readonly amountCents: number; readonly reason: string | null },
): Promise<RefundRequestRow> => {
  const { db, venue } = work
  const row = await soldOrderForUpdate(db, venue.id, order)
  if (!row) throw notFound('ticket order')
  if (reason !== null) await refuseErased(db, venue.id, 'ticket_order', order)
  if (row.status === 'paid_unconfirmed' || row.status === 'cancelled') {
    throw refuse('not-in-state', `This order is ${statusInWords(row.status)}, so there is nothing to refund.`)
  }
  if ((await paymentOfOrder(db, venue.id, order))?.is_removed) {
    throw refuse(
      'not-in-state',
      'This order was paid through a Stripe account that the venue has removed. Ask the venue: only the venue can refund it, in Stripe itself.',
    )
  }
  const pending = await pendingRefunds(db, venue.id, order)
  const left = row.total_cents - row.refunded_cents - pending.cents - (await centsAsked(db, venue.id, order))
  if (amountCents > left) throw refuse('refund-too-large', mostRefundable(left, row.currency))
  if (amountCents !== left) refusePart('amountCents', amountCents, row.currency)
  const now = work.now()
  const key = actor.kind === 'key' ? actor.id : null
  const request = await insertRefundRequest(db, venue.id, { orderId: order, amountCents, reason, key }, now)
  await recordEvent(work, 'ticket_order.refund_requested', presentTicketOrder(row), now)
  await record(work, actor, 'askRefund', request, now)
  return request
}

type Answered = { readonly order: number; readonly request: number }

/** Grants a request: records the refund it asks for. */
export const grantRefund = async (
  work: Work,
  actor: Actor,
  { order, request, ...how }: Answered & Omit<RefundAsked, 'order' | 'amountCents'>,
): Promise<MadeRefund> => {
  const answered = await answer(work, actor, { order, request }, 'granted')
  return recordRefund(work, actor, { ...how, order, amountCents: answered.amount_cents })
}

/** Declines a request. The order stays as it is, and nobody is notified. */
export const declineRefund = async (work: Work, actor: Actor, asked: Answered): Promise<void> => {
  await answer(work, actor, asked, 'declined')
}

/** Locks the order first, as asking for a refund does. */
const answer = async (
  work: Work,
  actor: Actor,
  asked: Answered,
  status: 'granted' | 'declined',
): Promise<RefundRequestRow> => {
  const { db, venue } = work
  if (!orderMoves.refund.who.some((one) => one === doerOf(actor))) {
    throw new Refusal(403, 'Your role cannot do this with an order.')
  }
  if (!(await soldOrderForUpdate(db, venue.id, asked.order))) throw notFound('order')
  const now = work.now()
  const request = await answerRefundRequest(db, venue.id, asked, status, now)
  if (!request) throw new Refusal(409, 'This refund request is no longer waiting for an answer.')
  await record(work, actor, status === 'granted' ? 'grantRefund' : 'declineRefund', request, now)
  return request
}

const record = (
  work: Work,
  actor: Actor,
  action: 'askRefund' | 'grantRefund' | 'declineRefund',
  { id, order_id, amount_cents, reason }: RefundRequestRow,
  now: Temporal.Instant,
): Promise<void> =>
  recordActivity(
    work,
    actor,
    {
      action,
      record: { kind: 'ticket_order', id: order_id },
      before: null,
      after: { refund_request: id, amount_cents, reason },
    },
    now,
  )
