import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { connectAccount, testAccount } from '../../core/money/connect.ts'
import { look, press } from '../../core/money/look.ts'
import { lookAtCheckouts } from '../../core/money/sweep.ts'
import { actAt } from '../../test/act.ts'
import { staffOf, visitOffice } from '../../test/office.ts'
import { rowsOf } from '../../test/rows.ts'
import { owner, sellingOnline, signal } from '../../test/selling-online.ts'
import { lookingAtTickets } from './looking.ts'
import { refundOnline } from './money-back/refund-online.ts'

describe('the account that takes payments', () => {
  const scene = sellingOnline()
  const { later, made, row, sessionOf, sweep, refund, opened, refunds, sold, askRefund } = scene

  it('a secret key, a live one on a practice instance, one that may too little and a stranger’s are refused, each with why', async () => {
    const refused = async (key: string) =>
      (await scene.office.post('/office/settings/payments', { key })).words
    assert.match(await refused('sk_test_0123456789abcdef'), /secret key, which may do everything/)
    assert.match(await refused('rk_live_0123456789abcdef'), /practice instance takes only test keys/)
    assert.match(await refused('pk_test_0123456789abcdef'), /begins with rk_test_ or rk_live_/)
    assert.match(await refused('rk_test_0123456789abcdef'), /does not take this key/)
    scene.stripe.denied.add('refunds')
    assert.match(await refused(scene.stripe.key), /Charges and Refunds \(write\)/)
    scene.stripe.denied.clear()
    const { words } = await scene.office.get('/office/settings/payments')
    assert.match(words, /Test payments: no money moves/)
    const manager = visitOffice(scene.service)
    await manager.signIn((await staffOf(scene.service, scene.venue, 'manager')).email)
    assert.equal((await manager.post('/office/settings/payments', { key: scene.stripe.key })).status, 403)
    assert.match((await manager.get('/office/settings/payments')).words, /Only owners connect payments/)
  })

  it('a new key of the same account keeps it; once Stripe no longer calls, the test says so, and the next key registers again', async () => {
    const accounts = () =>
      rowsOf(scene.service, 'select id, ended_at from processor_account where venue_id = $1', [
        scene.venue.id,
      ])
    const [first] = await accounts()
    assert.equal(
      (await scene.office.post('/office/settings/payments', { key: scene.stripe.key })).status,
      303,
    )
    assert.deepEqual([scene.stripe.endpoints.size, await accounts()], [1, [first]])
    const [endpoint] = scene.stripe.endpoints.values()
    assert.ok(endpoint)
    endpoint.status = 'disabled'
    await scene.office.post('/office/settings/payments/test')
    assert.match(
      (await scene.office.get('/office/settings/payments')).words,
      /does not call this service about everything/,
    )
    assert.equal(
      (await scene.office.post('/office/settings/payments', { key: scene.stripe.key })).status,
      303,
    )
    assert.equal(scene.stripe.endpoints.size, 2)
    assert.equal((await scene.office.post('/office/settings/payments/test')).status, 303)
    assert.match((await scene.office.get('/office/settings/payments')).words, /everything worked/)
  })

  it('the same account connected again is the same, whether or not Stripe still calls, and pays back what it took', async () => {
    const remove = () => scene.office.post('/office/settings/payments/remove', { sure: 'yes' })
    const earlier = scene.stripe.key
    await sold()
    for (const lose of [
      remove,
      async () => {
        scene.stripe.endpoints.clear()
      },
      () =>
        rowsOf(scene.service, 'update processor_account set callback_ref = null where venue_id = $1', [
          scene.venue.id,
        ]),
      async () => {
        scene.stripe.endpoints.clear()
        await remove()
      },
    ]) {
      await lose()
      scene.stripe.key = `rk_test_${crypto.randomUUID().replaceAll('-', '')}`
      assert.equal(
        (await scene.office.post('/office/settings/payments', { key: scene.stripe.key })).status,
        303,
      )
      const accounts = await rowsOf(
        scene.service,
        'select ended_at is null as open from processor_account where venue_id = $1',
        [scene.venue.id],
      )
      assert.deepEqual(accounts, [{ open: true }])
    }
    await askRefund()
    await refund()
    assert.equal((await refunds()).at(-1)?.state, 'succeeded')
    scene.stripe.key = earlier
  })

  it('a payment is found however long its key was not taken', async () => {
    const id = await opened()
    const { key } = scene.stripe
    scene.stripe.callsOut = false
    await scene.stripe.pay(await sessionOf(id))
    scene.stripe.key = `${key}0`
    for (const minutes of [2, 40, 25 * 60, 60]) {
      later(minutes)
      await sweep()
    }
    assert.equal((await row(id)).state, 'ended')
    scene.stripe.key = key
    later(60)
    await sweep()
    assert.equal((await row(id)).state, 'completed')
  })

  it('a copy that was restored asks the processor nothing, and its pages say that paying is back soon', async () => {
    const [waiting, opening] = [await made(), await opened()]
    const calls = scene.stripe.calls.length
    const hold = { ...scene.service.context.hold, isOn: () => true }
    const parts = lookingAtTickets({ ...scene.service.context, hold })
    assert.deepEqual(await press(parts, { ...scene.venue, plan: 'pro' }, waiting), { kind: 'soon' })
    later(60)
    await look(parts, { ...scene.venue, plan: 'pro' }, opening, 'job')
    await lookAtCheckouts(parts, signal)
    await refundOnline({ ...scene.service.context, hold }, signal)
    const place = {
      db: scene.service.db.within(scene.venue.id),
      venue: { ...scene.venue, plan: 'pro', country: 'US' } as const,
      now: scene.service.context.clock,
    }
    const context = { ...scene.service.context, hold }
    const refused = /asks Stripe nothing until the service sends again/
    await assert.rejects(testAccount(context, place), refused)
    await assert.rejects(
      connectAccount(
        context,
        place,
        (act) => actAt(scene.service, scene.venue, act),
        owner,
        scene.stripe.key,
      ),
      refused,
    )
    assert.deepEqual([scene.stripe.calls.length, (await row(opening)).state], [calls, 'open'])
  })
})
