import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { type Desk, openDesk, settled, staffOf } from '../test/desk.ts'
import { type Answer, type TestService, startService } from '../test/service.ts'
import { erasePerson } from '../data/erasure/erase.ts'
import { cancelOrder, confirmPayment } from './order-moves.ts'
import { soldOrder } from './order-reads.ts'
import { declineRefund, grantRefund } from './refund-requests.ts'
import { recordRefund } from './refunds.ts'
import { addOccurrence, makeEvent } from './events.ts'
import { makePromoCode } from './promo-codes.ts'
import { sellTickets } from './sell-tickets.ts'

describe('tickets by API', () => {
  let service: TestService
  let desk: Desk
  let sent = 0
  const manager = staffOf('manager')
  const call = (method: string, path: string, body?: object, headers = {}): Promise<Answer> =>
    service.call(method, `/api/v1/${path}`, { key: desk.venue.key, headers, ...(body && { body }) })
  const onSale = (more: object = {}): Promise<number> =>
    desk.act(async (work) => {
      const event = await makeEvent(work, manager, 'Jazz at the Door')
      const date = { title: null, date: '2026-11-05', startTime: '21:00', capacity: 10, priceCents: 5_000 }
      return (await addOccurrence(work, manager, event.id, { ...date, ...more })).id
    })
  const asked = (occurrenceId: number, more: object = {}) => ({
    occurrenceId,
    seats: 2,
    buyerEmail: 'maya@example.com',
    externalReference: `shop-${++sent}`,
    ...more,
  })
  const order = (occurrenceId: number, more: object = {}) =>
    call('POST', 'ticket-orders', asked(occurrenceId, more))
  const ordered = async (occurrenceId: number, more: object = {}): Promise<number> => {
    const answer = await order(occurrenceId, more)
    assert.equal(answer.status, 201, answer.text)
    return answer.body.ticketOrder.id
  }
  const left = async (occurrenceId: number): Promise<number> => {
    const { body } = await call('GET', 'occurrences')
    return body.find(({ id }: { id: number }) => id === occurrenceId).seatsLeft
  }
  const row = async (id: number) => {
    const found = await soldOrder(service.db, desk.venue.id, id)
    assert.ok(found)
    return found
  }
  const seen = async (id: number) => ({ order: id, seenVersion: (await row(id)).version })
  const receive = async (id: number) => {
    const it = await seen(id)
    return desk.act((work) => confirmPayment(work, manager, it))
  }
  const statusesOf = (answers: readonly Answer[]): number[] =>
    answers.map(({ status }) => status).toSorted((one, other) => one - other)
  /** The names of every event, oldest first. */
  const told = async (): Promise<string[][]> =>
    (
      await desk.query<{ names: string[] }>('select names from event where venue_id = $1 order by id', [
        desk.venue.id,
      ])
    ).map(({ names }) => names)

  before(async () => {
    service = await startService()
  })
  beforeEach(async () => {
    service.setClock('2026-10-06T19:00:00Z')
    desk = await openDesk(service)
  })
  after(() => service.stop())

  describe('GET /occurrences', () => {
    it('shows what is to come, earliest first, with the price, and no more than 20 free seats', async () => {
      const late = await onSale({ date: '2026-11-06', title: 'Late', startTime: null, capacity: 500 })
      const early = await onSale({ date: '2026-11-05' })
      await onSale({ date: '2026-10-05' })
      const { status, body } = await call('GET', 'occurrences')
      assert.equal(status, 200)
      assert.deepEqual(body, [
        {
          id: early,
          eventName: 'Jazz at the Door',
          occurrenceTitle: null,
          date: '2026-11-05',
          startTime: '21:00',
          priceCents: 5_000,
          seatsLeft: 10,
          ...{ onSale: true, onlineFrom: null, onlineUntil: '2026-11-06T02:00:00.000Z' },
        },
        {
          id: late,
          eventName: 'Jazz at the Door',
          occurrenceTitle: 'Late',
          date: '2026-11-06',
          startTime: null,
          priceCents: 5_000,
          seatsLeft: 20,
          ...{ onSale: true, onlineFrom: null, onlineUntil: '2026-11-07T05:00:00.000Z' },
        },
      ])
      const ids = async (query: string) =>
        (await call('GET', `occurrences?${query}`)).body.map(({ id }: { id: number }) => id)
      assert.deepEqual(await ids('dateFrom=2026-11-06'), [late])
      assert.deepEqual(await ids('dateTo=2026-11-05'), [early])
      assert.deepEqual(await ids('dateFrom=2026-11-05&dateTo=2026-11-05'), [early])
      assert.equal((await ids('dateFrom=2026-10-01')).length, 3)
      for (const query of [
        'dateFrom=',
        'dateTo=x',
        'dateFrom=2026-11-06&dateTo=2026-11-05',
        'dateTo=&dateTo=',
      ])
        assert.equal((await call('GET', `occurrences?${query}`)).status, 400, query)
    })

    it('is on sale until it begins; one without a time, until its day is over at the venue', async () => {
      const timed = await onSale({ date: '2026-10-06', startTime: '20:30' })
      const open = await onSale({ date: '2026-10-06', startTime: null })
      const state = async (moment: string) => {
        service.setClock(moment)
        const { body } = await call('GET', 'occurrences?dateFrom=2026-10-06')
        return Object.fromEntries(body.map((one: { id: number; onSale: boolean }) => [one.id, one.onSale]))
      }
      assert.deepEqual(await state('2026-10-07T00:29:59Z'), { [timed]: true, [open]: true })
      assert.deepEqual(await state('2026-10-07T00:30:00Z'), { [timed]: false, [open]: true })
      assert.equal((await order(timed)).body.reason, 'sale-closed')
      assert.equal((await order(open)).status, 201)
      assert.deepEqual(await state('2026-10-07T04:00:00Z'), { [timed]: false, [open]: false })
    })
  })

  describe('an order', () => {
    it('is not made again by a retry after its buyer was erased', async () => {
      const occurrence = await onSale()
      const body = asked(occurrence, { buyerFirstName: 'Maya' })
      const once = () => call('POST', 'ticket-orders', body, { 'idempotency-key': 'shop-order' })
      assert.equal((await once()).status, 201)
      const buyer = { guestId: null, email: body.buyerEmail, phone: null, name: null }
      await desk.act((work) => erasePerson(work, manager, buyer))
      const { status, body: refusal } = await once()
      assert.deepEqual([status, refusal.reason], [409, 'answer-erased'])
      assert.equal(await left(occurrence), 8)
    })

    it('is paid_unconfirmed, its seats are gone, and staff say that the money came', async () => {
      const occurrence = await onSale()
      const reference = 'shop/Ü-1'
      const { status, body, text } = await order(occurrence, {
        externalReference: reference,
        buyerFirstName: 'Maya',
        buyerPhone: '(212) 555-0147',
      })
      assert.equal(status, 201, text)
      const { ticketOrder } = body
      const { paymentMethod, channel, totalCents, paidAt, externalReference, buyerFirstName } = ticketOrder
      assert.deepEqual(
        [ticketOrder.status, paymentMethod, channel, totalCents, paidAt, externalReference, buyerFirstName],
        ['paid_unconfirmed', 'external', 'public', 10_000, null, reference, 'Maya'],
      )
      assert.equal(await left(occurrence), 8)
      assert.deepEqual(await told(), [['ticket_order.created']])
      const trail = await desk.query(
        `select actor_kind, actor_id = (select id from api_key where venue_id = $1 order by id limit 1) as own,
                action, record_kind from activity where venue_id = $1 order by id desc limit 1`,
        [desk.venue.id],
      )
      assert.deepEqual(trail, [{ actor_kind: 'key', own: true, action: 'sell', record_kind: 'ticket_order' }])

      await receive(ticketOrder.id)
      assert.deepEqual((await told()).slice(1), [['ticket_order.paid']])
      const again = await order(occurrence, {
        externalReference: reference,
        buyerFirstName: 'Maya',
        buyerPhone: '(212) 555-0147',
      })
      assert.equal(again.status, 200, again.text)
      assert.deepEqual([again.body.ticketOrder.id, again.body.ticketOrder.status], [ticketOrder.id, 'paid'])
      assert.equal(await left(occurrence), 8)
      assert.equal((await told()).length, 2)
    })

    it('a reference sent again for another date, other seats or another buyer shows nothing of that order', async () => {
      const occurrence = await onSale()
      const other = await onSale()
      const asked = {
        ...{ seats: 3, buyerFirstName: 'Maya', buyerLastName: 'Okafor', buyerPhone: '(212) 555-0147' },
        ...{ buyerEmail: 'maya.okafor@example.com', externalReference: 'guessed' },
      }
      const made = await order(occurrence, asked)
      assert.equal(made.status, 201, made.text)
      const before = (await told()).length
      const differing: [number, object][] = [
        [other, {}],
        [987_654_321, {}],
        [occurrence, { seats: 2 }],
        [occurrence, { buyerEmail: 'nils@example.com' }],
        [occurrence, { buyerFirstName: 'Nils' }],
        [occurrence, { buyerFirstName: null }],
        [occurrence, { buyerLastName: 'Holm' }],
        [occurrence, { buyerPhone: '6465550100' }],
        [occurrence, { buyerPhone: null }],
      ]
      for (const [date, more] of differing) {
        for (const headers of [{}, { 'idempotency-key': `guess-${JSON.stringify(more)}-${date}` }]) {
          const answer = await call(
            'POST',
            'ticket-orders',
            { occurrenceId: date, ...asked, ...more },
            headers,
          )
          assert.deepEqual(
            [answer.status, answer.body],
            [
              409,
              {
                error:
                  'This externalReference belongs to an order of another date, other seats or another buyer; use a new one for a new order.',
                reason: 'different-body',
              },
            ],
            JSON.stringify(more),
          )
        }
        const tried = await call('POST', 'dry-run', {
          method: 'POST',
          path: '/api/v1/ticket-orders',
          body: { occurrenceId: date, ...asked, ...more },
        })
        assert.equal(tried.body.wouldAnswer.status, 409)
        assert.doesNotMatch(tried.text, /okafor|0147/i)
      }
      assert.equal((await told()).length, before)
      assert.equal(await left(occurrence), 7)
      const same = await order(occurrence, { ...asked, buyerEmail: ' Maya.Okafor@EXAMPLE.com ' })
      assert.deepEqual([same.status, same.body.ticketOrder.id], [200, made.body.ticketOrder.id])
    })

    it('no order takes the number of a card, or a processor’s id, as its reference', async () => {
      const occurrence = await onSale()
      for (const externalReference of ['4242424242424242', 'shop/pi_3MtwBwLkdIwHu7ix28a3tqPa']) {
        const answer = await order(occurrence, { externalReference })
        assert.equal(answer.status, 400)
        assert.match(answer.body.error, /neither a card number nor an id of a payment/)
        assert.ok(!answer.text.includes(externalReference))
      }
      assert.equal(await left(occurrence), 10)
      assert.equal((await order(occurrence, { externalReference: '4242424242424241' })).status, 201)
    })

    it('sent again is the same order in its current state, even when nothing is left', async () => {
      const occurrence = await onSale({ capacity: 2 })
      const id = await ordered(occurrence, { externalReference: 'a' })
      assert.equal((await order(occurrence, { externalReference: 'a' })).body.ticketOrder.id, id)
      await call('POST', `ticket-orders/${id}/cancel`)
      const after = await order(occurrence, { externalReference: 'a' })
      assert.deepEqual([after.status, after.body.ticketOrder.status], [200, 'cancelled'])
      // The reference of another venue is another one.
      const own = desk
      desk = await openDesk(service)
      assert.equal((await order(await onSale(), { externalReference: 'a' })).status, 201)
      assert.equal((await order(occurrence)).status, 404)
      desk = own
    })

    it('of 30 parallel orders for the last 10 seats exactly those that fit are made', async () => {
      const occurrence = await onSale({ capacity: 10 })
      const answers = await Promise.all(
        Array.from({ length: 30 }, (_, n) => order(occurrence, { seats: 1 + (n % 3) })),
      )
      const made = answers.filter(({ status }) => status === 201)
      const refused = answers.filter(({ status }) => status === 409)
      assert.equal(made.length + refused.length, 30)
      assert.ok(refused.every(({ body }) => body.reason === 'seats-full'))
      assert.equal(await left(occurrence), 0)
      const { rows } = await service.db.session((client) =>
        client.query('select sum(seats)::int as seats from ticket_order where venue_id = $1', [
          desk.venue.id,
        ]),
      )
      assert.deepEqual(rows, [{ seats: 10 }])
      assert.equal((await told()).length, made.length)
    })

    it('sent 20 times at once, to two dates, it is one order', async () => {
      const [one, other] = [await onSale({ capacity: 2 }), await onSale({ capacity: 2 })]
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, n) => order(n % 2 ? one : other, { externalReference: 'same' })),
      )
      const [same = -1, made] = [200, 201].map((one) => answers.filter(({ status }) => status === one).length)
      assert.deepEqual([same, made], [9, 1])
      const refused = answers.filter(({ status }) => status === 409)
      assert.deepEqual(new Set(refused.map(({ body }) => body.reason)), new Set(['different-body']))
      assert.equal(refused.length, 10)
      const orders = answers.flatMap(({ body }) => (body.ticketOrder ? [body.ticketOrder.id] : []))
      assert.equal(new Set(orders).size, 1)
      assert.equal((await told()).length, 1)
      assert.equal((await left(one)) + (await left(other)), 2)
    })

    it('refused for too few seats says how many are left, and for its promo code why; both leave nothing', async () => {
      const occurrence = await onSale({ capacity: 3 })
      const full = await order(occurrence, { seats: 4 })
      assert.deepEqual(full.body, { error: 'There are only 3 seats left.', reason: 'seats-full' })
      const code = {
        code: 'JAZZ',
        discount: { percent: 50 },
        eventId: null,
        usesMost: 1,
        validFrom: null,
        validTo: null,
      }
      await desk.act((work) => makePromoCode(work, manager, code))
      const unknown = await order(occurrence, { promoCode: 'BLUES' })
      assert.deepEqual(
        [unknown.status, unknown.body.reason, unknown.body.error],
        [409, 'promo-code-invalid', 'That code does not exist.'],
      )
      const tries = await Promise.all([1, 2].map(() => order(occurrence, { promoCode: 'jazz', seats: 1 })))
      assert.deepEqual(statusesOf(tries), [201, 409])
      const used = tries.find(({ status }) => status === 409)
      assert.deepEqual(
        [used?.body.reason, used?.body.error],
        ['promo-code-invalid', 'The code JAZZ has been used up.'],
      )
      assert.equal(await left(occurrence), 2)
      assert.equal((await told()).length, 1)
    })

    it('is never called paid, or given a price, by who orders: 403 staff-only, and nothing is done', async () => {
      const occurrence = await onSale()
      for (const more of [{ status: 'paid' }, { paymentMethod: 'cash' }, { totalCents: 0 }]) {
        const { status, body } = await order(occurrence, more)
        assert.deepEqual([status, body.reason], [403, 'staff-only'])
      }
      assert.equal(await left(occurrence), 10)
    })

    it('with nothing to pay is free, and paid at once', async () => {
      const { body } = await order(await onSale({ priceCents: 0 }))
      assert.deepEqual([body.ticketOrder.status, body.ticketOrder.paymentMethod], ['paid', 'free'])
      assert.deepEqual(await told(), [['ticket_order.paid', 'ticket_order.created']])
    })

    it('a kept answer is replayed, and another body under its key is 409', async () => {
      const body = asked(await onSale())
      const key = { 'idempotency-key': 'order-1' }
      const first = await call('POST', 'ticket-orders', body, key)
      const again = await call('POST', 'ticket-orders', body, key)
      assert.deepEqual([again.status, again.text], [201, first.text])
      assert.equal(again.headers.get('idempotent-replayed'), 'true')
      const other = await call('POST', 'ticket-orders', { ...body, seats: 1 }, key)
      assert.deepEqual([other.status, other.body.reason], [409, 'different-body'])
    })
  })

  describe('cancelling', () => {
    const cancel = (id: number, headers = {}) =>
      call('POST', `ticket-orders/${id}/cancel`, undefined, headers)

    it('frees the seats of an unpaid order made by API, once', async () => {
      const occurrence = await onSale()
      const id = await ordered(occurrence)
      assert.equal((await cancel(id, { 'if-match': '"9.x"' })).status, 412)
      const { status, body } = await cancel(id)
      assert.deepEqual(
        [status, body.changed, body.ticketOrder.status, body.ticketOrder.revision],
        [200, true, 'cancelled', 2],
      )
      assert.equal(await left(occurrence), 10)
      const again = await cancel(id)
      assert.deepEqual([again.status, again.body.changed], [200, false])
      assert.deepEqual(await told(), [['ticket_order.created'], ['ticket_order.cancelled']])
      const [trail] = await desk.query(
        'select actor_kind, action from activity where venue_id = $1 order by id desc limit 1',
        [desk.venue.id],
      )
      assert.deepEqual(trail, { actor_kind: 'key', action: 'cancel' })
    })

    it('is 409 not-in-state once it is paid, and for an order that staff sold', async () => {
      const occurrence = await onSale()
      const paid = await ordered(occurrence)
      await receive(paid)
      const buyer = { firstName: null, lastName: null, email: null, phone: null }
      const sale = { occurrenceId: occurrence, seats: 1, method: 'external', buyer } as const
      const { order: sold } = await desk.act((work) => sellTickets(work, manager, sale))
      for (const id of [paid, sold.id]) {
        const { status, body } = await cancel(id)
        assert.deepEqual([status, body.reason], [409, 'not-in-state'])
      }
      assert.equal((await row(paid)).status, 'paid')
      assert.equal((await cancel(987_654_321)).status, 404)
      const byStaff = await seen(sold.id)
      await desk.act((work) => cancelOrder(work, manager, byStaff))
      assert.deepEqual((await cancel(sold.id)).body.changed, false)
    })

    it('while staff mark the money as received: one of the two is done', async () => {
      const occurrence = await onSale()
      for (let round = 0; round < 5; round++) {
        const id = await ordered(occurrence, { seats: 1 })
        const it = await seen(id)
        const [key, staff] = await Promise.all([
          cancel(id),
          settled([desk.act((work) => confirmPayment(work, manager, it))]),
        ])
        const { status } = await row(id)
        assert.equal(key.status === 200, status === 'cancelled', key.text)
        assert.equal(staff.done.length === 1, status === 'paid')
      }
    })
  })

  describe('asking for a refund', () => {
    const ask = (id: number, amountCents: number, more: object = {}) =>
      call('POST', `ticket-orders/${id}/refund-requests`, { amountCents, ...more })
    const paidOrder = async (): Promise<number> => {
      const id = await ordered(await onSale())
      await receive(id)
      return id
    }

    it('leaves the order as it is until a manager grants it', async () => {
      const id = await paidOrder()
      const before = (await call('GET', `ticket-orders/${id}`)).text
      const { status, body } = await ask(id, 4_000, { reason: 'One is ill.' })
      assert.equal(status, 201)
      const { refundRequest } = body
      assert.deepEqual(refundRequest, {
        id: refundRequest.id,
        status: 'asked',
        amountCents: 4_000,
        reason: 'One is ill.',
        askedAt: '2026-10-06T19:00:00.000Z',
      })
      assert.equal((await call('GET', `ticket-orders/${id}`)).text, before)
      assert.deepEqual((await told()).at(-1), ['ticket_order.refund_requested'])
      const [trail] = await desk.query(
        'select actor_kind, action, record_id::int as of from activity where venue_id = $1 order by id desc limit 1',
        [desk.venue.id],
      )
      assert.deepEqual(trail, { actor_kind: 'key', action: 'askRefund', of: id })

      const asked = {
        ...(await seen(id)),
        request: refundRequest.id,
        via: 'external',
        outcome: 'succeeded',
      } as const
      await desk.act((work) => grantRefund(work, manager, asked))
      const { status: now, refundedCents } = (await call('GET', `ticket-orders/${id}`)).body
      assert.deepEqual([now, refundedCents], ['partially_refunded', 4_000])
      assert.deepEqual((await told()).at(-1), ['ticket_order.refunded'])
      const fresh = { ...asked, ...(await seen(id)) }
      await assert.rejects(
        desk.act((work) => grantRefund(work, manager, fresh)),
        { status: 409, message: /is no longer waiting for an answer/ },
      )
    })

    it('declined, nothing changes; only a manager answers', async () => {
      const id = await paidOrder()
      const request = (await ask(id, 10_000)).body.refundRequest.id
      const asked = { order: id, request }
      await assert.rejects(
        desk.act((work) => declineRefund(work, staffOf('host'), asked)),
        { status: 403 },
      )
      await desk.act((work) => declineRefund(work, manager, asked))
      assert.deepEqual((await told()).at(-1), ['ticket_order.refund_requested'])
      assert.equal((await row(id)).refunded_cents, 0)
      assert.equal((await ask(id, 10_000)).status, 201, 'what was declined may be asked for again')
      const other = await paidOrder()
      await assert.rejects(
        desk.act((work) => declineRefund(work, manager, { order: other, request })),
        { status: 409 },
      )
    })

    it('over the rest is 409 refund-too-large: less what was given back, is on its way, or is asked for', async () => {
      const id = await paidOrder()
      const give = async (amountCents: number, outcome: 'succeeded' | 'pending') => {
        const it = await seen(id)
        await desk.act((work) =>
          recordRefund(work, manager, { ...it, amountCents, outcome, via: 'external' }),
        )
      }
      await give(2_000, 'succeeded')
      await give(1_000, 'pending')
      assert.equal((await ask(id, 3_000)).status, 201)
      const { status, body } = await ask(id, 4_001)
      assert.deepEqual(
        [status, body],
        [409, { error: 'At most $40.00 can be refunded.', reason: 'refund-too-large' }],
      )
      assert.equal((await ask(id, 4_000)).status, 201)
      assert.equal((await ask(id, 1)).body.error, 'There is nothing left to refund.')
    })

    it('of 10 parallel requests for all of it exactly one waits', async () => {
      const id = await paidOrder()
      const answers = await Promise.all(Array.from({ length: 10 }, () => ask(id, 10_000)))
      assert.deepEqual(statusesOf(answers), [201, ...Array.from({ length: 9 }, () => 409)])
    })

    it('of an order that nobody paid is 409 not-in-state; of none, 404', async () => {
      const id = await ordered(await onSale())
      assert.equal((await ask(id, 1)).body.reason, 'not-in-state')
      await call('POST', `ticket-orders/${id}/cancel`)
      assert.equal((await ask(id, 1)).body.reason, 'not-in-state')
      assert.equal((await ask(987_654_321, 1)).status, 404)
      for (const body of [
        {},
        { amountCents: 0 },
        { amountCents: 1.5 },
        { amountCents: '5' },
        { amountCents: 2 ** 31 },
      ])
        assert.equal((await call('POST', `ticket-orders/${id}/refund-requests`, body)).status, 400)
      const key = { 'idempotency-key': 'refund-1' }
      const paid = await paidOrder()
      const path = `ticket-orders/${paid}/refund-requests`
      const first = await call('POST', path, { amountCents: 6_000 }, key)
      assert.equal((await call('POST', path, { amountCents: 6_000 }, key)).text, first.text)
    })
  })
})
