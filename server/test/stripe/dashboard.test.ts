import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { rowsOf } from '../rows.ts'
import { sellingOnline } from '../selling-online.ts'
import { followClock } from './follow-clock.ts'

describe('the page of the stand-in, for who tries it by hand', () => {
  const scene = sellingOnline()
  const { opened, sessionOf, sweep, sold, heard, refund, askRefund, orders, refunds } = scene
  const at = (path: string, form?: Record<string, string>) =>
    fetch(scene.stripe.url + path, {
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
      redirect: 'manual',
    })
  const press = async (form: Record<string, string>) => assert.equal((await at('/', form)).status, 303)
  const page = async () => (await at('/')).text()
  const intent = () => [...scene.stripe.intents.keys()].at(-1) ?? ''

  it('declines a card: nothing is bought, and the guest may pay with another', async () => {
    const id = await opened()
    const path = `/pay/${await sessionOf(id)}`
    assert.match(await (await at(path, { do: 'decline' })).text(), /The card was declined/)
    await sweep()
    assert.deepEqual(await orders(), [])
    assert.equal((await at(path, { do: 'pay' })).status, 303)
    await sweep()
    assert.equal((await orders()).length, 1)
  })

  it('pays in a way that takes days: the money arrives, or it fails', async () => {
    for (const [status, order] of [
      ['succeeded', 'paid'],
      ['failed', 'cancelled'],
    ] as const) {
      const session = await sessionOf(await opened())
      assert.match(await (await at(`/pay/${session}`)).text(), /Test payment of \$90\.00\./)
      assert.equal((await at(`/pay/${session}`, { do: 'pay-later' })).status, 303)
      await sweep()
      assert.match(await page(), /<strong>\$90\.00<\/strong> maya|on its way/)
      assert.equal((await orders()).at(-1)?.['status'], 'paid_unconfirmed')
      await press({ do: 'end-payment', of: session, status })
      await sweep()
      assert.equal((await orders()).at(-1)?.['status'], order)
    }
  })

  it('refunds in the dashboard, disputes, and decides a dispute', async () => {
    await sold()
    assert.match(await page(), /<strong>\$90\.00<\/strong>/)
    await press({ do: 'refund', of: intent(), amount: '30' })
    await heard()
    assert.equal((await orders())[0]?.['refunded_cents'], 3_000)
    assert.equal((await at('/', { do: 'refund', of: intent(), amount: 'much' })).status, 409)
    await press({ do: 'dispute', of: intent(), status: 'needs_response' })
    assert.match(await page(), /dispute: needs response/)
    await press({ do: 'dispute', of: intent(), status: 'lost' })
    await heard()
    assert.equal((await orders())[0]?.['refunded_cents'], 9_000)
  })

  it('has refunds wait, and come back from the bank', async () => {
    await sold()
    await press({ do: 'refunds', of: 'wait' })
    await askRefund()
    await refund()
    assert.match(await page(), /\$90\.00<\/strong> pending/)
    const of = [...scene.stripe.refunds.keys()].at(-1) ?? ''
    await press({ do: 'end-refund', of, status: 'failed' })
    await sweep()
    await refund()
    assert.equal((await refunds()).at(-1)?.['state'], 'failed')
  })

  it('holds the calls to the service, and sends them twice, newest first', async () => {
    await press({ do: 'calls', of: 'wait' })
    const id = await opened()
    await at(`/pay/${await sessionOf(id)}`, { do: 'pay' })
    const calls = () =>
      rowsOf(scene.service, 'select 1 from processor_event where venue_id = $1', [scene.venue.id])
    assert.equal((await calls()).length, 0)
    await press({ do: 'held' })
    await press({ do: 'calls', of: 'go' })
    assert.equal((await calls()).length, 1)
    await sweep()
    assert.equal((await orders()).length, 1)
  })

  it('goes by the clock of the practice instance, whose days are those of its payments', async () => {
    const { clock, beforeEach } = scene.stripe
    followClock(scene.stripe, scene.service.url)
    await page()
    const instance = scene.service.context.clock().epochMilliseconds
    assert.ok(Math.abs(scene.stripe.clock() - instance) < 60_000)
    Object.assign(scene.stripe, { clock, beforeEach })
  })
})
