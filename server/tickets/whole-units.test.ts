import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { actAt } from '../test/act.ts'
import { rowsOf } from '../test/rows.ts'
import { owner, sellingOnline } from '../test/selling-online.ts'
import { makePromoCode, saveTicketSettings } from './promo-codes.ts'
import { askRefund as askForRefund } from './refund-requests.ts'

/* Amounts are hundredths of the unit in every currency: 1,505 yen are 150,500. */
describe('amounts in yen', () => {
  const scene = sellingOnline()
  const parts = { message: /must be in whole units: JPY has no coins for a part of one\./ }
  const makeCode = (code: string, discount: { percent: number } | { amountCents: number }) =>
    actAt(scene.service, scene.venue, (work) =>
      makePromoCode(work, owner, {
        ...{ code, discount, eventId: null, usesMost: null, validFrom: null, validTo: null },
      }),
    )
  const saveFee = (feePerSeatCents: number) =>
    actAt(scene.service, scene.venue, (work) =>
      saveTicketSettings(work, owner, {
        ...{ feePerSeatCents, feeAtBoxOffice: true, taxRate: 8_875, seenVersion: 0 },
      }),
    )
  const newest = async () => {
    const [order] = await rowsOf(
      scene.service,
      `select id::int, version, subtotal_cents, discount_cents, fee_cents, tax_cents, total_cents, refunded_cents
         from ticket_order where venue_id = $1 order by id desc limit 1`,
      [scene.venue.id],
    )
    assert.ok(order)
    const { id, version, ...amounts } = order as Record<string, number>
    return { id: Number(id), version: Number(version), amounts }
  }
  /** 15 % of three seats of 1,505 yen are 677.25 yen, and 8.875 % of the 3,838 that are left 340.62. */
  const priced = {
    ...{ subtotal_cents: 451_500, discount_cents: 67_700, fee_cents: 31_500, tax_cents: 34_100 },
    ...{ total_cents: 449_400, refunded_cents: 0 },
  }

  const sellingInYen = async (): Promise<void> => {
    await rowsOf(scene.service, `update venue set currency = 'JPY' where id = $1`, [scene.venue.id])
    await saveFee(10_500)
    await makeCode('KYOTO', { percent: 15 })
    scene.date = await scene.newDate({ priceCents: 150_500 })
  }

  it('are refused with a part of a yen wherever one is typed: a price, a fee, a discount', async () => {
    await sellingInYen()
    await assert.rejects(scene.newDate({ priceCents: 150_550 }), parts)
    await assert.rejects(saveFee(10_550), parts)
    await assert.rejects(makeCode('OFF', { amountCents: 50_050 }), parts)
    const date = `/office/tickets/dates/${scene.date}/edit`
    const form = { version: '1', date: '2026-10-20', startTime: '19:00', capacity: '6', title: '' }
    const edited = await scene.office.post(date, { ...form, price: '1505.50' })
    assert.equal(edited.status, 400)
    assert.match(edited.words, parts.message)
    await rowsOf(scene.service, `update venue set currency = 'USD' where id = $1`, [scene.venue.id])
    await scene.newDate({ priceCents: 150_550 })
  })

  it('are whole at the box office, as its quote says before', async () => {
    await sellingInYen()
    const { office, date } = scene
    const asked = { seats: '3', method: 'cash', promoCode: 'KYOTO' }
    const quote = await office.get(
      `/office/tickets/dates/${date}/price?${new URLSearchParams(asked).toString()}`,
    )
    assert.match(quote.words, /4,494/)
    assert.doesNotMatch(quote.words, /\.25|\.62|4,493/)
    const sold = await office.post(`/office/tickets/dates/${date}/sales`, {
      ...asked,
      ...{ token: crypto.randomUUID(), shownTotalCents: '449400', firstName: 'Maya', lastName: 'Okafor' },
      ...{ email: 'maya@example.com', phone: '' },
    })
    assert.equal(sold.status, 303, sold.words)
    assert.deepEqual((await newest()).amounts, priced)
  })

  it('are whole online, at the processor, in each refund and in the figures', async () => {
    await sellingInYen()
    const { service, stripe, venue } = scene
    const id = await scene.opened({ seats: 3, promoCode: 'KYOTO', shownTotalCents: 449_400 })
    const session = await scene.sessionOf(id)
    assert.equal(stripe.sessions.get(session)?.amount_total, 4_494, 'the processor takes yen')
    await stripe.pay(session)
    await scene.sweep()
    const order = await newest()
    assert.deepEqual(order.amounts, priced)

    await assert.rejects(
      actAt(service, venue, (work) =>
        askForRefund(work, owner, { order: order.id, amountCents: 100_050, reason: null }),
      ),
      parts,
    )
    const refused = await scene.office.post(`/office/tickets/orders/${order.id}/refunds`, {
      ...{ version: String(order.version), amount: '1000.50', seats: '0', via: 'processor' },
      ...{ outcome: 'pending', answer: '' },
    })
    assert.equal(refused.status, 400)
    assert.match(refused.words, parts.message)
    assert.deepEqual(await scene.refunds(), [])
    await scene.askRefund('1000.00')
    await scene.refund()
    assert.deepEqual(
      [...stripe.refunds.values()].slice(-1).map(({ amount }) => amount),
      [1_000],
    )
    await rowsOf(service, 'update processor_account set live = true where venue_id = $1', [venue.id])
    const csv = await scene.office.get('/office/reports/tickets.csv?from=2026-10-20&to=2026-10-20')
    assert.match(csv.html, /\r\n2026-10-20,[^,]+,3,449400,67700,31500,34100,100000,349400,0\r\n/)
    const page = await scene.office.get('/office/reports?from=2026-10-20&to=2026-10-20')
    assert.match(
      page.words,
      /brought in ¥3,494 for 3 seats, after ¥1,000 was refunded or lost to disputes; ¥677 was taken off by promo codes\. Of the total before refunds, ¥341 was tax\./,
    )
  })
})
