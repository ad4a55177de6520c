import type { EventName } from '@venue-data/contract/webhooks/events.ts'
import type { PaymentMethod, TicketOrderStatus } from '@venue-data/contract/records/ticket-order.ts'
import type { Doer } from '../core/activity/actor.ts'
import { officeRoles } from '../core/staff/roles.ts'

/*
 * Every move of a ticket order, as data. Selling an order is not a move: it starts in the status its payment implies
 * (`statusWhenSold`).
 */

export type OrderMove = {
  /** The button's label. */
  readonly label: string
  /** Statuses it may start from; the statement that writes it carries them in its `where`. */
  readonly from: readonly TicketOrderStatus[]
  /** Status afterwards; `by cents` is what the refunded cents imply. */
  readonly to: TicketOrderStatus | 'by cents'
  readonly who: readonly Doer[]
  readonly condition: OrderCondition | null
  /** Its event names. Empty: no event. */
  readonly names: readonly Extract<EventName, `ticket_order.${string}`>[]
}

/**
 * external for staff: staff vouch for money that came outside the processor, the service for the processor's.
 * no money taken: a paid order is refunded, not cancelled.
 */
export type OrderCondition = 'external for staff' | 'no money taken'

const refundable = ['paid', 'partially_refunded', 'refund_failed'] as const
const managers = ['manager', 'owner', 'service'] as const

export const orderMoves = {
  confirmPayment: {
    label: 'Payment received',
    from: ['paid_unconfirmed'],
    to: 'paid',
    who: [...officeRoles, 'service'],
    condition: 'external for staff',
    names: ['ticket_order.paid'],
  },
  cancel: {
    label: 'Cancel order',
    from: ['paid_unconfirmed', 'paid'],
    to: 'cancelled',
    // Keys cancel what they ordered and nobody paid (by-key.ts).
    who: [...officeRoles, 'key', 'service'],
    condition: 'no money taken',
    names: ['ticket_order.cancelled'],
  },
  /** Money was refunded. */
  refund: {
    label: 'Refund',
    from: refundable,
    to: 'by cents',
    // Guests return seats of their own order where its event lets them (online/money-back/return-seats.ts).
    who: [...managers, 'guest'],
    condition: null,
    names: ['ticket_order.refunded'],
  },
  /** The processor or bank refused the refund: the refunded cents stay, or come off if it had arrived before. */
  failRefund: {
    label: 'Refund failed',
    from: ['refunded', ...refundable],
    to: 'refund_failed',
    who: managers,
    condition: null,
    names: ['ticket_order.refund_failed'],
  },
  /** A failure is dismissed; another refund may have succeeded since. */
  dismissFailure: {
    label: 'Dismiss',
    from: refundable,
    to: 'by cents',
    who: managers,
    condition: null,
    names: [],
  },
} as const satisfies Record<string, OrderMove>

export type OrderMoveName = keyof typeof orderMoves

/** The initial status. The box office has the money in hand, or has no money to wait for. */
export const statusWhenSold = {
  cash: 'paid',
  comp: 'paid',
  free: 'paid',
  external: 'paid_unconfirmed',
  processor_link: 'paid_unconfirmed',
} as const satisfies Record<PaymentMethod, TicketOrderStatus>

/**
 * Statuses in which an order's seats are taken. A full refund frees them: with all the money back the buyer has no
 * claim to a seat, and an empty chair is worth nothing. A partial one does not say which seats it is for (it may be
 * for a cold soup), so only the seats staff return with it go back on sale.
 */
export const seatHoldingStatuses = [
  'paid',
  'paid_unconfirmed',
  'partially_refunded',
  'refund_failed',
] as const satisfies readonly TicketOrderStatus[]

/** Statuses whose tickets let people in: the money came, or there was none to pay. */
export const admittingStatuses = [
  'paid',
  'partially_refunded',
  'refund_failed',
] as const satisfies readonly TicketOrderStatus[]

/** How many tickets of an order let somebody in. */
export const validTickets = ({
  status,
  seats,
  seats_returned: returned,
}: {
  readonly status: string
  readonly seats: number
  readonly seats_returned: number
}): number => (admittingStatuses.some((one) => one === status) ? seats - returned : 0)

/** States of one refund attempt, and the moves between them. */
export const refundStates = ['pending', 'succeeded', 'failed', 'superseded', 'dismissed'] as const
export type RefundState = (typeof refundStates)[number]

export const refundMoves = {
  /** Its outcome is known. */
  succeed: { from: ['pending'], to: 'succeeded' },
  fail: { from: ['pending'], to: 'failed' },
  /** Its retry took its place, or nothing is left to give back. */
  supersede: { from: ['failed'], to: 'superseded' },
  dismiss: { from: ['failed'], to: 'dismissed' },
  /** A dispute that was lost took the money before it was sent. */
  withdraw: { from: ['pending'], to: 'superseded' },
  /** The bank sent the money back after all. */
  failLate: { from: ['succeeded'], to: 'failed' },
} as const satisfies Record<string, { readonly from: readonly RefundState[]; readonly to: RefundState }>

/** How money is refunded. */
export const refundWays = ['processor', 'cash', 'external'] as const
export type RefundWay = (typeof refundWays)[number]
