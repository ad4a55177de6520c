import assert from 'node:assert/strict'
import { beginAccount } from '../../core/money/account-store.ts'
import { insertCheckout } from '../../core/money/checkout-store.ts'
import { giveTickets } from '../../tickets/online/give-tickets.ts'
import { occurrenceForUpdate } from '../../tickets/event-reads.ts'
import { addOccurrence, editEvent, editOccurrence, makeEvent } from '../../tickets/events.ts'
import { cancelOrder, confirmPayment } from '../../tickets/order-moves.ts'
import { soldOrder } from '../../tickets/order-reads.ts'
import {
  type RefundOutcome,
  dismissRefund,
  recordRefund,
  retryRefund,
  settleRefund,
} from '../../tickets/refunds.ts'
import { declineRefund, grantRefund } from '../../tickets/refund-requests.ts'
import { makeOnce } from '../../platform/http/form-token.ts'
import { type Sale, sellTickets } from '../../tickets/sell-tickets.ts'
import { type Scene, type Stage, manager, post } from './stage.ts'

/** Every doing of the table with a ticket order, played for real. */

const buyer = { firstName: 'Ada', lastName: null, email: null, phone: null }

const onSale = (stage: Stage, priceCents: number): Promise<number> =>
  stage.act(async (work) => {
    const event = await makeEvent(work, manager, 'Jazz at the Door')
    const date = { title: null, date: '2026-11-05', startTime: '21:00', capacity: 40, priceCents }
    return (await addOccurrence(work, manager, event.id, date)).id
  })

const seller = async (stage: Stage, priceCents = 5_000) => {
  const occurrenceId = await onSale(stage, priceCents)
  return (more: Pick<Sale, 'method'> & Partial<Sale>) =>
    stage.act((work) => sellTickets(work, manager, { occurrenceId, seats: 2, buyer, ...more }))
}

/** Sells, and the order must be in this status then. */
const sells = (more: Pick<Sale, 'method'> & Partial<Sale>, status: string): readonly Scene[] => [
  async (stage) => {
    const sell = await seller(stage, more.method === 'free' ? 0 : 5_000)
    return async () => assert.equal((await sell(more)).order.status, status)
  },
]

const anOrder = async (stage: Stage, method: Sale['method'] = 'cash') =>
  (await (await seller(stage))({ method })).order.id

const seen = async ({ service, venue }: Stage, order: number) => {
  const row = await soldOrder(service.db, venue.id, order)
  assert.ok(row)
  return { order, seenVersion: row.version }
}

/** The event and the date of an order. */
const sold = async (stage: Stage) => {
  const { service, venue } = stage
  const row = await soldOrder(service.db, venue.id, await anOrder(stage))
  assert.ok(row)
  const date = await stage.act(({ db }) => occurrenceForUpdate(db, venue.id, row.occurrence_id))
  assert.ok(date)
  return { occurrenceId: date.id, eventId: date.event_id }
}

const refund = async (stage: Stage, order: number, amountCents: number, outcome: RefundOutcome) => {
  const asked = { ...(await seen(stage, order)), amountCents, via: 'external', outcome } as const
  return stage.act((work) => recordRefund(work, manager, asked))
}

/** An order, what was given back of it before, and an attempt now. */
const refunds =
  (before: readonly [number, RefundOutcome][], ...now: [number, RefundOutcome]): Scene =>
  async (stage) => {
    const order = await anOrder(stage)
    for (const [cents, outcome] of before) await refund(stage, order, cents, outcome)
    return () => refund(stage, order, ...now)
  }

/** An order with an attempt that ended so, and what is then done with the attempt. */
const withAttempt =
  (
    outcome: RefundOutcome,
    then: (stage: Stage, asked: { refund: number; seenVersion: number }) => Promise<unknown>,
  ): Scene =>
  async (stage) => {
    const order = await anOrder(stage)
    const made = await refund(stage, order, 4_000, outcome)
    const { seenVersion } = await seen(stage, order)
    return () => then(stage, { refund: made.refund.id, seenVersion })
  }

/** Orders through the API; another time under the same reference. */
const orders = async (stage: Stage, priceCents = 5_000) => {
  const occurrenceId = await onSale(stage, priceCents)
  const body = { occurrenceId, seats: 2, buyerEmail: 'ada@example.com', externalReference: 'shop-1' }
  return (status = 201) => post(stage, 'ticket-orders', body, status)
}

const askRefund = async (stage: Stage, order: number): Promise<{ id: number }> =>
  (await post(stage, `ticket-orders/${order}/refund-requests`, { amountCents: 4_000 })).refundRequest

export const orderScenes = {
  'pay online': [
    async (stage) => {
      const occurrenceId = await onSale(stage, 5_000)
      const account = crypto.randomUUID()
      const price = { subtotalCents: 10_000, discountCents: 0, feeCents: 0, taxCents: 0, totalCents: 10_000 }
      const checkout = await stage.act(async (work) => {
        const kept = { id: account, live: false, key: 'rk_test_ofnobody', callback: null }
        await beginAccount(stage.service.context, work, manager, kept)
        return insertCheckout(
          work.db,
          work.venue.id,
          {
            ...{ ref: crypto.randomUUID(), account, form: buyer, sentence: null },
            of: { kind: 'tickets', occurrenceId, seats: 2, promoCodeId: null },
            ...{ buyerEmailKey: null, language: 'en', title: '2 tickets', price, currency: 'USD' },
          },
          work.now(),
        )
      })
      return () =>
        stage.act((work) => giveTickets(work, checkout, { how: 'paid', paymentRef: null, card: null }))
    },
  ],
  'sell for cash': sells({ method: 'cash' }, 'paid'),
  'sell for comp': sells({ method: 'comp' }, 'paid'),
  'sell for free': sells({ method: 'free' }, 'paid'),
  'sell for external': sells({ method: 'external' }, 'paid_unconfirmed'),
  'sell for external, received': sells({ method: 'external', received: true }, 'paid'),
  'sell by the same form': [
    async (stage) => {
      const sale = { occurrenceId: await onSale(stage, 5_000), seats: 2, method: 'cash', buyer } as const
      const sent = { form: 'sale', token: crypto.randomUUID(), body: '' }
      const press = () =>
        stage.act((work) =>
          makeOnce(work, sent, async () => (await sellTickets(work, manager, sale)).order.id),
        )
      const order = await press()
      return async () => assert.equal(await press(), order)
    },
  ],
  'order by API': [async (stage) => orders(stage)],
  'order by API, nothing to pay': [async (stage) => orders(stage, 0)],
  'order by API again': [
    async (stage) => {
      const order = await orders(stage)
      await order()
      return () => order(200)
    },
  ],
  'cancel an order by API': [
    async (stage) => {
      const { ticketOrder } = await (await orders(stage))()
      return () => post(stage, `ticket-orders/${ticketOrder.id}/cancel`, {}, 200)
    },
  ],
  'ask for a refund by API': [
    async (stage) => {
      const order = await anOrder(stage)
      return () => askRefund(stage, order)
    },
  ],
  'grant a refund': [
    async (stage) => {
      const order = await anOrder(stage)
      const { id: request } = await askRefund(stage, order)
      const asked = { ...(await seen(stage, order)), request, via: 'external', outcome: 'succeeded' } as const
      return () => stage.act((work) => grantRefund(work, manager, asked))
    },
  ],
  'decline a refund': [
    async (stage) => {
      const order = await anOrder(stage)
      const { id: request } = await askRefund(stage, order)
      return () => stage.act((work) => declineRefund(work, manager, { order, request }))
    },
  ],
  'ticket order confirmPayment': [
    async (stage) => {
      const asked = await seen(stage, await anOrder(stage, 'external'))
      return () => stage.act((work) => confirmPayment(work, manager, asked))
    },
  ],
  'ticket order cancel': (['external', 'comp'] as const).map((method): Scene => async (stage) => {
    const asked = await seen(stage, await anOrder(stage, method))
    return () => stage.act((work) => cancelOrder(work, manager, asked))
  }),
  'ticket order refund': [
    refunds([], 4_000, 'succeeded'),
    refunds([], 10_000, 'succeeded'),
    refunds([[4_000, 'succeeded']], 6_000, 'succeeded'),
    refunds([[4_000, 'failed']], 4_000, 'succeeded'),
  ],
  'ticket order failRefund': [
    refunds([], 4_000, 'failed'),
    refunds([[4_000, 'succeeded']], 4_000, 'failed'),
    refunds([[4_000, 'failed']], 4_000, 'failed'),
    withAttempt('pending', (stage, asked) =>
      stage.act((work) => settleRefund(work, manager, { ...asked, outcome: 'failed' })),
    ),
    withAttempt('failed', (stage, asked) =>
      stage.act((work) => retryRefund(work, manager, { ...asked, outcome: 'failed' })),
    ),
  ],
  'ticket order dismissFailure': [
    withAttempt('failed', (stage, asked) => stage.act((work) => dismissRefund(work, manager, asked))),
  ],
  'rename the event': [
    async (stage) => {
      const { eventId: id } = await sold(stage)
      const name = 'Blues at the Door'
      const more = { text: null, orderMost: null, returnHours: null, returnKeepsFee: false }
      return () => stage.act((work) => editEvent(work, manager, { id, seenVersion: 1, name, ...more }))
    },
  ],
  'move the date': [
    async (stage) => {
      const { occurrenceId: id } = await sold(stage)
      const date = { title: null, date: '2026-11-06', startTime: '20:00', capacity: 40, priceCents: 5_000 }
      return () => stage.act((work) => editOccurrence(work, manager, { id, seenVersion: 1, ...date }))
    },
  ],
  'begin a refund': [
    refunds([], 4_000, 'pending'),
    withAttempt('failed', (stage, asked) =>
      stage.act((work) => retryRefund(work, manager, { ...asked, outcome: 'pending' })),
    ),
  ],
  'settle a refund': [
    withAttempt('pending', (stage, asked) =>
      stage.act((work) => settleRefund(work, manager, { ...asked, outcome: 'succeeded' })),
    ),
  ],
  'retry a refund': [
    withAttempt('failed', (stage, asked) =>
      stage.act((work) => retryRefund(work, manager, { ...asked, outcome: 'succeeded' })),
    ),
  ],
} as const satisfies Record<string, readonly Scene[]>
