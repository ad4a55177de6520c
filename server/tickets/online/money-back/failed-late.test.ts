import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { paymentCommands } from '../../../doors/operator/payments.ts'
import { guestAt } from '../../../test/guest.ts'
import { deposit, securingTables } from '../../../test/securing-tables.ts'
import { sellingOnline, signal } from '../../../test/selling-online.ts'
import { checkBooks } from '../reconciling/nightly.ts'

describe('a refund that failed weeks after it arrived, and whose call was lost', () => {
  const ofOrders = sellingOnline()
  const ofTables = securingTables()

  it('is found at night at its order, by the list of all of them, and looked at once', async () => {
    const { stripe, sold, askRefund, refund, later } = ofOrders
    stripe.refunds.clear()
    await sold()
    for (const amount of ['30.00', '20.00']) {
      await askRefund(amount)
      await refund()
    }
    const night = () => checkBooks(ofOrders.service.context, signal)
    later(14 * 60)
    await night()
    stripe.callsOut = false
    later(25 * 24 * 60)
    const [first] = stripe.refunds.values()
    await stripe.endRefund(first?.id ?? '', 'failed')
    stripe.calls.length = 0
    await night()
    const [order] = await ofOrders.orders()
    assert.deepEqual([order?.['status'], order?.['refunded_cents']], ['refund_failed', 2_000])
    assert.deepEqual(
      (await ofOrders.refunds()).map(({ state }) => state),
      ['failed', 'succeeded'],
    )
    later(24 * 60)
    await night()
    const looks = stripe.calls.filter(({ what }) => what.startsWith('GET /v1/refunds/'))
    assert.deepEqual(
      looks.map(({ what }) => what),
      [`GET /v1/refunds/${first?.id}`],
    )
  })

  it('is found behind a booking by the command that compares the days since, and a restored copy writes nothing of it', async () => {
    const { stripe, service, venue } = ofTables
    await ofTables.ask(deposit)
    const mine = await ofTables.secure()
    await guestAt(service, mine, { form: { do: 'cancel' } })
    await ofTables.refund()
    assert.equal((await ofTables.guarantee())['status'], 'refunded')
    service.setClock('2026-10-20T14:00:00Z')
    const [made] = stripe.refunds.values()
    stripe.callsOut = false
    await stripe.endRefund(made?.id ?? '', 'failed')
    const [command] = paymentCommands
    const run = (hold: boolean) =>
      command?.run({ ...service.context, hold: { ...service.context.hold, isOn: () => hold } }, {
        ...{ venue: venue.slug, from: '2026-10-06', to: '2026-10-20' },
      } as never)
    await run(true)
    assert.equal((await ofTables.guarantee())['status'], 'refunded')
    const found = await run(false)
    assert.match(found?.text ?? '', /Nothing differs\./)
    assert.deepEqual(
      [(await ofTables.guarantee())['status'], (await ofTables.guarantee())['refunded_cents']],
      ['paid', 0],
    )
  })
})
