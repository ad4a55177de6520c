import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { editEvent } from '../../../tickets/events.ts'
import { lookAtCalls } from '../../../tickets/online/money-back/called-about.ts'
import { actAt } from '../../../test/act.ts'
import { guestAt } from '../../../test/guest.ts'
import { rowsOf } from '../../../test/rows.ts'
import { deposit, securingTables } from '../../../test/securing-tables.ts'
import { owner, sellingOnline, signal } from '../../../test/selling-online.ts'

const why = /The guest’s bank disputes this payment, so Stripe gives nothing back until that is decided/

describe('tickets whose payment a bank disputes', () => {
  const scene = sellingOnline()
  const { sold, heard, askRefund, refunds, refund, later, orders } = scene
  /** Refunds that the processor made in other tests. */
  let before = 0
  beforeEach(() => {
    before = scene.stripe.refunds.size
  })
  const rows = (text: string) => rowsOf(scene.service, text, [scene.venue.id])
  const orderPage = async () => {
    const [order] = await rows('select id from ticket_order where venue_id = $1')
    return `/office/tickets/orders/${String(order?.['id'])}`
  }
  const dispute = async (status: 'needs_response' | 'won' | 'lost' | 'warning_needs_response') => {
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
    const mine = await scene.buyersPage()
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

  const buyers = async () => (await guestAt(scene.service, await scene.buyersPage())).text

  it('a refund that was asked for before waits for the bank, and goes out once the dispute is won', async () => {
    await sold()
    await askRefund('90.00')
    await dispute('needs_response')
    await refund()
    assert.equal(scene.stripe.refunds.size, before, 'nothing was sent')
    assert.match((await scene.office.get(await orderPage())).words, /\$90\.00[^$]*Waits for the dispute/)
    assert.match(
      (await scene.office.get('/office/payments')).words,
      /\$90\.00, order .* Waits for the dispute/,
    )
    const text = await buyers()
    assert.match(text, /\$90\.00 is to go back to your card\. Your bank is looking into this payment/)
    assert.doesNotMatch(text, /is on its way back/)
    await dispute('won')
    await refund()
    assert.deepEqual(
      (await refunds()).map(({ state }) => state),
      ['succeeded'],
    )
    assert.match((await scene.office.get(await orderPage())).words, /Refunded/)
  })

  it('what a lost dispute took is not called refunded, and a refund that waited is not made', async () => {
    await sold()
    await askRefund('90.00')
    await dispute('needs_response')
    await dispute('lost')
    await refund()
    later(31)
    await heard()
    assert.equal(scene.stripe.refunds.size, before, 'nothing was sent')
    assert.deepEqual(
      (await refunds()).map(({ state }) => state),
      ['superseded', 'succeeded'],
    )
    const [order] = await orders()
    assert.deepEqual(
      [order?.['status'], order?.['refunded_cents']],
      ['refunded', 9_000],
      'as the contract has it',
    )
    const page = await scene.office.get(await orderPage())
    assert.match(page.words, /Lost to a dispute/)
    assert.match(page.words, /Total \$90\.00 Lost to a dispute −\$90\.00/)
    assert.match(page.words, /Not sent/)
    assert.doesNotMatch(page.words, /Refunded|retried/)
    assert.match((await scene.office.get('/office/tickets/orders')).words, /Lost to a dispute/)
    assert.match((await scene.office.get('/office/activity')).words, /[Ll]ost to a dispute what was paid for/)
    const text = await buyers()
    assert.match(text, /Your bank took this payment back after a dispute/)
    assert.doesNotMatch(text, /[Rr]efunded/)
    assert.deepEqual(
      await rows(`select id from guest_mail where venue_id = $1 and kind = 'ticketsRefunded'`),
      [],
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
    assert.match((await sheet()).words, /Up to \$40\.00\. Stripe/)
    const dispute = async (status: 'needs_response' | 'won') => {
      await scene.stripe.dispute([...scene.stripe.intents.keys()].at(-1) ?? '', status)
      await lookAtCalls(scene.service.context, signal)
    }
    await dispute('needs_response')
    assert.match((await sheet()).words, why)
    assert.doesNotMatch((await sheet()).words, /Up to \$40\.00\. Stripe/)
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

  const disputed = async (status: 'needs_response' | 'won' | 'lost') => {
    await scene.stripe.dispute([...scene.stripe.intents.keys()].at(-1) ?? '', status)
    await lookAtCalls(scene.service.context, signal)
  }

  it('goes back after a cancellation only once the dispute is won: until then the office and the guest read that it waits', async () => {
    await scene.ask(deposit)
    const mine = await scene.secure()
    const id = await scene.bookingId()
    await disputed('needs_response')
    const asked = (await guestAt(scene.service, `${mine}?do=cancel`)).text
    assert.match(asked, /\$40\.00 is to go back to your card\. Your bank is looking into this payment/)
    await guestAt(scene.service, mine, { form: { do: 'cancel' } })
    await scene.refund()
    await scene.later('2026-10-08T14:00:00Z')
    await scene.refund()
    assert.equal(scene.stripe.refunds.size, 0, 'nothing was sent')
    const sheet = (await scene.office.get(`/office/bookings/${id}`)).words
    assert.match(sheet, /Goes back once the dispute is decided \$40\.00/)
    assert.doesNotMatch(sheet, /On its way back/)
    assert.match(
      (await scene.office.get('/office/payments')).words,
      /\$40\.00, a booking .* Waits for the dispute/,
    )
    assert.match((await guestAt(scene.service, mine)).text, /\$40\.00 is to go back to your card/)
    await disputed('won')
    await scene.refund()
    await scene.refund()
    assert.equal((await scene.guarantee())['status'], 'refunded')
    assert.equal(scene.stripe.refunds.size, 1)
    const [matter] = await scene.rows('select id from money_matter where venue_id = $1')
    const { html } = await scene.office.get(`/office/payments/matters/${String(matter?.['id'])}/evidence.pdf`)
    const paper = Array.from(html.matchAll(/<([\da-f]+)> Tj/g), ([, hex]) =>
      Buffer.from(hex ?? '', 'hex').toString('latin1'),
    ).join('\n')
    for (const mail of [/Confirmed: goes out/, /Money that went back: goes out/]) assert.match(paper, mail)
  })

  it('and is lost, not refunded, where the dispute is lost', async () => {
    await scene.ask(deposit)
    const mine = await scene.secure()
    const id = await scene.bookingId()
    await disputed('needs_response')
    await scene.move('cancel', id, 'staff')
    await disputed('lost')
    await scene.later('2026-10-06T14:05:00Z')
    await scene.refund()
    await lookAtCalls(scene.service.context, signal)
    assert.equal(scene.stripe.refunds.size, 0, 'nothing was sent')
    const { status, refunded_cents } = await scene.guarantee()
    assert.deepEqual([status, refunded_cents], ['refunded', 4_000], 'as the contract has it')
    const sheet = (await scene.office.get(`/office/bookings/${id}`)).words
    assert.match(sheet, /State Lost to a dispute/)
    assert.match(sheet, /Lost to a dispute \$40\.00/)
    assert.doesNotMatch(sheet, /Refunded/)
    const text = (await guestAt(scene.service, mine)).text
    assert.match(text, /Your bank took \$40\.00 back from the restaurant, after a dispute/)
    assert.doesNotMatch(text, /went back to your card/)
    assert.equal(
      (await scene.rows(`select id from guest_mail where venue_id = $1 and kind = 'tableRefunded'`)).length,
      0,
    )
  })
})
