import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { eventually } from '../../test/eventually.ts'
import { deposited, killedWhilePaying, paid } from '../../test/money/killed-while-paying.ts'

describe('what a process leaves that is killed while somebody pays', () => {
  const scene = killedWhilePaying()
  const { killed, made, madeTable, madeAsk, pageOf, press, row, sweep, books, tableBooks, pagesOf } = scene

  it('before the press: the clock ends it', async () => {
    const id = await made()
    await killed()
    await sweep(16)
    assert.deepEqual([(await row(id)).state, (await pagesOf(id)).length], ['ended', 0])
    await sweep()
  })

  for (const [what, how] of [
    ['with the call on its way', 'slow'],
    ['with the page made and the answer lost', 'slow after'],
  ] as const)
    it(`${what}: the same call again makes one page, which is paid once`, async () => {
      const id = await made()
      scene.stripe.trouble = { at: 'POST /v1/checkout/sessions', how }
      const pressed = press(id).catch(() => undefined)
      await eventually(() => scene.stripe.trouble === undefined)
      await killed()
      await pressed
      assert.equal((await row(id)).state, 'opening')
      await sweep()
      assert.equal((await row(id)).state, 'open')
      const [page, ...more] = await pagesOf(id)
      assert.deepEqual(more, [])
      await scene.stripe.pay(page?.id ?? '')
      await sweep(3)
      assert.deepEqual(await books(id), paid)
    })

  it('with the guest having paid and the look under way: the next look gives the tickets', async () => {
    const id = await made()
    await press(id)
    const { session_ref: session } = await row(id)
    await scene.stripe.pay(session ?? '')
    scene.stripe.trouble = { at: 'GET /v1/checkout/sessions', how: 'slow' }
    const back = fetch(`${pageOf(id)}/back`, { redirect: 'manual' }).catch(() => undefined)
    await eventually(() => scene.stripe.trouble === undefined)
    await killed()
    await back
    assert.equal((await row(id)).state, 'open')
    await sweep(3)
    assert.deepEqual(await books(id), paid)
  })

  for (const [what, at, how] of [
    ['with the call for a deposit on its way', 'POST /v1/checkout/sessions', 'slow'],
    ['with the page for a deposit made and the answer lost', 'POST /v1/checkout/sessions', 'slow after'],
    ['with a deposit paid and the look under way', 'GET /v1/checkout/sessions', 'slow'],
  ] as const)
    it(`${what}: one booking, with what was paid once behind it`, async () => {
      const id = await madeTable('deposit', '19:00')
      const isLook = at.startsWith('GET')
      if (isLook) {
        await press(id)
        await scene.stripe.pay((await row(id)).session_ref ?? '')
      }
      scene.stripe.trouble = { at, how }
      const asked = (isLook ? fetch(`${pageOf(id)}/back`, { redirect: 'manual' }) : press(id)).catch(
        () => undefined,
      )
      await eventually(() => scene.stripe.trouble === undefined)
      await killed()
      await asked
      await sweep(isLook ? 3 : 1)
      if (!isLook) {
        const [page, ...more] = await pagesOf(id)
        assert.deepEqual(more, [])
        await scene.stripe.pay(page?.id ?? '')
        await sweep(3)
      }
      assert.deepEqual(await tableBooks(id), [deposited])
    })

  for (const [what, status, end, at, how] of [
    ['with the call for what staff ask on its way', 'asked', 'paid', 'POST /v1/checkout/sessions', 'slow'],
    ['with its page made and the answer lost', 'asked', 'paid', 'POST /v1/checkout/sessions', 'slow after'],
    ['with it paid and the look under way', 'asked', 'paid', 'GET /v1/checkout/sessions', 'slow'],
    ['with the call for a fee on its way', 'charge_failed', 'charged', 'POST /v1/checkout/sessions', 'slow'],
    [
      'with a fee paid and the look under way',
      'charge_failed',
      'charged',
      'GET /v1/checkout/sessions',
      'slow',
    ],
  ] as const)
    it(`${what}: the booking that is there has it once`, async () => {
      const id = await madeAsk('18:00', status)
      const isLook = at.startsWith('GET')
      if (isLook) {
        await press(id)
        await scene.stripe.pay((await row(id)).session_ref ?? '')
      }
      scene.stripe.trouble = { at, how }
      const asked = (isLook ? fetch(`${pageOf(id)}/back`, { redirect: 'manual' }) : press(id)).catch(
        () => undefined,
      )
      await eventually(() => scene.stripe.trouble === undefined)
      await killed()
      await asked
      await sweep(isLook ? 3 : 1)
      if (!isLook) {
        const [page, ...more] = await pagesOf(id)
        assert.deepEqual(more, [])
        await scene.stripe.pay(page?.id ?? '')
        await sweep(3)
      }
      const [kept, ...more] = await tableBooks(id)
      assert.deepEqual(more, [])
      assert.deepEqual([kept?.status, kept?.paid_cents, kept?.payments], [end, 4_000, 1])
      assert.equal((await row(id)).state, 'completed')
    })

  it('with a card deleted there and the answer lost: it is gone, and what was charged stays', async () => {
    const id = await scene.madeCharge('20:00')
    await killed()
    await sweep(4)
    const customers = scene.stripe.customers.size
    await scene.killedAt('DELETE /v1/customers', 'slow after', 'guarantee')
    await sweep()
    assert.equal(scene.stripe.customers.size, customers - 1)
    const charged = { status: 'charged', paid_cents: 4_000, payments: 1, holds: 0 }
    assert.deepEqual(await tableBooks(id), [{ ...charged, has_card: false }])
  })
})
