import type { TicketOrder } from '@venue-data/contract/records/ticket-order.ts'
import { addDays } from '../../../platform/kernel/time/calendar.ts'
import { wallTimeOf } from '../../../platform/kernel/time/venue-clock.ts'
import { addOccurrence, makeEvent } from '../../../tickets/events.ts'
import { cancelOrder, confirmPayment } from '../../../tickets/order-moves.ts'
import { soldOrder } from '../../../tickets/order-reads.ts'
import { presentTicketOrder } from '../../../tickets/order.ts'
import { askRefund } from '../../../tickets/refund-requests.ts'
import { recordRefund } from '../../../tickets/refunds.ts'
import { type Sale, sellTickets } from '../../../tickets/sell-tickets.ts'
import { type Stage, type Trigger, there } from './trigger.ts'

const on = 'ticket order'

/** Two seats at an event created for it, a week from now. */
const sold = async ({ work, actor, somebody }: Stage, method: Sale['method']): Promise<TicketOrder> => {
  const event = await makeEvent(work, actor, 'Practice night')
  const { date } = wallTimeOf(work.now(), work.venue.timezone)
  const { id: occurrenceId } = await addOccurrence(work, actor, event.id, {
    title: null,
    date: addDays(date, 7),
    startTime: '20:00',
    capacity: 20,
    priceCents: 4_500,
  })
  const [firstName = '', lastName = ''] = somebody.name.split(' ')
  const buyer = { firstName, lastName, email: somebody.email, phone: somebody.phone }
  return (await sellTickets(work, actor, { occurrenceId, seats: 2, method, buyer })).order
}

/** The order of --id, or one sold for it, as its page shows it now. */
const orderOf = async (stage: Stage, asked: number | undefined, method: Sale['method']) => {
  const id = asked ?? (await sold(stage, method)).id
  const row = there(await soldOrder(stage.work.db, stage.work.venue.id, id), on, id)
  return { row, seen: { order: row.id, seenVersion: row.version } }
}

const refunded =
  (share: (left: number) => number, outcome: 'succeeded' | 'failed' = 'succeeded') =>
  async (stage: Stage, asked: number | undefined): Promise<TicketOrder> => {
    const { row, seen } = await orderOf(stage, asked, 'cash')
    const amountCents = share(row.total_cents - row.refunded_cents)
    const way = { via: 'external', outcome } as const
    return (await recordRefund(stage.work, stage.actor, { ...seen, ...way, amountCents })).order
  }

export const ticketOrderTriggers = {
  'ticket_order.paid': {
    about: 'the payment for an unpaid order comes in',
    emits: 'ticket_order.paid',
    on,
    run: async (stage, asked) => {
      const { seen } = await orderOf(stage, asked, 'external')
      return (await confirmPayment(stage.work, stage.actor, seen)).order
    },
  },
  'ticket_order.created': {
    about: 'staff sell two seats whose money is still to come',
    emits: 'ticket_order.created',
    on: null,
    run: (stage) => sold(stage, 'external'),
  },
  'ticket_order.sold': {
    about: 'staff sell two seats for cash',
    emits: 'ticket_order.paid',
    on: null,
    run: (stage) => sold(stage, 'cash'),
  },
  'ticket_order.refunded': {
    about: 'staff refund the order in full',
    emits: 'ticket_order.refunded',
    on,
    run: refunded((left) => left),
  },
  'ticket_order.refund_failed': {
    about: 'a refund of the order does not go through',
    emits: 'ticket_order.refund_failed',
    on,
    run: refunded((left) => left, 'failed'),
  },
  'ticket_order.refund_requested': {
    about: 'a refund of half of the order is asked for',
    emits: 'ticket_order.refund_requested',
    on,
    run: async (stage, asked) => {
      const { row } = await orderOf(stage, asked, 'cash')
      const amountCents = Math.ceil((row.total_cents - row.refunded_cents) / 2)
      await askRefund(stage.work, stage.actor, { order: row.id, amountCents, reason: 'One of two is ill.' })
      return presentTicketOrder(row)
    },
  },
  'ticket_order.partly_refunded': {
    about: 'staff refund half of the order',
    emits: 'ticket_order.refunded',
    on,
    run: refunded((left) => Math.ceil(left / 2)),
  },
  'ticket_order.cancelled': {
    about: 'staff cancel an unpaid order',
    emits: 'ticket_order.cancelled',
    on,
    run: async (stage, asked) => {
      const { seen } = await orderOf(stage, asked, 'external')
      return (await cancelOrder(stage.work, stage.actor, seen)).order
    },
  },
} as const satisfies Record<string, Trigger>
