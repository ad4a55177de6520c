import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { editEvent } from '../../../tickets/events.ts'
import { orderLink, ownOrder } from '../../../tickets/admission/own-order.ts'
import { lookAtCalls } from '../../../tickets/online/called-about.ts'
import { actAt } from '../../../test/act.ts'
import { guestAt } from '../../../test/guest.ts'
import { rowsOf } from '../../../test/rows.ts'
import { deposit, securingTables } from '../../../test/securing-tables.ts'
import { owner, sellingOnline, signal } from '../../../test/selling-online.ts'

const why = /The guest’s bank disputes this payment, so Stripe gives nothing back until that is decided/

describe('tickets whose payment a bank disputes', () => {
  const scene = sellingOnline()
  const { sold, heard, askRefund, refunds, refund, later } = scene
  const rows = (text: string) => rowsOf(scene.service, text, [scene.venue.id])
  const orderPage = async () => {
    const [order] = await rows('select id from ticket_order where venue_id = $1')
    return `/office/tickets/orders/${String(order?.['id'])}`
  }
  const dispute = async (status: 'needs_response' | 'won' | 'warning_needs_response') => {
    await scene.stripe.dispute([...scene.stripe.intents.keys()].at(-1) ?? '', status)
    await heard()
  }
  const press = async (form: object) => {
    const [order] = await rows('select version from ticket_order where venue_id = $1')
    return scene.office.post(`${await orderPage()}/refunds`, {
      ...{ version: String(order?.['version']), amount: '90.00', seats: '0' },
      ...{ via: 'processor', outcome: 'pending', answer: '', ...form },
    })
  }

  it('are not refunded by Stripe until that is decided: the page says why, and a press changes nothing', async () => {
    await sold()
    await dispute('needs_response')
    const page = await scene.office.get(await orderPage())
    assert.match(page.words, why)
    assert.match(page.words, /Paid by Card, online/)
    assert.doesNotMatch(page.html, /<option value="processor"/)
    const refused = await press({})
    assert.equal(refused.status, 409)
    assert.match(refused.words, why)
    assert.deepEqual(await refunds(), [])
    await dispute('won')
    assert.doesNotMatch((await scene.office.get(await orderPage())).words, why)
    await askRefund()
    await refund()
    assert.deepEqual(
      (await refunds()).map(({ state }) => state),
      ['succeeded'],
    )
  })

  it('are written down as refunded another way, and refunded while a bank only asks', async () => {
    await sold()
    await dispute('warning_needs_response')
    assert.match((await scene.office.get(await orderPage())).html, /<option value="processor"/)
    await dispute('needs_response')
    assert.equal((await press({ via: 'cash', amount: '10.00', outcome: 'succeeded' })).status, 303)
    assert.deepEqual(
      (await refunds()).map(({ amount_cents }) => amount_cents),
      [1_000],
    )
  })

  it('are not returned by their buyer meanwhile, and a refund that failed is not offered once more', async () => {
    const [event] = await rows('select version from ticketed_event where venue_id = $1')
    await actAt(scene.service, scene.venue, (work) =>
      editEvent(work, owner, {
        ...{ id: scene.event, seenVersion: Number(event?.['version']), name: 'Wine dinner', text: null },
        ...{ orderMost: null, returnHours: 24, returnKeepsFee: false },
      }),
    )
    await sold()
    const [order] = await rows('select id from ticket_order where venue_id = $1')
    const own = await ownOrder(scene.service.db, scene.venue.id, Number(order?.['id']))
    assert.ok(own)
    const { context } = scene.service
    const mine = orderLink(context, scene.venue.id, own).replace(context.config.publicUrl, '')
    assert.match((await guestAt(scene.service, mine)).text, /Return seats/)
    scene.stripe.refundsPend = true
    await askRefund('40.00')
    await refund()
    await scene.stripe.endRefund([...scene.stripe.refunds.keys()].at(-1) ?? '', 'failed')
    later(61)
    await refund()
    assert.match((await scene.office.get(await orderPage())).words, /Try again/)
    await dispute('needs_response')
    assert.doesNotMatch((await guestAt(scene.service, mine)).text, /Return seats/)
    assert.doesNotMatch((await scene.office.get(await orderPage())).words, /Try again/)
    const [failed] = await rows('select id from refund where venue_id = $1')
    const [seen] = await rows('select version from ticket_order where venue_id = $1')
    await scene.office.post(`${await orderPage()}/refunds/${String(failed?.['id'])}`, {
      ...{ version: String(seen?.['version']), do: 'retry' },
    })
    assert.deepEqual(
      (await refunds()).map(({ state }) => state),
      ['failed'],
    )
  })
})

describe('a deposit that a bank disputes', () => {
  const scene = securingTables()

  it('is not given back by a manager until that is decided, and the sheet says why', async () => {
    await scene.ask(deposit)
    await scene.secure()
    const id = await scene.bookingId()
    const sheet = () => scene.office.get(`/office/bookings/${id}`)
    assert.match((await sheet()).words, /Refund \$40\.00/)
    const dispute = async (status: 'needs_response' | 'won') => {
      await scene.stripe.dispute([...scene.stripe.intents.keys()].at(-1) ?? '', status)
      await lookAtCalls(scene.service.context, signal)
    }
    await dispute('needs_response')
    assert.match((await sheet()).words, why)
    assert.doesNotMatch((await sheet()).words, /Refund \$40\.00/)
    const pressed = await scene.office.post(`/office/bookings/${id}/guarantee`, { do: 'refund' })
    assert.match(pressed.words + String(pressed.headers.get('location')), /bank|booking/)
    await scene.refund()
    assert.equal(scene.stripe.refunds.size, 0)
    assert.equal((await scene.guarantee())['status'], 'paid')
    await dispute('won')
    await scene.pressCard(id, { do: 'refund' })
    await scene.refund()
    assert.equal((await scene.guarantee())['status'], 'refunded')
  })
})
