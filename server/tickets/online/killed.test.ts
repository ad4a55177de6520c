import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { eventually } from '../../test/eventually.ts'
import { setGuestPages } from '../../test/guest.ts'
import { cardKept, deposited, killedWhilePaying, paid } from '../../test/money/killed-while-paying.ts'
import type { Trouble } from '../../test/stripe/stand-in.ts'

describe('what a process leaves that is killed while somebody pays', () => {
  const scene = killedWhilePaying()
  const { killed, made, madeTable, madeAsk, pageOf, press, row, sweep, books, tableBooks, pagesOf } = scene

  it('before the press: what it wrote is kept, and the clock frees the seats after 15 minutes and ends it', async () => {
    await sweep(0)
    const date = await scene.newDate(2)
    const site = 'https://shop.example.com'
    await setGuestPages(scene.service, scene.venue, { frameSites: [site] })
    const { key } = await scene.venue.makeKey('read_write', 'api', { scopes: ['checkouts:create'] })
    const buyer = { buyerFirstName: 'Maya', buyerEmail: 'maya@example.com' }
    const lost = fetch(`${scene.running.url}/api/v1/checkouts`, {
      method: 'POST',
      headers: { 'x-service-key': key, 'content-type': 'application/json' },
      body: JSON.stringify({ occurrenceId: date, seats: 2, ...buyer, returnUrl: site }),
    }).catch(() => undefined)
    const newest = async () =>
      (await scene.rows(`select id from checkout where venue_id = $1 and occurrence_id = ${date}`))[0]
    await eventually(async () => (await newest()) !== undefined)
    await killed()
    await lost
    const id = Number((await newest())?.['id'])
    const { state, made_at: began } = await row(id)
    assert.equal(state, 'made')
    for (const [seconds, asked] of [
      [15 * 60 - 1, 'refused'],
      [15 * 60 + 1, 'checkout'],
    ] as const) {
      scene.service.setClock(Temporal.Instant.from(began).add({ seconds }).toString())
      assert.equal((await scene.ask(date)).kind, asked)
    }
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

  /** Killed in the middle of that call: of the press, or of the look for a guest who has paid and is back. What is left is paid and looked at. */
  const killedIn = async (id: number, at: string, how: Trouble): Promise<void> => {
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
    assert.equal((await row(id)).state, isLook ? 'open' : 'opening')
    await sweep(isLook ? 3 : 1)
    if (isLook) return
    const [page, ...more] = await pagesOf(id)
    assert.deepEqual(more, [])
    await scene.stripe.pay(page?.id ?? '')
    await sweep(3)
  }

  for (const [what, at, how] of [
    ['with the call for it on its way', 'POST /v1/checkout/sessions', 'slow'],
    ['with its page made and the answer lost', 'POST /v1/checkout/sessions', 'slow after'],
    ['with its guest done and the look under way', 'GET /v1/checkout/sessions', 'slow'],
  ] as const) {
    it(`a deposit, ${what}: one booking, with what was paid once behind it`, async () => {
      const id = await madeTable('deposit', '19:00')
      await killedIn(id, at, how)
      assert.deepEqual(await tableBooks(id), [deposited])
    })

    it(`a card, ${what}: one booking, with one card that nothing was charged to`, async () => {
      const [customers, charges] = [scene.stripe.customers.size, scene.stripe.intents.size]
      const id = await madeTable('card', '17:00')
      await killedIn(id, at, how)
      assert.deepEqual(await tableBooks(id), [cardKept])
      assert.deepEqual([scene.stripe.customers.size, scene.stripe.intents.size], [customers + 1, charges])
    })
  }

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
      await killedIn(id, at, how)
      const [kept, ...more] = await tableBooks(id)
      assert.deepEqual(more, [])
      assert.deepEqual([kept?.status, kept?.paid_cents, kept?.payments], [end, 4_000, 1])
      assert.equal((await row(id)).state, 'completed')
    })

  it('with a card deleted there and the answer lost: it is gone, and what was charged stays', async () => {
    const id = await scene.madeCharge('20:00')
    await sweep(4)
    const customers = scene.stripe.customers.size
    await scene.killedAt('DELETE /v1/customers', 'slow after', 'guarantee')
    await sweep()
    assert.equal(scene.stripe.customers.size, customers - 1)
    const charged = { status: 'charged', paid_cents: 4_000, payments: 1, holds: 0 }
    assert.deepEqual(await tableBooks(id), [{ ...charged, has_card: false }])
  })
})
