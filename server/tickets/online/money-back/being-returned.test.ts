import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { actAt } from '../../../test/act.ts'
import { guestAt } from '../../../test/guest.ts'
import { orderLink, ownOrder } from '../../admission/own-order.ts'
import { staffOf } from '../../../test/desk.ts'
import { rowsOf } from '../../../test/rows.ts'
import { owner, sellingOnline } from '../../../test/selling-online.ts'
import { admit } from '../../admission/admit.ts'
import { countsOfDate } from '../../admission/door-reads.ts'
import { ticketsOfOrders } from '../../admission/ticket-reads.ts'
import { editEvent } from '../../events.ts'
import { soldOrder } from '../../order-reads.ts'
import { returnSeats, returnableOf } from './return-seats.ts'

describe('a ticket whose money is on its way back', () => {
  const scene = sellingOnline()
  const host = staffOf('host')
  const { refund } = scene
  const rows = (text: string) => rowsOf(scene.service, text, [scene.venue.id])
  /** An order of two seats, which its buyer may return. */
  const sold = async () => {
    const [event] = await rows('select version from ticketed_event where venue_id = $1')
    await actAt(scene.service, scene.venue, (work) =>
      editEvent(work, owner, {
        ...{ id: scene.event, seenVersion: Number(event?.['version']), name: 'Wine dinner', text: null },
        ...{ orderMost: null, returnHours: 48, returnKeepsFee: false },
      }),
    )
    await scene.sold()
    const [row] = await rows('select id from ticket_order where venue_id = $1 order by id desc')
    const order = Number(row?.['id'])
    const tickets = await ticketsOfOrders(scene.service.db, scene.venue.id, [order])
    return { order, codes: tickets.map(({ code }) => code) }
  }
  const scan = (code: string | undefined, secondsAgo = 0) =>
    actAt(scene.service, scene.venue, (work) =>
      admit(work, host, { occurrence: scene.date, shown: { code: code ?? '' }, door: 'Door 1', secondsAgo }),
    )
  const outcome = async (code: string | undefined, secondsAgo = 0) => (await scan(code, secondsAgo)).outcome
  /** The buyer's own press, for one seat. */
  const returnOne = (order: number) =>
    actAt(scene.service, scene.venue, async (work) => {
      const row = await soldOrder(work.db, work.venue.id, order)
      const returnable = row && (await returnableOf(work, row))
      const shownCents = returnable?.centsFor(1) ?? 4_500
      await returnSeats(work, { order, seats: 1, shownCents, seenVersion: row?.version ?? 0 })
    })
  const counts = () => countsOfDate(scene.service.db, scene.venue.id, scene.date)
  const door = (form: Record<string, string>) =>
    scene.office.post(`/office/tickets/door/${scene.date}`, { door: '', typed: '', ...form })

  it('lets nobody in, scanned, typed or sent later, and is not counted as expected; the other tickets do', async () => {
    const { order, codes } = await sold()
    await returnOne(order)
    assert.equal(await outcome(codes[1]), 'being-returned')
    assert.equal(await outcome(codes[1], 3_600), 'being-returned', 'a press that waited for the network')
    assert.deepEqual(await counts(), { in: 0, expected: 1 })
    const typed = await door({ typed: codes[1] ?? '' })
    assert.match(
      typed.words,
      /Being returned .*on its way back to the card.* Ask a manager or an owner: they decide/s,
    )
    assert.match(typed.html, new RegExp(`/office/tickets/orders/${order}`))
    const found = (await door({ typed: 'okafor' })).words
    assert.match(found, /Let in ticket 1 .*Ticket 2 Being returned/s)
    assert.doesNotMatch(found, /Let in ticket 2/)
    assert.match(
      (await scene.office.get(`/office/tickets/orders/${order}`)).words,
      /Ticket 1 Not in yet Ticket 2 Being returned/s,
    )
    assert.equal(await outcome(codes[0]), 'in')
    assert.deepEqual(await counts(), { in: 1, expected: 1 })
    await refund()
    assert.equal(await outcome(codes[1]), 'void')
    assert.deepEqual(await counts(), { in: 1, expected: 1 })
  })

  it('is valid again as soon as its refund has failed', async () => {
    const { order, codes } = await sold()
    scene.stripe.refundsPend = true
    await returnOne(order)
    await refund()
    assert.equal(await outcome(codes[1]), 'being-returned')
    const [named] = [...scene.stripe.refunds.keys()].slice(-1)
    await scene.stripe.endRefund(named ?? '', 'failed')
    scene.later(61)
    await refund()
    assert.equal(await outcome(codes[1]), 'in')
    assert.deepEqual(await counts(), { in: 1, expected: 2 })
  })

  describe('and that came back from the bank', () => {
    /** Both tickets were given back, and the money did not arrive. */
    const failed = async () => {
      const { order } = await sold()
      scene.stripe.refundsPend = true
      await scene.askRefund()
      await refund()
      const [named = ''] = [...scene.stripe.refunds.keys()].slice(-1)
      for (const end of ['succeeded', 'failed'] as const) {
        await scene.stripe.endRefund(named, end)
        scene.later(61)
        await refund()
      }
      scene.stripe.refundsPend = false
      return order
    }
    const page = async (order: number) => {
      const own = await ownOrder(scene.service.db, scene.venue.id, order)
      assert.ok(own)
      const { context } = scene.service
      const link = orderLink(context, scene.venue.id, own).replace(context.config.publicUrl, '')
      return (await guestAt(scene.service, link)).text.replaceAll(/<[^>]+>|\s+/g, ' ')
    }
    const press = async (order: number, what: string) => {
      const [row] = await rows(
        'select r.id, o.version from refund r join ticket_order o on o.id = r.order_id where r.venue_id = $1',
      )
      return scene.office.post(`/office/tickets/orders/${order}/refunds/${String(row?.['id'])}`, {
        version: String(row?.['version']),
        do: what,
      })
    }

    it('once staff dismissed it, the page says what the restaurant keeps, as the press had said', async () => {
      const order = await failed()
      assert.match(await page(order), /\$90\.00 could not be sent back to your card/)
      const { html } = await scene.office.get(`/office/tickets/orders/${order}`)
      assert.match(
        html,
        /data-asks="Close it without a refund\? The buyer’s page then says that you keep \$90\.00\."/,
      )
      assert.equal((await press(order, 'dismiss')).status, 303)
      const text = await page(order)
      assert.doesNotMatch(text, /could not be sent back/)
      assert.match(text, /The restaurant keeps \$90\.00\./)
    })

    it('once staff noted that they refunded it another way, the page says that it was refunded, and nothing is sent', async () => {
      const order = await failed()
      const sent = scene.stripe.refunds.size
      const { html } = await scene.office.get(`/office/tickets/orders/${order}`)
      assert.match(html, /value="by-hand"[^>]*>Refunded another way</)
      assert.equal((await press(order, 'by-hand')).status, 303)
      await refund()
      assert.equal(scene.stripe.refunds.size, sent)
      const text = await page(order)
      assert.doesNotMatch(text, /could not be sent back|keeps/)
      assert.match(text, /Refunded\s+\$90\.00/)
      assert.deepEqual(
        (await rows('select state, via, amount_cents from refund where venue_id = $1 order by id')).map(
          ({ state, via, amount_cents: cents }) => [state, via, cents],
        ),
        [
          ['superseded', 'processor', 9_000],
          ['succeeded', 'external', 9_000],
        ],
      )
      const [row] = await rows('select status, refunded_cents from ticket_order where venue_id = $1')
      assert.deepEqual([row?.['status'], row?.['refunded_cents']], ['refunded', 9_000])
    })
  })

  it('is each one of an order that staff give back as a whole; who was in before stays counted on both sides', async () => {
    const { codes } = await sold()
    assert.equal(await outcome(codes[0]), 'in')
    await scene.askRefund()
    assert.equal(await outcome(codes[1]), 'being-returned')
    assert.equal(await outcome(codes[0]), 'already-in')
    assert.deepEqual(await counts(), { in: 1, expected: 1 })
    await refund()
    assert.deepEqual(await counts(), { in: 1, expected: 1 })
  })

  it('is none where staff give back money without a seat', async () => {
    const { codes } = await sold()
    await scene.askRefund('10.00')
    assert.deepEqual(await counts(), { in: 0, expected: 2 })
    for (const code of codes) assert.equal(await outcome(code), 'in')
  })

  it('is either used or returned, never both, when its holder and its buyer press at once', async () => {
    for (let turn = 0; turn < 12; turn++) {
      scene.date = await scene.newDate()
      const { order, codes } = await sold()
      await rows(`delete from ticket where venue_id = $1 and number = 1 and order_id = ${order}`)
      await rows(`update ticket_order set seats = 1 where venue_id = $1 and id = ${order}`)
      const [entry, back] = await Promise.allSettled([outcome(codes[1]), returnOne(order)])
      const isIn = entry.status === 'fulfilled' && entry.value === 'in'
      assert.notEqual(isIn, back.status === 'fulfilled', `${isIn} ${back.status}`)
    }
  })
})
