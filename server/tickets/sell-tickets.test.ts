import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Desk, openDesk, refusal, settled, staffOf } from '../test/desk.ts'
import { type TestService, startService } from '../test/service.ts'
import { datesOfEvent, promoCodes } from './event-reads.ts'
import { addOccurrence, editOccurrence, makeEvent, removeEvent, removeOccurrence } from './events.ts'
import { cancelOrder, confirmPayment } from './order-moves.ts'
import { findOrders, ordersPage } from './order-reads.ts'
import { editPromoCode, makePromoCode, saveTicketSettings } from './promo-codes.ts'
import { recordRefund } from './refunds.ts'
import { type Sale, sellTickets } from './sell-tickets.ts'

const buyer = { firstName: 'Maya', lastName: 'Okafor', email: 'Maya@Example.com', phone: null }

describe('selling tickets', () => {
  let service: TestService
  let desk: Desk
  const manager = staffOf('manager')
  const host = staffOf('host')

  const aDate = async (more: { capacity?: number; priceCents?: number } = {}) =>
    desk.act(async (work) => {
      const event = await makeEvent(work, manager, 'Burgundy Night')
      const date = await addOccurrence(work, manager, event.id, {
        title: 'Late seating',
        date: '2026-11-14',
        startTime: '8:30 pm',
        capacity: 10,
        priceCents: 9_500,
        ...more,
      })
      return { event, date }
    })
  const sell = (occurrenceId: number, more: Partial<Sale> = {}) =>
    desk.act((work) => sellTickets(work, host, { occurrenceId, seats: 1, method: 'cash', buyer, ...more }))

  before(async () => {
    service = await startService()
  })
  after(() => service.stop())

  it('capacity can never be oversold: of 100 parallel sales for 10 seats exactly 10 go through', async () => {
    desk = await openDesk(service)
    const { date } = await aDate()
    const { done, refused } = await settled(Array.from({ length: 100 }, () => sell(date.id)))
    assert.equal(done.length, 10)
    assert.ok(
      refused.every((sentence) => sentence.includes('This date is sold out.')),
      refused.join(),
    )
    assert.equal((await desk.told()).filter(({ name }) => name === 'ticket_order.paid').length, 10)
    assert.equal(new Set(done.map(({ order }) => order.orderNumber)).size, 10)
  })

  it('not even with cancellations, refunds and a smaller capacity, all at once', async () => {
    desk = await openDesk(service)
    const { event, date } = await aDate()
    const first = await Promise.all([2, 3].map((seats) => sell(date.id, { seats, method: 'external' })))
    const refundAll = async () => {
      const { order, version } = await sell(date.id, { seats: 1 })
      const { id, totalCents } = order
      return desk.act((work) =>
        recordRefund(work, manager, {
          order: id,
          seenVersion: version,
          amountCents: totalCents ?? 0,
          via: 'cash',
          outcome: 'succeeded',
        }),
      )
    }
    await settled<unknown>([
      ...Array.from({ length: 30 }, (_, i) => sell(date.id, { seats: 1 + (i % 3) })),
      ...first.map(({ order, version }) =>
        desk.act((work) => cancelOrder(work, host, { order: order.id, seenVersion: version })),
      ),
      refundAll(),
      desk.act((work) =>
        editOccurrence(work, manager, {
          id: date.id,
          seenVersion: 1,
          title: null,
          date: '2026-11-14',
          startTime: null,
          capacity: 8,
          priceCents: 9_500,
        }),
      ),
    ])
    const [row] = await datesOfEvent(service.db, desk.venue.id, event.id, service.context.clock())
    assert.ok(row && row.taken <= row.capacity, JSON.stringify(row))
    await Promise.all(Array.from({ length: row.capacity - row.taken }, () => sell(date.id, { seats: 1 })))
    const [full] = await datesOfEvent(service.db, desk.venue.id, event.id, service.context.clock())
    assert.equal(full?.taken, row.capacity, 'and what was left can be sold')
  })

  it('cash and complimentary are paid at once, and ticket_order.paid is emitted once per order', async () => {
    desk = await openDesk(service)
    const { date } = await aDate()
    const cash = await sell(date.id, { seats: 2 })
    assert.deepEqual(
      [cash.order.status, cash.order.paidAt, cash.order.totalCents, cash.order.total, cash.order.channel],
      ['paid', '2026-10-06T19:00:00.000Z', 19_000, '190.00', 'box_office'],
    )
    assert.equal(cash.order.eventStartTime, '20:30')
    const comp = await sell(date.id, { method: 'comp' })
    assert.deepEqual(
      [comp.order.status, comp.order.subtotalCents, comp.order.discountCents, comp.order.totalCents],
      ['paid', 9_500, 9_500, 0],
    )
    const told = await desk.told()
    assert.deepEqual(
      told.map(({ name, data }) => [name, data.id]),
      [
        ['ticket_order.paid', cash.order.id],
        ['ticket_order.paid', comp.order.id],
      ],
    )
    assert.deepEqual(told[0]?.data, cash.order)
    assert.deepEqual(
      (await desk.trail()).map(({ action }) => action),
      ['make', 'make', 'sell', 'sell'],
    )
    const listed = await service.call('GET', '/api/v1/ticket-orders', { key: desk.venue.key })
    assert.deepEqual(listed.body, [comp.order, cash.order])
  })

  it('external payment holds the seats as paid_unconfirmed without an event until it is received, once', async () => {
    desk = await openDesk(service)
    const { date } = await aDate({ capacity: 2 })
    const { order, version } = await sell(date.id, { seats: 2, method: 'external' })
    assert.deepEqual([order.status, order.paidAt], ['paid_unconfirmed', null])
    assert.deepEqual(await desk.told(), [])
    await assert.rejects(sell(date.id), refusal(409, /sold out/))

    const receive = () =>
      desk.act((work) => confirmPayment(work, host, { order: order.id, seenVersion: version }))
    const { done, refused } = await settled(Array.from({ length: 10 }, receive))
    assert.equal(done.length, 1)
    assert.ok(
      refused.every((sentence) => sentence.includes('just changed by someone else; reload and try again.')),
    )
    assert.equal(done[0]?.order.status, 'paid')
    assert.deepEqual(
      (await desk.told()).map(({ name }) => name),
      ['ticket_order.paid'],
    )
    const received = await sell((await aDate()).date.id, { method: 'external', received: true })
    assert.equal(received.order.status, 'paid')
  })

  it('a never-confirmed order is cancelled and its seats are freed; a paid one is refunded, not cancelled', async () => {
    desk = await openDesk(service)
    const { date } = await aDate({ capacity: 2 })
    const waiting = await sell(date.id, { seats: 2, method: 'external' })
    const cancel = (sold: { order: { id: number }; version: number }) =>
      desk.act((work) => cancelOrder(work, host, { order: sold.order.id, seenVersion: sold.version }))
    assert.equal((await cancel(waiting)).order.status, 'cancelled')
    assert.deepEqual(await desk.told(), [])
    const paid = await sell(date.id)
    await assert.rejects(cancel(paid), refusal(409, /refund it instead/))
    const comp = await sell(date.id, { method: 'comp' })
    assert.equal((await cancel(comp)).order.status, 'cancelled')
  })

  it('promo codes take a percentage or an amount off, within their dates, event and limit', async () => {
    desk = await openDesk(service)
    const { event, date } = await aDate()
    const other = await aDate()
    const code = (more: object) =>
      desk.act((work) =>
        makePromoCode(work, manager, {
          code: 'Cellar10',
          discount: { percent: 10 },
          eventId: null,
          usesMost: null,
          validFrom: null,
          validTo: null,
          ...more,
        }),
      )
    const tenth = await code({ eventId: event.id, usesMost: 3 })
    await code({ code: 'five', discount: { amountCents: 500_00 } })
    await code({ code: 'late', validFrom: '2026-10-07' })
    await code({ code: 'over', validTo: '2026-10-05' })
    await assert.rejects(code({ code: 'CELLAR10' }), refusal(409, /already/))

    const sold = await sell(date.id, { promoCode: ' cellar10 ', seats: 2 })
    assert.deepEqual(
      [sold.order.promoCode, sold.order.discountCents, sold.order.totalCents],
      ['CELLAR10', 1_900, 17_100],
    )
    const free = await sell(date.id, { promoCode: 'FIVE' })
    assert.deepEqual(
      [free.order.paymentMethod, free.order.totalCents, free.order.status],
      ['free', 0, 'paid'],
    )
    await assert.rejects(sell(other.date.id, { promoCode: 'cellar10' }), refusal(409, /for another event/))
    await assert.rejects(sell(date.id, { promoCode: 'late' }), refusal(409, /valid from 7 October 2026/))
    await assert.rejects(sell(date.id, { promoCode: 'over' }), refusal(409, /valid until 5 October 2026/))
    await assert.rejects(sell(date.id, { promoCode: 'nix' }), refusal(409, /code does not exist/))

    const { done } = await settled(Array.from({ length: 6 }, () => sell(date.id, { promoCode: 'cellar10' })))
    assert.equal(done.length, 2, 'of three uses two were left')
    const uses = await promoCodes(service.db, desk.venue.id)
    assert.equal(uses.find(({ id }) => id === tenth.id)?.uses, 3)
    await desk.act((work) =>
      editPromoCode(work, manager, {
        id: tenth.id,
        seenVersion: 1,
        code: 'CELLAR10',
        discount: { percent: 10 },
        eventId: null,
        usesMost: null,
        validFrom: null,
        validTo: null,
        switchedOff: true,
      }),
    )
    await assert.rejects(sell(date.id, { promoCode: 'cellar10' }), refusal(409, /turned off/))
  })

  it('charges the fee and tax that are set, and only the price shown', async () => {
    desk = await openDesk(service)
    const { date } = await aDate()
    const set = (seenVersion: number) =>
      desk.act((work) =>
        saveTicketSettings(work, manager, {
          feePerSeatCents: 200,
          feeAtBoxOffice: true,
          taxRate: 8_875,
          seenVersion,
        }),
      )
    const { done } = await settled([set(0), set(0)])
    assert.equal(done.length, 1, 'of two managers one wins')
    await assert.rejects(
      sell(date.id, { shownTotalCents: 9_500 }),
      refusal(409, /this order is now \$105\.43/),
    )
    const { order } = await sell(date.id, { shownTotalCents: 10_543 })
    assert.deepEqual([order.feeCents, order.taxCents, order.totalCents], [200, 843, 10_543])
    await assert.rejects(sell(date.id, { method: 'free' }), refusal(400, /choose a payment method/))
  })

  it("an order is found by its number however it is read out, and by its buyer's address", async () => {
    desk = await openDesk(service)
    const { date } = await aDate()
    const { order } = await sell(date.id)
    await sell(date.id, { buyer: { ...buyer, email: 'ben@example.com' } })
    const number = order.orderNumber ?? ''
    for (const typed of [number, number.toLowerCase(), number.slice(3), 'maya@example.com']) {
      const found = await findOrders(service.db, desk.venue, typed)
      assert.deepEqual(
        found.map(({ id }) => id),
        [order.id],
        typed,
      )
    }
    assert.deepEqual(await findOrders(service.db, desk.venue, "'; drop table x; --"), [])
  })

  it('nothing of another venue is sold, moved or found', async () => {
    desk = await openDesk(service)
    const { date } = await aDate()
    const { order, version } = await sell(date.id)
    const foreign = await openDesk(service)
    const theirs = desk
    desk = foreign
    await assert.rejects(sell(date.id), refusal(404, /no such date/))
    await assert.rejects(
      desk.act((work) => cancelOrder(work, manager, { order: order.id, seenVersion: version })),
      refusal(404, /no such order/),
    )
    assert.deepEqual(await findOrders(service.db, desk.venue, 'maya@example.com'), [])
    assert.equal(
      (await ordersPage(service.db, theirs.venue.id, {}, { limit: 10, after: null })).rows.length,
      1,
    )
  })

  it('a date with orders and an event with dates stay; a capacity below the seats taken is refused', async () => {
    desk = await openDesk(service)
    const { event, date } = await aDate()
    await sell(date.id, { seats: 4 })
    const edit = (capacity: number) =>
      desk.act((work) =>
        editOccurrence(work, manager, {
          id: date.id,
          seenVersion: 1,
          title: null,
          date: '2026-11-15',
          startTime: null,
          capacity,
          priceCents: 100,
        }),
      )
    await assert.rejects(edit(3), refusal(409, /4 seats are taken/))
    assert.equal((await edit(4)).version, 2)
    await assert.rejects(edit(4), refusal(409, /just changed by someone else/))
    await assert.rejects(
      desk.act((work) => removeOccurrence(work, manager, date.id)),
      refusal(409, /has orders/),
    )
    await assert.rejects(
      desk.act((work) => removeEvent(work, manager, event.id)),
      refusal(409, /has dates/),
    )
  })
})
