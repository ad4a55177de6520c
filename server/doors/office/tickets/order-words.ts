import type { PaymentMethod, TicketOrderStatus } from '@venue-data/contract/records/ticket-order.ts'
import type { Html } from '../../../platform/html/html.ts'
import { type RefundState, type RefundWay, seatHoldingStatuses } from '../../../tickets/states.ts'
import type { AttemptRow, SoldOrderRow } from '../../../tickets/order-reads.ts'
import { sentAnswer, takenAnswer, waitsInWords } from '../../../core/money/matter-store.ts'
import { money } from '../parts/money.ts'
import { tag } from '../parts/tags.ts'

/** An order's status, in everyday words. */
export const statusWords: Record<TicketOrderStatus, string> = {
  paid: 'Paid',
  paid_unconfirmed: 'Awaiting payment',
  refunded: 'Refunded',
  partially_refunded: 'Partly refunded',
  refund_failed: 'Refund failed',
  cancelled: 'Cancelled',
}

const statusTones = {
  paid: 'good',
  paid_unconfirmed: 'warn',
  refunded: '',
  partially_refunded: 'accent',
  refund_failed: 'bad',
  cancelled: '',
} as const satisfies Record<TicketOrderStatus, string>

type Order = { readonly status: string; readonly refunded_cents: number; readonly lost_cents: number }

/** An order's status; what a bank took by a dispute was not refunded by anybody. */
export const orderWords = ({ status, refunded_cents, lost_cents }: Order): string =>
  lostWords(status, { back: refunded_cents, lost: lost_cents }) ??
  statusWords[status as TicketOrderStatus] ??
  status

export const orderTag = (order: Order): Html =>
  tag(
    orderWords(order),
    order.lost_cents > 0 ? 'bad' : (statusTones[order.status as TicketOrderStatus] ?? ''),
  )

/** What to say in place of "refunded" where a dispute was lost; the same of an order and of a deposit. */
export const lostWords = (
  status: string,
  { back, lost }: { readonly back: number; readonly lost: number },
): string | undefined => {
  if (lost === 0) return undefined
  const isAll = lost === back
  if (status === 'refunded') return isAll ? 'Lost to a dispute' : 'Refunded, part lost to a dispute'
  if (status !== 'partially_refunded') return undefined
  return isAll ? 'Partly lost to a dispute' : 'Partly refunded, part lost to a dispute'
}

/** Which of an order's seats are free again, and where the money for them is; null: all are the buyer's. */
export const freedInWords = (
  order: SoldOrderRow,
  { pendingCents, isRefused }: { readonly pendingCents: number; readonly isRefused: boolean },
): string | null => {
  const { seats, refunded_cents: back, lost_cents: lost, status } = order
  const isHolding = seatHoldingStatuses.some((one) => one === status)
  const free = isHolding ? order.seats_returned : seats
  if (free === 0) return null
  const moved = [
    ...(back > lost ? [`${money(back - lost)} was refunded`] : []),
    ...(lost > 0 ? [`${money(lost)} was lost to a dispute`] : []),
    ...(pendingCents > 0 && free === seats ? [`${money(pendingCents)} is on its way back`] : []),
    ...(status === 'refund_failed' ? ['a refund did not reach the buyer'] : []),
  ]
  const paid = moved.length === 0 ? 'no money went back' : new Intl.ListFormat('en').format(moved)
  if (isRefused) return `None were given, as the payment arrived too late; ${paid}`
  if (free < seats) return `${free} of ${seats} ${free === 1 ? 'is' : 'are'} free again; ${paid}`
  return `${seats === 1 ? 'The seat is' : `All ${seats} are`} free again; ${paid}`
}

export const methodWords: Record<PaymentMethod, string> = {
  processor_link: 'Card, online',
  cash: 'Cash',
  comp: 'Complimentary',
  free: 'Free',
  external: 'Card machine or transfer',
}

export const refundWayWords: Record<RefundWay, string> = {
  cash: 'Cash',
  external: 'Card machine or transfer',
  processor: 'Payment processor',
}

export const refundStateWords: Record<RefundState, string> = {
  pending: 'Pending',
  succeeded: 'Refunded',
  failed: 'Failed',
  superseded: 'Failed, retried',
  dismissed: 'Failed, dismissed',
}

const refundTones = {
  pending: 'warn',
  succeeded: 'good',
  failed: 'bad',
  superseded: '',
  dismissed: '',
} as const satisfies Record<RefundState, string>

export const refundTag = ({ state, origin, waits, answer }: Attempt): Html => {
  if (waits) return tag(waitsInWords, 'warn')
  if (origin === 'dispute' && state === 'succeeded') return tag('Lost', 'bad')
  if (origin === 'dispute' && state === 'superseded') return tag('Won in the end', 'good')
  if (state === 'superseded' && (answer === takenAnswer || answer === sentAnswer)) return tag('Not sent')
  return tag(refundStateWords[state as RefundState] ?? state, refundTones[state as RefundState] ?? '')
}

type Attempt = Pick<AttemptRow, 'state' | 'origin' | 'waits' | 'answer'>
