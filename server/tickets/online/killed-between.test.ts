import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { eventually } from '../../test/eventually.ts'
import { deposited, killedWhilePaying, paid } from '../../test/money/killed-while-paying.ts'

describe('what is left of money by a process that is killed between two of its steps', () => {
  const scene = killedWhilePaying()
  const { killed, killedAt, press, row, sweep, books, tableBooks, pagesOf } = scene

  it('the page is open and the redirect lost: the next press leads to the same page, whose seats are nobody else’s', async () => {
    const date = await scene.newDate(2)
    const id = await scene.made(date)
    const lost = press(id).catch(() => undefined)
    await eventually(async () => (await row(id)).state === 'open')
    await killed()
    await lost
    await scene.restart()
    const again = await press(id)
    const [page, ...more] = await pagesOf(id)
    assert.deepEqual([again.status, again.headers.get('location'), more], [303, page?.url, []])
    assert.notEqual((await scene.ask(date)).kind, 'checkout')
    await scene.stripe.pay(page?.id ?? '')
    await sweep(3)
    assert.deepEqual(await books(id), paid)
    assert.equal((await pagesOf(id)).length, 1)
  })

  for (const [what, made, bookkeeping, kept] of [
    ['tickets', () => scene.made(), books, paid],
    ['a deposit', () => scene.madeTable('deposit', '19:00'), tableBooks, [deposited]],
  ] as const)
    it(`${what}: the look was answered and nothing of it written, so the next look gives it, once`, async () => {
      const id = await made()
      await press(id)
      await scene.stripe.pay((await row(id)).session_ref ?? '')
      await scene.killedBeforeCommit(id)
      const { state, order_id: order, reservation_id: booking } = await row(id)
      assert.deepEqual([state, order, booking], ['open', null, null])
      await sweep(3)
      assert.deepEqual(await bookkeeping(id), kept)
    })

  const hours = [
    ['heard of soon', 0],
    ['heard of when the processor has forgotten the key', 24],
  ] as const
  const ways = [
    ['is on its way', 'slow'],
    ['is done there and its answer lost', 'slow after'],
  ] as const
  for (const [when, later] of hours)
    for (const [what, how] of ways) {
      /** What workers do afterwards, as often as something may be due. */
      const rest = async (): Promise<void> => {
        if (later > 0) scene.stripe.forgetKeys()
        for (const minutes of [2, 4, 6]) await sweep(later * 60 + minutes)
      }

      it(`a refund that ${what}, ${when}: the money goes back once`, async () => {
        const before = scene.stripe.refunds.size
        const id = await scene.madeRefund()
        await killed()
        await killedAt('POST /v1/refunds', how, 'refund')
        assert.deepEqual(await books(id), paid)
        assert.equal(scene.stripe.refunds.size, before + (how === 'slow' ? 0 : 1))
        await rest()
        assert.deepEqual(await books(id), { ...paid, status: 'partially_refunded', refunded_cents: 4_000 })
        assert.equal(scene.stripe.refunds.size, before + 1)
      })

      it(`a charge that ${what}, ${when}: the card is charged once`, async () => {
        const charged = () =>
          [...scene.stripe.intents.values()].filter(({ customer }) => customer != null).length
        const before = charged()
        const id = await scene.madeCharge('20:00')
        await killed()
        await killedAt('POST /v1/payment_intents', how, 'payment')
        assert.equal(charged(), before + (how === 'slow' ? 0 : 1))
        await rest()
        const [kept, ...more] = await tableBooks(id)
        assert.deepEqual(
          [kept?.['status'], kept?.['paid_cents'], kept?.['payments'], more],
          ['charged', 4_000, 1, []],
        )
        assert.equal(charged(), before + 1)
      })
    }
})
