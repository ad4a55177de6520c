import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { guestAt } from '../../../test/guest.ts'
import { staffOf, visitOffice } from '../../../test/office.ts'
import { paymentsHome, removingAccounts } from '../../../test/money/removing-accounts.ts'
import { rowsOf } from '../../../test/rows.ts'
import { sellingOnline } from '../../../test/selling-online.ts'
import { reconcile } from '../reconciling/reconcile.ts'

describe('removing a former account that sold tickets', () => {
  const scene = sellingOnline()
  const { sold, askRefund, refund, refunds, orders } = scene
  const { accounts, disconnect, address, asks, press, goOn, overtaken, removed } = removingAccounts(scene)
  const gone = { has_key: false, is_signed: false, is_called: false, is_going: false, is_removed: true }
  const stateNow = async () => {
    const [{ id: _, live: __, ...state } = {}] = await accounts()
    return state
  }
  const keeping = async () => (await address()).replace(/remove$/, 'keep')
  /** How often the activity says this. */
  const said = async (what: string) =>
    (await scene.office.get('/office/activity')).words.split(what).length - 1
  const order = async () => {
    const [row] = await rowsOf<{ id: string; version: number }>(
      scene.service,
      'select id, version from ticket_order where venue_id = $1 order by id desc limit 1',
      [scene.venue.id],
    )
    assert.ok(row)
    return row
  }
  const refundBy = async (via: string, amount = '90.00') => {
    const { id, version } = await order()
    return scene.office.post(`/office/tickets/orders/${id}/refunds`, {
      ...{ version: String(version), amount, seats: '0', via },
      ...{ outcome: via === 'processor' ? 'pending' : 'succeeded', answer: '' },
    })
  }

  it('says first what it still holds, and needs one more press, by an owner, of an account that is no longer connected', async () => {
    await sold()
    await sold()
    await askRefund('30.00')
    await refund()
    const [open] = await accounts()
    const own = `${paymentsHome}/former/${String(open?.['id'])}/remove`
    assert.equal((await scene.office.post(own, { sure: 'yes' })).status, 404, 'the one that takes payments')
    assert.doesNotMatch((await scene.office.get(paymentsHome)).words, /Former accounts/)
    await disconnect()
    const manager = visitOffice(scene.service)
    await manager.signIn((await staffOf(scene.service, scene.venue, 'manager')).email)
    assert.doesNotMatch((await manager.get(paymentsHome)).html, /Remove…/)
    assert.equal((await manager.post(await address(), { sure: 'yes' })).status, 403)
    const { words } = await asks()
    assert.match(words, /\$150\.00 of 2 payments could still be refunded here/)
    assert.match(words, /Calls from Stripe about this account are no longer heard/)
    assert.doesNotMatch(words, /card kept|dispute that|Before that it waits/)
    await goOn()
    assert.deepEqual(await stateNow(), {
      ...{ has_key: true, is_signed: true, is_called: true, is_going: false, is_removed: false },
    })
    assert.equal((await scene.office.post(`${paymentsHome}/former/nonsense/remove`)).status, 404)
  })

  it('forgets its key and secrets, has Stripe call no more, and keeps its payments in books, figures and files', async () => {
    await sold()
    const { endpoints } = scene.stripe
    const [signed] = endpoints.values()
    assert.equal(endpoints.size, 1)
    const file = () => scene.office.get(`/office/payments/payments.csv?from=2026-10-06&to=2026-10-06`)
    const [before, sums] = [(await file()).html, (await scene.office.get('/office/payments')).words]
    await removed()
    assert.deepEqual(await stateNow(), gone)
    assert.equal(endpoints.size, 0)
    assert.doesNotMatch((await scene.office.get(paymentsHome)).words, /Former accounts/)
    assert.equal((await file()).html, before)
    const figures = /Today \$90\.00 1 payment/
    assert.match(sums, figures)
    assert.match((await scene.office.get('/office/payments')).words, figures)
    const { words } = await scene.office.get('/office/activity')
    assert.match(words, /Began to remove a former Stripe account of the venue/)
    assert.match(words, /Removed a former Stripe account of the venue/)
    // What it signed before is no longer taken, as of anybody.
    endpoints.set('we_late', { ...signed, id: 'we_late' } as never)
    const [payment] = scene.stripe.intents.keys()
    const late = { id: 'evt_late', object: 'event', type: 'charge.dispute.created', livemode: false }
    assert.equal(await scene.stripe.call({ ...late, data: { object: { id: payment } } } as never), 403)
  })

  it('is no longer asked anything, by the nightly look, by reconciling or by a copy that looks first', async () => {
    await sold()
    await removed()
    const asked = scene.stripe.calls.length
    const day = '2026-10-06' as never
    const venue = { ...scene.venue, plan: 'pro' } as never
    const { differences, denied, moved } = await reconcile(scene.service.context, venue, {
      from: day,
      to: day,
    })
    assert.deepEqual([differences, denied], [[], []])
    assert.equal(moved[0]?.cents_in, 9_000)
    await refund()
    await scene.heard()
    await scene.sweep()
    assert.equal(scene.stripe.calls.length, asked)
  })

  it('refuses to refund what it took at every door, and says to do so in Stripe; noted by hand it counts', async () => {
    await sold()
    await rowsOf(scene.service, 'update ticketed_event set return_hours = 1 where venue_id = $1', [
      scene.venue.id,
    ])
    const buyers = await scene.buyersPage()
    assert.match((await guestAt(scene.service, buyers)).text, /name="return"/)
    await removed()
    const { id } = await order()
    const page = await scene.office.get(`/office/tickets/orders/${id}`)
    assert.match(page.words, /Stripe account that was removed.*Refund it in Stripe itself/)
    assert.doesNotMatch(page.words, /To the card, by Stripe/)
    const refused = await refundBy('processor')
    assert.match(refused.words, /Refund it in Stripe itself, then note it here as refunded another way/)
    const theirs = await guestAt(scene.service, buyers)
    assert.match(theirs.text, /To return seats of this order, please contact the restaurant/)
    assert.doesNotMatch(theirs.text, /name="return"/)
    const asked = await scene.service.call('POST', `/api/v1/ticket-orders/${id}/refund-requests`, {
      ...{ key: scene.venue.key, body: { amountCents: 9_000 } },
    })
    assert.equal(asked.status, 409, asked.text)
    assert.match(asked.text, /only the venue can refund it, in Stripe itself.*not-in-state/)
    assert.deepEqual(await refunds(), [])
    assert.equal((await refundBy('external')).status, 303)
    assert.deepEqual(
      (await orders()).map(({ status, refunded_cents }) => [status, refunded_cents]),
      [['refunded', 9_000]],
    )
  })

  it('refuses to try a refund again that failed before, and takes it as refunded another way', async () => {
    await sold()
    scene.stripe.refundsPend = true
    await askRefund()
    await refund()
    const [made] = [...scene.stripe.refunds.keys()].slice(-1)
    await scene.stripe.endRefund(made ?? '', 'failed')
    await scene.sweep()
    scene.later(61)
    await refund()
    assert.equal((await refunds()).at(-1)?.['state'], 'failed')
    await scene.office.signIn(`owner@${scene.venue.slug}.example.com`)
    await removed()
    const { id, version } = await order()
    const [failed] = await rowsOf(scene.service, 'select id from refund where venue_id = $1', [
      scene.venue.id,
    ])
    const at = `/office/tickets/orders/${id}/refunds/${String(failed?.['id'])}`
    assert.doesNotMatch((await scene.office.get(`/office/tickets/orders/${id}`)).words, /Try again/)
    const again = await scene.office.post(at, { version: String(version), do: 'retry' })
    assert.match((await scene.office.get(again.to ?? '')).html, /Refund it in Stripe itself/)
    assert.deepEqual(
      (await refunds()).map(({ state }) => state),
      ['failed'],
    )
    assert.equal((await scene.office.post(at, { version: String(version), do: 'by-hand' })).status, 303)
    assert.equal((await orders())[0]?.['status'], 'refunded')
  })

  it('waits for a refund that is on its way, refuses new ones meanwhile, and can be called off until then', async () => {
    await sold()
    scene.stripe.refundsPend = true
    await askRefund('30.00')
    await refund()
    await disconnect()
    assert.match((await asks()).words, /Before that it waits for: 1 refund on the way/)
    await press()
    await goOn(0)
    assert.match(
      (await scene.office.get(paymentsHome)).words,
      /Being removed\. It waits for 1 refund on the way/,
    )
    assert.match((await refundBy('processor', '10.00')).words, /Refund it in Stripe itself/)
    const kept = await scene.office.post(await keeping())
    assert.equal(kept.status, 303)
    await askRefund('10.00')
    await goOn()
    assert.equal((await stateNow())['is_removed'], false)
    scene.stripe.refundsPend = false
    await refund()
    await press()
    await goOn()
    assert.equal((await stateNow())['is_removed'], false)
    const [first] = scene.stripe.refunds.keys()
    await scene.stripe.endRefund([...scene.stripe.refunds.keys()].at(-2) ?? first ?? '', 'succeeded')
    scene.later(61)
    await refund()
    await goOn()
    assert.deepEqual(await stateNow(), gone)
    assert.deepEqual(
      (await refunds()).map(({ state, amount_cents: cents }) => [state, cents]),
      [
        ['succeeded', 3_000],
        ['succeeded', 1_000],
      ],
    )
  })

  it('waits for a page that a guest may be paying on, and sells its order', async () => {
    const id = await scene.opened()
    await disconnect()
    assert.match((await asks()).words, /1 payment that may still arrive/)
    await press()
    await goOn(0)
    assert.equal((await stateNow())['is_removed'], false)
    await scene.stripe.pay(await scene.sessionOf(id))
    await scene.sweep()
    await goOn()
    assert.deepEqual(await stateNow(), gone)
    assert.deepEqual(
      (await orders()).map(({ status }) => status),
      ['paid'],
    )
  })

  it('waits for money that takes days to arrive, and sells its order', async () => {
    const id = await scene.opened()
    await scene.stripe.pay(await scene.sessionOf(id), 'in days')
    await scene.sweep()
    await disconnect()
    assert.match((await asks()).words, /1 payment that may still arrive/)
    await press()
    await goOn(0)
    assert.equal((await stateNow())['is_removed'], false)
    await scene.stripe.endPayment(await scene.sessionOf(id), 'succeeded')
    await scene.sweep()
    await goOn()
    assert.deepEqual(await stateNow(), gone)
    assert.deepEqual(
      (await orders()).map(({ status }) => status),
      ['paid'],
    )
  })

  const lacks = {
    'may not delete the address that is called': () => scene.stripe.denied.add('webhook_endpoints'),
    'is no longer taken for anything': () => (scene.stripe.key = 'rk_test_rolledOver'),
  }
  for (const [what, begins] of Object.entries(lacks))
    it(`is removed where nothing waits for it and its key ${what}, and the address stays at Stripe`, async () => {
      await sold()
      const { key } = scene.stripe
      begins()
      await removed()
      assert.deepEqual(await stateNow(), gone)
      assert.match(scene.stripe.calls.at(-1)?.what ?? '', /^DELETE \/v1\/webhook_endpoints/)
      assert.equal(scene.stripe.endpoints.size, 1)
      Object.assign(scene.stripe, { key })
    })

  it('is begun and called off once, however often that is pressed', async () => {
    await disconnect()
    await scene.office.post(await keeping())
    assert.equal(await said('Kept a former Stripe account'), 0, 'nothing was to be called off')
    await press()
    await press()
    assert.equal(await said('Began to remove a former Stripe account'), 1)
    await scene.office.post(await keeping())
    await scene.office.post(await keeping())
    assert.equal(await said('Kept a former Stripe account'), 1)
  })

  for (const how of [undefined, 'busy'] as const)
    it(`keeps its key where it is called off while Stripe is asked, which ${how === undefined ? 'answers' : 'does not answer'}`, async () => {
      await disconnect()
      await press()
      const keep = await keeping()
      if (how) scene.stripe.trouble = { at: 'DELETE /v1/webhook_endpoints', how }
      scene.stripe.beforeEach = async () => {
        scene.stripe.beforeEach = async () => undefined
        assert.equal((await scene.office.post(keep)).status, 303)
      }
      await goOn(0)
      await goOn()
      const { has_key, is_going, is_removed } = await stateNow()
      assert.deepEqual([has_key, is_going, is_removed], [true, false, false])
    })

  it('waits for a look at what it did after a backup', async () => {
    await disconnect()
    const lookAt = (at: string | null) =>
      rowsOf(scene.service, `update processor_account set look_at = ${at ?? 'null'} where venue_id = $1`, [
        scene.venue.id,
      ])
    await lookAt(`'2026-10-07T00:00:00Z'`)
    assert.match((await asks()).words, /Before that it waits for: news of Stripe that is still looked at/)
    await press()
    await goOn(0)
    assert.equal((await stateNow())['is_removed'], false)
    await lookAt(null)
    await goOn()
    assert.deepEqual(await stateNow(), gone)
  })

  it('does not wait for a call that nobody could look at for hours, and then nobody looks at it any more', async () => {
    await sold()
    await disconnect()
    scene.stripe.denied.add('disputes')
    await scene.stripe.dispute([...scene.stripe.intents.keys()].at(-1) ?? '', 'needs_response')
    await scene.heard()
    scene.later(3 * 60)
    await press()
    await goOn(0)
    assert.deepEqual(await stateNow(), gone)
    assert.deepEqual(
      await rowsOf(
        scene.service,
        'select event_ref from processor_event where venue_id = $1 and looked_at is null',
        [scene.venue.id],
      ),
      [],
    )
  })

  it('has Stripe call as long as it waits, so that it hears how that ends', async () => {
    await sold()
    scene.stripe.refundsPend = true
    await askRefund('30.00')
    await refund()
    await disconnect()
    await press()
    await goOn(0)
    assert.deepEqual([(await stateNow())['is_called'], scene.stripe.endpoints.size], [true, 1])
  })

  it('takes no call that came while its secrets were forgotten', async () => {
    await sold()
    await disconnect()
    const [payment] = scene.stripe.intents.keys()
    const call = { id: 'evt_between', object: 'event', type: 'charge.dispute.created', livemode: false }
    const said = () => scene.stripe.call({ ...call, data: { object: { id: payment } } } as never)
    const forgotten =
      "removed_at = now(), key_sealed = '', signing_sealed = null, earlier_signing_sealed = null"
    assert.equal(await overtaken(forgotten, said), 403)
    const kept = await rowsOf(
      scene.service,
      "select event_ref from processor_event where venue_id = $1 and event_ref = 'evt_between'",
      [scene.venue.id],
    )
    assert.deepEqual(kept, [])
  })

  it('is kept and refunds again where a key of it is connected while it is being removed', async () => {
    await sold()
    scene.stripe.refundsPend = true
    await askRefund('30.00')
    await refund()
    await disconnect()
    await press()
    await goOn(0)
    assert.equal((await scene.office.post(paymentsHome, { key: scene.stripe.key })).status, 303)
    const { is_going, is_removed } = await stateNow()
    assert.deepEqual([is_going, is_removed], [false, false])
    scene.stripe.refundsPend = false
    await askRefund('10.00')
    await refund()
    assert.equal((await refunds()).at(-1)?.['state'], 'succeeded')
  })

  it('waits until a call about a dispute is looked at, and says that how it ends is not recorded', async () => {
    await sold()
    await disconnect()
    await scene.stripe.dispute([...scene.stripe.intents.keys()].at(-1) ?? '', 'needs_response')
    assert.match((await asks()).words, /Before that it waits for: news of Stripe that is still looked at/)
    await press()
    await goOn(0)
    assert.equal((await stateNow())['is_removed'], false)
    await scene.heard()
    assert.match(
      (await asks()).words,
      /1 dispute that is not decided: how it ends is no longer recorded here/,
    )
    await goOn()
    assert.deepEqual(await stateNow(), gone)
  })

  for (const how of ['busy', 'failed'] as const)
    it(`waits while Stripe ${how === 'busy' ? 'does not answer' : 'fails'}, and asks again`, async () => {
      await disconnect()
      await press()
      scene.stripe.trouble = { at: 'DELETE /v1/webhook_endpoints', how }
      await goOn(0)
      assert.equal((await stateNow())['is_removed'], false)
      await goOn()
      assert.deepEqual(await stateNow(), gone)
      assert.equal(scene.stripe.endpoints.size, 0)
    })

  it('comes back as the same account by a key of it, and what it took can be refunded again', async () => {
    await sold()
    await removed()
    const [before] = await accounts()
    assert.equal((await scene.office.post(paymentsHome, { key: scene.stripe.key })).status, 303)
    assert.deepEqual(
      (await accounts()).map(({ id, has_key, is_signed, is_removed }) => [
        id,
        has_key,
        is_signed,
        is_removed,
      ]),
      [[before?.['id'], true, true, false]],
    )
    assert.equal(scene.stripe.endpoints.size, 1)
    await askRefund()
    await refund()
    assert.equal((await refunds()).at(-1)?.['state'], 'succeeded')
  })
})
