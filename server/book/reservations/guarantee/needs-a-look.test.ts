import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { guestAt, hiddenOn } from '../../../test/guest.ts'
import { lookAtCalls } from '../../../tickets/online/money-back/called-about.ts'
import { reconcile } from '../../../tickets/online/reconciling/reconcile.ts'
import { signal } from '../../../test/selling-online.ts'
import { deposit, securingTables } from '../../../test/securing-tables.ts'

describe('what needs a look behind bookings', () => {
  const scene = securingTables()
  const page = () => scene.office.get('/office/payments')
  /** The bank sends the last refund back, hours later. */
  const failed = async (moment: string) => {
    scene.stripe.refundsPend = true
    await scene.refund()
    await scene.stripe.endRefund([...scene.stripe.refunds.keys()].at(-1) ?? '', 'failed')
    await scene.later(moment)
    await scene.refund()
    scene.stripe.refundsPend = false
  }

  it('a refund that failed is sent again from the list, also of a table that has no booking', async () => {
    await scene.ask(deposit)
    const underWay = await scene.goToPay()
    await scene.rules([deposit], { closures: [{ from: '2026-10-09', to: '2026-10-09', name: 'Refit' }] })
    await scene.pay(underWay)
    await failed('2026-10-06T16:00:00Z')
    const { words, html } = await page()
    assert.match(words, /\$40\.00, a table that was gone .* Refund failed/)
    assert.doesNotMatch(html, /bookings\/null/)
    const [, to] = /action="([^"]*\/refunds\/\d+)"/.exec(html) ?? []
    for (let press = 0; press < 2; press++) await scene.office.post(to ?? '', { of: hiddenOn(html, 'of') })
    await scene.refund()
    assert.doesNotMatch((await page()).words, /Refund failed/)
    const sent = [...scene.stripe.refunds.values()].map(({ status }) => status)
    assert.deepEqual([sent, (await scene.guarantee())['status']], [['failed', 'succeeded'], 'refunded'])
  })

  it('a refund that failed is gone from the list once a manager gave back all that was left', async () => {
    await scene.ask(deposit)
    await scene.secure()
    const id = await scene.bookingId()
    await scene.pressCard(id, { do: 'refund' })
    await failed('2026-10-06T16:00:00Z')
    assert.match((await page()).words, /\$40\.00, a booking .* Refund failed/)
    await scene.pressCard(id, { do: 'refund' })
    await scene.refund()
    assert.match((await page()).words, /Needs a look Nothing\./)
  })

  it('a refund that failed is given back by hand: it is off the list, its guest reads so, and no figure of Stripe’s has it', async () => {
    await scene.ask(deposit)
    const mine = await scene.secure()
    const id = await scene.bookingId()
    await scene.pressCard(id, { do: 'refund' })
    await failed('2026-10-06T16:00:00Z')
    const { html } = await page()
    const [, to] = /action="([^"]*\/refunds\/\d+)"/.exec(html) ?? []
    const sent = scene.stripe.refunds.size
    for (let press = 0; press < 2; press++)
      await scene.office.post(to ?? '', { of: hiddenOn(html, 'of'), do: 'by-hand' })
    await scene.refund()
    assert.equal(scene.stripe.refunds.size, sent)
    const { words } = await page()
    assert.match(words, /Needs a look Nothing\./)
    assert.match(words, /Today \$40\.00 1 payment \$0\.00 refunded/)
    const { status, refunded_cents } = await scene.guarantee()
    assert.deepEqual([status, refunded_cents], ['refunded', 4_000])
    const sheet = (await scene.office.get(`/office/bookings/${id}`)).words
    assert.match(sheet, /Refunded another way \$40\.00/)
    assert.doesNotMatch(sheet, /Amount to refund|Refund failed/)
    const { text } = await guestAt(scene.service, mine)
    assert.match(text, /The restaurant gave \$40\.00 back to you another way\./)
    assert.doesNotMatch(text, /went back to your card/)
    assert.match((await scene.office.get('/office/activity')).words, /[Gg]ave money back another way/)
    const compared = await reconcile(
      scene.service.context,
      { ...scene.venue, plan: 'pro' },
      { from: '2026-10-06', to: '2026-10-06' },
    )
    assert.deepEqual(compared.differences, [])
  })

  it('what could not be given is on the list until its money is back', async () => {
    await scene.ask(deposit)
    const underWay = await scene.goToPay()
    await scene.rules([deposit], { closures: [{ from: '2026-10-09', to: '2026-10-09', name: 'Refit' }] })
    await scene.pay(underWay)
    assert.match((await page()).words, /\$40\.00, a table that was gone .* Refund still under way/)
    await scene.refund()
    assert.match((await page()).words, /Needs a look Nothing\./)
  })

  it('a refund that failed before its dispute took all ends by itself, and a press on an older page sends nothing and says so', async () => {
    await scene.ask(deposit)
    await scene.secure()
    const id = await scene.bookingId()
    await scene.pressCard(id, { do: 'refund' })
    await failed('2026-10-06T16:00:00Z')
    const { html } = await page()
    await scene.stripe.dispute([...scene.stripe.intents.keys()].at(-1) ?? '', 'lost')
    await lookAtCalls(scene.service.context, signal)
    const refunds = scene.stripe.refunds.size
    const [, to] = /action="([^"]*\/refunds\/\d+)"/.exec(html) ?? []
    await scene.office.post(to ?? '', { of: hiddenOn(html, 'of') })
    await scene.refund()
    assert.equal(scene.stripe.refunds.size, refunds)
    const { words } = await page()
    assert.match(words, /Nothing was sent: this refund is no longer open\./)
    assert.doesNotMatch(words, /on its way again/)
    assert.match(words, /Today \$40\.00 1 payment \$0\.00 refunded \$40\.00 lost to disputes \$0\.00 net/)
    assert.match(words, /Deposits ?\$0\.00 after \$40\.00 lost to disputes/)
  })

  it('a charge without an answer and a card that is still not deleted are told after a day', async () => {
    const id = await scene.absent()
    await scene.pressCard(id, { do: 'charge', amount: '50' })
    assert.match((await page()).words, /Needs a look Nothing\./)
    await scene.later('2026-10-11T01:01:00Z')
    assert.match((await page()).words, /A card behind a booking .* Charge still under way/)
    await scene.later('2026-10-14T08:01:00Z')
    assert.match((await page()).words, /Not deleted yet/)
    await scene.charges()
    await scene.cards()
    assert.match((await page()).words, /Needs a look Nothing\./)
  })
})
