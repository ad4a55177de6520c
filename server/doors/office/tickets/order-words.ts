import type { PaymentMethod, TicketOrderStatus } from '@venue-data/contract/records/ticket-order.ts'
import type { Html } from '../../../platform/html/html.ts'
import type { RefundState, RefundWay } from '../../../tickets/states.ts'
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

export const orderTag = (status: string): Html =>
  tag(statusWords[status as TicketOrderStatus] ?? status, statusTones[status as TicketOrderStatus] ?? '')

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

export const refundTag = (state: string): Html =>
  tag(refundStateWords[state as RefundState] ?? state, refundTones[state as RefundState] ?? '')
