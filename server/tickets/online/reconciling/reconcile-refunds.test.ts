import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sellingOnline } from '../../../test/selling-online.ts'
import { reconcile } from './reconcile.ts'

describe('a refund of the service, in the books of the processor and in ours', () => {
  const scene = sellingOnline()
  const day = '2026-10-06'
  const compared = async () => {
    const venue = { ...scene.venue, plan: 'pro' } as const
    const { refunds, differences } = await reconcile(scene.service.context, venue, { from: day, to: day })
    return [
      refunds,
      ...differences.map(({ what, how, amountCents, hereCents }) => [what, how, amountCents, hereCents]),
    ]
  }
  /** An order of 90.00, of which 30.00 went back. */
  const made = async () => {
    // What other tests left there is of another account.
    for (const held of [scene.stripe.intents, scene.stripe.refunds]) held.clear()
    await scene.sold()
    await scene.askRefund('30.00')
    await scene.refund()
    const [refund] = scene.stripe.refunds.values()
    assert.ok(refund)
    assert.deepEqual(await compared(), [1])
    return refund
  }

  it('is a difference where another amount went back there', async () => {
    const refund = await made()
    scene.stripe.refunds.set(refund.id, { ...refund, amount: 2_000 })
    assert.deepEqual(await compared(), [0, ['refund', 'amount', 2_000, 3_000]])
  })

  it('is a difference where nothing went back there', async () => {
    const refund = await made()
    scene.stripe.refunds.delete(refund.id)
    assert.deepEqual(await compared(), [0, ['refund', 'missing-there', 3_000, 3_000]])
  })

  it('is a difference where it went back twice there', async () => {
    const refund = await made()
    scene.stripe.refunds.set('re_again', { ...refund, id: 're_again' })
    assert.deepEqual(await compared(), [1, ['refund', 'twice', 3_000, 3_000]])
  })
})
