import type { PaymentMethod, TicketOrderStatus } from '@venue-data/contract/records/ticket-order.ts'
import type { Random } from './random.ts'
import { dayMs, hourMs } from './venue-time.ts'

/** The state of an order's payment. */
export type Settlement = {
  readonly status: TicketOrderStatus
  readonly refundedCents: number
  readonly paidAt: number | null
  readonly updatedAt: number
}
type Unsettled = {
  readonly createdAt: number
  readonly startsAt: number
  readonly seats: number
  readonly paymentMethod: PaymentMethod
  readonly total: number
}

/** Whether it was paid, and whether the money was returned. */
export const settlementOf = (random: Random, order: Unsettled, now: number): Settlement => {
  const { createdAt, startsAt, seats, paymentMethod, total } = order
  const remote = paymentMethod === 'processor_link' || paymentMethod === 'external'
  // A bank transfer takes days, a card seconds; some wait for the bank's word.
  const hours =
    paymentMethod === 'external'
      ? 20 + random.exponential(60)
      : random.chance(0.05)
        ? 30 + random.exponential(40)
        : 0.02
  const pays = Math.floor(remote ? createdAt + hours * hourMs : createdAt)
  const never = (total === 0 && random.chance(0.09)) || (remote && random.chance(0.022))
  if (never) {
    const cancelledAt = Math.floor(Math.min(createdAt + (2 + random.exponential(60)) * hourMs, startsAt))
    const paidAt = remote ? null : createdAt
    if (cancelledAt <= now) return { status: 'cancelled', refundedCents: 0, paidAt, updatedAt: cancelledAt }
  }
  if (pays > now || never) {
    if (remote) return { status: 'paid_unconfirmed', refundedCents: 0, paidAt: null, updatedAt: createdAt }
  }
  const paid = { status: 'paid', refundedCents: 0, paidAt: pays, updatedAt: pays } as const
  const refundAt = Math.floor(Math.max(pays + hourMs, startsAt - (random.exponential(5) - 1) * dayMs))
  if (total === 0 || refundAt > now) return paid
  const back = random.weighted([
    ['paid', 87],
    ['refunded', 6.5],
    ['partially_refunded', 4.5],
    ['refund_failed', 1.6],
  ] as const)
  if (back === 'paid') return paid
  if (back === 'partially_refunded' && seats === 1)
    return { ...paid, status: 'refunded', refundedCents: total, updatedAt: refundAt }
  const refundedCents =
    back === 'refunded'
      ? total
      : back === 'partially_refunded'
        ? Math.floor((total * random.integer(1, seats - 1)) / seats)
        : 0
  return { ...paid, status: back, refundedCents, updatedAt: refundAt }
}
