import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { hiddenOn } from '../../../test/guest.ts'
import { card, deposit, securingTables } from '../../../test/securing-tables.ts'

describe('staff who make a party smaller past the limit', () => {
  const scene = securingTables()
  const send = async (id: number, partySize: string, more: Record<string, string> = {}) => {
    const page = await scene.office.get(`/office/bookings/${id}`)
    const version = hiddenOn(page.html.slice(page.html.indexOf('booking-form')), 'version')
    return scene.office.post(`/office/bookings/${id}/edits`, {
      ...{ version, date: '2026-10-09', time: '7:00 PM', partySize, guestName: 'Maya Okafor', phone: '' },
      ...{ email: 'maya@example.com', notes: '', ...more },
    })
  }
  const late = async (asks: object) => {
    await scene.ask(asks)
    await scene.secure('2026-10-09 19:00', '4')
    await scene.later('2026-10-09T12:00:00Z')
    return scene.bookingId()
  }
  const behind = async () => {
    scene.service.setClock('2026-10-09T12:05:00Z')
    await scene.refund()
    const { status, amount_cents: amount, paid_cents: paid, refunded_cents: back } = await scene.guarantee()
    return { status, amount, paid, back }
  }

  it('choose whether the deposit of who does not come goes back, and nothing is done before that', async () => {
    for (const [answer, expected] of [
      ['keep-agreed', { status: 'paid', amount: 8_000, paid: 8_000, back: 0 }],
      ['give-back', { status: 'partially_refunded', amount: 4_000, paid: 8_000, back: 4_000 }],
    ] as const) {
      const id = await late(deposit)
      const asked = await send(id, '2')
      assert.equal(asked.status, 409)
      assert.match(asked.words, /you keep what was paid\. For 2 guests fewer you can refund \$40\.00/)
      assert.match(asked.html, /value="keep-agreed">Keep it<.*value="give-back">Refund \$40\.00</s)
      assert.equal((await scene.guarantee())['amount_cents'], 8_000)
      const done = await send(id, '2', { confirmed: answer })
      assert.equal(done.status, 303, done.words)
      assert.deepEqual(await behind(), expected)
      await scene.open()
    }
  })

  it('choose by how much the card may still be charged', async () => {
    const id = await late(card)
    assert.match((await send(id, '3')).words, /For 1 guest fewer you can lower that by \$25\.00/)
    assert.equal((await send(id, '3', { confirmed: 'give-back' })).status, 303)
    assert.deepEqual(await behind(), { status: 'held', amount: 7_500, paid: 0, back: 0 })
  })

  it('are asked with whose wish another time is, where both matter, by one press', async () => {
    const id = await late(deposit)
    const asked = await send(id, '2', { date: '2026-10-12' })
    assert.equal(asked.status, 409)
    for (const both of ['guest-asked keep-agreed', 'venue-asked give-back'])
      assert.match(asked.html, new RegExp(`name="confirmed" value="[^"]*${both}"`))
    assert.equal((await send(id, '2', { date: '2026-10-12', confirmed: 'venue-asked' })).status, 409)
    const done = await send(id, '2', { date: '2026-10-12', confirmed: 'venue-asked give-back' })
    assert.equal(done.status, 303, done.words)
    assert.equal((await behind()).back, 4_000)
  })

  it('are not asked before the limit, when it comes back by itself, nor where the sum is for the party', async () => {
    await scene.ask(deposit)
    await scene.secure('2026-10-09 19:00', '4')
    assert.equal((await send(await scene.bookingId(), '2')).status, 303)
    await scene.open()
    const id = await late({ ...deposit, per: 'party' })
    assert.equal((await send(id, '2')).status, 303)
  })

  it('of a guest who did so by their page give back what they choose of what is kept, in parts, and never more than is left', async () => {
    await scene.ask(deposit)
    const mine = await scene.secure('2026-10-09 19:00', '4')
    await scene.later('2026-10-09T12:00:00Z')
    const id = await scene.bookingId()
    await scene.change(mine, '2', '2026-10-09 19:00')
    assert.deepEqual(await behind(), { status: 'paid', amount: 8_000, paid: 8_000, back: 0 })
    const { words } = await scene.office.get(`/office/bookings/${id}`)
    assert.match(words, /Amount to refund.*Up to \$80\.00\. Stripe keeps its fee/s)
    const refused = async (amount: string) => {
      const { headers } = await scene.office.post(`/office/bookings/${id}/guarantee`, {
        do: 'refund',
        amount,
      })
      return (await scene.office.get(headers.get('location') ?? '')).words
    }
    assert.match(await refused('80.01'), /At most \$80\.00 can be refunded/)
    assert.match(await refused('0'), /Enter how much is refunded/)
    assert.match(await refused('much'), /The amount must be an amount such as 19\.50/)
    await scene.pressCard(id, { do: 'refund', amount: '40' })
    assert.deepEqual(await behind(), {
      ...{ status: 'partially_refunded', amount: 8_000, paid: 8_000, back: 4_000 },
    })
    assert.match(await refused('40.01'), /At most \$40\.00 can be refunded/)
    await scene.pressCard(id, { do: 'refund', amount: '15.50' })
    // Two at once may arrive in any order.
    await scene.refund()
    await scene.pressCard(id, { do: 'refund', amount: '24.50' })
    assert.deepEqual(await behind(), { status: 'refunded', amount: 8_000, paid: 8_000, back: 8_000 })
    assert.deepEqual(
      [...scene.stripe.refunds.values()].map(({ amount }) => amount),
      [4_000, 1_550, 2_450],
    )
  })

  it('and a press of the same page that comes twice, or of two managers, refunds a part once', async () => {
    await scene.ask(deposit)
    await scene.secure('2026-10-09 19:00', '4')
    const id = await scene.bookingId()
    await scene.later('2026-10-09T12:00:00Z')
    const { html } = await scene.office.get(`/office/bookings/${id}`)
    const form = { do: 'refund', left: hiddenOn(html, 'left'), amount: '20' }
    await scene.pressCard(id, form)
    const again = async () => {
      const { headers } = await scene.office.post(`/office/bookings/${id}/guarantee`, form)
      return (await scene.office.get(headers.get('location') ?? '')).words
    }
    assert.match(await again(), /What can be refunded has changed since/)
    assert.deepEqual(await behind(), {
      ...{ status: 'partially_refunded', amount: 8_000, paid: 8_000, back: 2_000 },
    })
    assert.match(await again(), /What can be refunded has changed since/)
    await scene.refund()
    assert.equal(scene.stripe.refunds.size, 1)
  })
})
