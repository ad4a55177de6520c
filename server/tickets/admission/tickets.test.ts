import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Desk, openDesk, refusal, staffOf } from '../../test/desk.ts'
import { rowsOf } from '../../test/rows.ts'
import { type TestService, startService } from '../../test/service.ts'
import { orderByKey } from '../by-key.ts'
import { addOccurrence, makeEvent } from '../events.ts'
import { cancelOrder, confirmPayment } from '../order-moves.ts'
import { refundsOfOrder, soldOrder } from '../order-reads.ts'
import { type RefundAsked, recordRefund, settleRefund } from '../refunds.ts'
import { type Sale, sellTickets } from '../sell-tickets.ts'
import { ticketsOfOrders } from './ticket-reads.ts'
import { ticketsOf } from './tickets.ts'

describe('the tickets of an order', () => {
  let service: TestService
  let desk: Desk
  let occurrence: number
  const manager = staffOf('manager')
  const buyer = { firstName: 'Maya', lastName: 'Okafor', email: null, phone: null }

  before(async () => {
    service = await startService()
    desk = await openDesk(service)
    occurrence = await desk.act(async (work) => {
      const { id } = await makeEvent(work, manager, 'Wine dinner')
      const date = { title: null, date: '2026-11-05', startTime: '19:00', capacity: 1_000, priceCents: 5_000 }
      return (await addOccurrence(work, manager, id, date)).id
    })
  })
  after(() => service.stop())

  const sell = async (seats: number, more: Partial<Sale> = {}): Promise<number> =>
    (
      await desk.act((work) =>
        sellTickets(work, manager, { occurrenceId: occurrence, seats, method: 'cash', buyer, ...more }),
      )
    ).order.id
  const order = async (id: number) => {
    const row = await soldOrder(service.db, desk.venue.id, id)
    assert.ok(row)
    return row
  }
  const seen = async (id: number) => ({ order: id, seenVersion: (await order(id)).version })
  const kept = (id: number) => ticketsOfOrders(service.db, desk.venue.id, [id])
  /** The numbers that let somebody in. */
  const valid = async (id: number): Promise<number[]> =>
    (await kept(id)).filter((one) => one.void_at === null).map(({ number }) => number)
  const refund = async (id: number, amountCents: number, more: Partial<RefundAsked> = {}) => {
    const asked = { ...(await seen(id)), amountCents, via: 'cash', outcome: 'succeeded', ...more } as const
    return desk.act((work) => recordRefund(work, manager, asked))
  }

  it('are as many as its seats, each with a code of its own that nobody guesses', async () => {
    const tickets = [...(await kept(await sell(3))), ...(await kept(await sell(20)))]
    assert.deepEqual(
      tickets.slice(0, 3).map(({ number, void_at, in_at }) => [number, void_at, in_at]),
      [1, 2, 3].map((number) => [number, null, null]),
    )
    assert.equal(new Set(tickets.map(({ code }) => code)).size, 23)
    for (const { code } of tickets) assert.match(code, /^[34679CDFGHJKMNPQRTVWXY]{29}$/)
  })

  it('come with the money, whoever sold it, and also where there is nothing to pay', async () => {
    const unpaid = await sell(2, { method: 'external' })
    assert.deepEqual(await kept(unpaid), [])
    const asked = await seen(unpaid)
    await desk.act((work) => confirmPayment(work, manager, asked))
    assert.deepEqual(await valid(unpaid), [1, 2])
    assert.deepEqual(await valid(await sell(2, { method: 'comp' })), [1, 2])
    const byKey = await desk.act((work) =>
      orderByKey(work, { kind: 'key', id: 1 } as never, {
        ...{ occurrenceId: occurrence, seats: 2, buyer, reference: 'W-1' },
      }),
    )
    assert.deepEqual(await kept(byKey.order.id), [])
    const ofKey = await seen(byKey.order.id)
    await desk.act((work) => confirmPayment(work, manager, ofKey))
    assert.deepEqual(await valid(byKey.order.id), [1, 2])
  })

  it('lose the highest numbers with seats that go back, or those that staff choose', async () => {
    const id = await sell(4)
    await refund(id, 1_000)
    assert.deepEqual(await valid(id), [1, 2, 3, 4], 'money alone frees no seat')
    await refund(id, 5_000, { seats: 1 })
    assert.deepEqual(await valid(id), [1, 2, 3])
    const pending = await refund(id, 5_000, { seats: 1, tickets: [1], outcome: 'pending' })
    assert.deepEqual(await valid(id), [1, 2, 3], 'nothing went back yet')
    const { version: seenVersion } = await order(id)
    await desk.act((work) =>
      settleRefund(work, manager, { refund: pending.refund.id, seenVersion, outcome: 'succeeded' }),
    )
    assert.deepEqual(await valid(id), [2, 3])
    await assert.rejects(
      refund(id, 1_000, { seats: 1, tickets: [2, 3] }),
      refusal(400, /as many tickets as seats/),
    )
    assert.equal((await refundsOfOrder(service.db, desk.venue.id, id)).length, 3)
  })

  it('of people who are in are the last to become void', async () => {
    const id = await sell(2)
    await rowsOf(service, `update ticket set in_at = now() where order_id = $1 and number = 2`, [id])
    await refund(id, 5_000, { seats: 1 })
    assert.deepEqual(await valid(id), [2])
  })

  it('are all void once everything is refunded, or the order is cancelled', async () => {
    const refunded = await sell(2)
    await refund(refunded, 10_000)
    const free = await sell(2, { method: 'comp' })
    const asked = await seen(free)
    await desk.act((work) => cancelOrder(work, manager, asked))
    for (const id of [refunded, free]) {
      assert.deepEqual(await valid(id), [])
      assert.equal((await kept(id)).length, 2)
    }
  })

  it('are made for an order that has none the first time they are needed, and stay the same from then on', async () => {
    const ids = [await sell(3), await sell(1), await sell(2, { method: 'external' })]
    await refund(ids[0] as number, 5_000, { seats: 1 })
    await rowsOf(service, `delete from ticket where order_id = any($1::bigint[])`, [ids])
    const orders = await Promise.all(ids.map(order))
    const needed = () => desk.act((work) => ticketsOf(work, orders))
    const [one, other] = await Promise.all([needed(), needed()])
    const codes = (all: typeof one) =>
      ids.map((id) => all.get(id)?.map(({ number, code, void_at }) => [number, code, void_at === null]))
    assert.deepEqual(codes(one), codes(other))
    assert.deepEqual(codes(await needed()), codes(one))
    assert.deepEqual(
      ids.map((id) => one.get(id)?.map(({ void_at }) => void_at === null)),
      [[true, true, false], [true], undefined],
    )
  })

  it('are void for an order whose seats went back without them', async () => {
    const id = await sell(2)
    await rowsOf(service, `update ticket_order set seats_returned = 1 where id = $1`, [id])
    const row = await order(id)
    await desk.act((work) => ticketsOf(work, [row]))
    assert.deepEqual(await valid(id), [1])
  })

  it('are no more than the seats there are once they are made, though some went back while the order was looked at', async () => {
    const id = await sell(3)
    await rowsOf(service, `delete from ticket where order_id = $1`, [id])
    const before = await order(id)
    await refund(id, 5_000, { seats: 1 })
    await desk.act((work) => ticketsOf(work, [before]))
    assert.deepEqual(await valid(id), [1, 2])
  })

  it('have codes that no event, answer or line of the trail shows', async () => {
    const id = await sell(1)
    const [ticket] = await kept(id)
    const said = await rowsOf<{ text: string }>(
      service,
      `select coalesce(string_agg(e::text, ' '), '') as text from event e where venue_id = $1
       union all select coalesce(string_agg(a::text, ' '), '') from activity a where venue_id = $1`,
      [desk.venue.id],
    )
    assert.ok(ticket && said.length === 2 && said.every(({ text }) => text !== ''))
    for (const { text } of said) assert.ok(!text.includes(ticket.code))
  })
})
