import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { guestAt, setGuestPages } from '../../../test/guest.ts'
import { card, deposit, securingTables } from '../../../test/securing-tables.ts'

/** The processor's word for what was sent back, and for cards that are kept. */
describe('a booking with money behind it that is cancelled by key', () => {
  const scene = securingTables()
  const early = '2026-10-08T22:59:00Z'
  const late = '2026-10-08T23:01:00Z'

  const secured = async (asks: object) => {
    await scene.ask(asks)
    // Guests may cancel by themselves until the booking begins.
    await setGuestPages(scene.service, scene.venue, { cancelMinutes: 0 })
    const page = await scene.secure('2026-10-09 19:00')
    return { page, id: await scene.bookingId() }
  }
  const said = async (page: string) => (await guestAt(scene.service, `${page}?do=cancel`)).text
  const call = (method: string, path: string, body?: object) =>
    scene.service.call(method, `/api/v1/reservations/${path}`, {
      key: scene.venue.key,
      ...(body && { body }),
    })
  const cancel = async (id: number, by: 'guest' | 'staff') => {
    const { status, text, body } = await call('POST', `${id}/cancel`, { by })
    assert.equal(status, 200, text)
    assert.deepEqual([body.reservation.status, body.reservation.cancelledBy], ['Cancelled', by])
  }
  const settle = async () => {
    await scene.refund()
    await scene.cards()
  }
  const sentBack = () => [...scene.stripe.refunds.values()].map(({ amount }) => amount)
  const shown = async (id: number) => {
    const { guarantee } = (await call('GET', String(id))).body
    return [guarantee.status, guarantee.paidCents, guarantee.refundedCents]
  }

  it('in time gives the whole deposit back, as the guest’s page says, once', async () => {
    const { page, id } = await secured(deposit)
    scene.service.setClock(early)
    assert.match(await said(page), /\$40\.00 goes back to your card/)
    await cancel(id, 'guest')
    assert.deepEqual(sentBack(), [], 'not inside the request')
    await settle()
    await cancel(id, 'guest')
    await settle()
    assert.deepEqual(sentBack(), [4_000])
    assert.deepEqual(await shown(id), ['refunded', 4_000, 4_000])
  })

  it('late for the guest leaves the deposit with the venue, as the page says', async () => {
    const { page, id } = await secured(deposit)
    scene.service.setClock(late)
    assert.match(await said(page), /the restaurant keeps \$40\.00/)
    await cancel(id, 'guest')
    await settle()
    assert.deepEqual(sentBack(), [])
    assert.deepEqual(await shown(id), ['paid', 4_000, 0])
  })

  it('late because the venue cannot take it gives everything back', async () => {
    const { id } = await secured(deposit)
    scene.service.setClock(late)
    await cancel(id, 'staff')
    await settle()
    assert.deepEqual(sentBack(), [4_000])
    assert.deepEqual(await shown(id), ['refunded', 4_000, 4_000])
  })

  it('in time deletes the card, and nothing can be charged to it any more', async () => {
    const { page, id } = await secured(card)
    scene.service.setClock(early)
    assert.match(await said(page), /Nothing is charged, and your card is deleted/)
    await cancel(id, 'guest')
    await settle()
    assert.equal(scene.stripe.customers.size, 0)
    assert.deepEqual(await shown(id), ['released', 0, 0])
    await scene.pressCard(id, { do: 'charge', amount: '50' })
    await scene.charges()
    assert.deepEqual(scene.charged(), [])
  })

  it('late for the guest keeps the card, which a manager may charge for what was agreed on and no more', async () => {
    const { page, id } = await secured(card)
    scene.service.setClock(late)
    assert.match(await said(page), /\$50\.00/)
    await cancel(id, 'guest')
    await settle()
    assert.equal(scene.stripe.customers.size, 1)
    assert.deepEqual(await shown(id), ['held', 0, 0])
    await scene.later('2026-10-08T23:05:00Z')
    await scene.pressCard(id, { do: 'charge', amount: '50' })
    await scene.charges()
    assert.deepEqual(scene.charged(), [5_000])
  })

  it('late because the venue cannot take it deletes the card', async () => {
    const { id } = await secured(card)
    scene.service.setClock(late)
    await cancel(id, 'staff')
    await settle()
    assert.equal(scene.stripe.customers.size, 0)
    assert.deepEqual(await shown(id), ['released', 0, 0])
  })
})
