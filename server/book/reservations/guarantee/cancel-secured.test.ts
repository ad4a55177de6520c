import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { guestAt, setGuestPages } from '../../../test/guest.ts'
import { card, deposit, securingTables } from '../../../test/securing-tables.ts'

describe('a card or a deposit behind a table that is cancelled, or that nobody came to', () => {
  const scene = securingTables()

  it('a cancellation in time gives everything back by itself, a late one keeps it, and the page says which before the press', async () => {
    await scene.ask(deposit)
    const early = await scene.secure('2026-10-09 19:00')
    const late = await scene.secure('2026-10-09 20:00')
    assert.match((await guestAt(scene.service, `${early}?do=cancel`)).text, /\$40\.00 goes back to your card/)
    await guestAt(scene.service, early, { form: { do: 'cancel' } })
    await scene.refund()
    scene.service.setClock('2026-10-09T02:00:00Z')
    assert.match((await guestAt(scene.service, `${late}?do=cancel`)).text, /the restaurant keeps \$40\.00/)
    await guestAt(scene.service, late, { form: { do: 'cancel' } })
    await scene.refund()
    assert.deepEqual(
      (await scene.guarantees()).map(({ status, refunded_cents }) => [status, refunded_cents]),
      [
        ['refunded', 4_000],
        ['paid', 0],
      ],
    )
    assert.match((await guestAt(scene.service, early)).text, /\$40\.00 went back to your card\./)
    assert.doesNotMatch((await guestAt(scene.service, early)).text, /The restaurant keeps/)
    assert.match(
      (await guestAt(scene.service, late)).text,
      /\$40\.00 paid[^]*The restaurant keeps \$40\.00\./,
    )
  })

  it('who did not come reads that the restaurant keeps the deposit, and no longer once that is undone', async () => {
    await scene.ask(deposit)
    const link = await scene.secure('2026-10-09 19:00')
    scene.service.setClock('2026-10-10T01:00:00Z')
    const id = Number((await scene.bookings())[0]?.id)
    const page = async () => (await guestAt(scene.service, link)).text
    assert.doesNotMatch(await page(), /The restaurant keeps \$/)
    await scene.move('markNoShow', id)
    assert.match(await page(), /The restaurant keeps \$40\.00\./)
    const german = (await guestAt(scene.service, `${link}?lang=de`)).text
    assert.match(german, /Das Restaurant behält 40,00/)
    await scene.move('undoNoShow', id)
    assert.doesNotMatch(await page(), /The restaurant keeps \$/)
  })

  it('its guest reads what is on its way back, what did not arrive, and that a card goes before it is gone', async () => {
    await scene.ask(deposit)
    const mine = await scene.secure('2026-10-09 19:00')
    await guestAt(scene.service, mine, { form: { do: 'cancel' } })
    const onWay = (await guestAt(scene.service, mine)).text
    assert.match(onWay, /\$40\.00 is on its way back to your card\./)
    await scene.rows(`update refund set state = 'failed', settled_at = now() where venue_id = $1`)
    const failed = (await guestAt(scene.service, mine)).text
    assert.match(failed, /\$40\.00 could not be sent back to your card\. The restaurant will write to you\./)
    await scene.rules([card])
    const other = await scene.secure('2026-10-09 20:00')
    await guestAt(scene.service, other, { form: { do: 'cancel' } })
    const going = (await guestAt(scene.service, other)).text
    assert.match(going, /Nothing is charged, and your card is deleted\./)
    assert.doesNotMatch(going, /has been deleted/)
    await scene.cards()
    assert.match((await guestAt(scene.service, other)).text, /Your card has been deleted\./)
  })

  it('its guest cancels for as long as the sentence promises, also where the venue ends changes earlier', async () => {
    await setGuestPages(scene.service, scene.venue, { cancelMinutes: 2_880 })
    await scene.ask(deposit)
    assert.doesNotMatch(await scene.details('2026-10-09 18:00'), /You can change or cancel with the link/)
    const byPage = await scene.secure('2026-10-09 19:00')
    await scene.secure('2026-10-09 20:00')
    const byKey = (await scene.bookings()).find(({ time }) => time === '20:00')
    scene.service.setClock('2026-10-08T22:00:00Z')
    const page = (await guestAt(scene.service, byPage)).text
    assert.match(page, /do=cancel/)
    assert.doesNotMatch(page, /do=change|Online changes/)
    await guestAt(scene.service, byPage, { form: { do: 'cancel' } })
    const answer = await scene.service.call('POST', `/api/v1/reservations/${byKey?.id}/cancel`, {
      key: scene.venue.key,
      body: { by: 'guest' },
    })
    assert.equal(answer.status, 200, answer.text)
    await scene.refund()
    assert.deepEqual(
      (await scene.guarantees()).map(({ status }) => status),
      ['refunded', 'refunded'],
    )
    const late = await scene.secure('2026-10-11 19:00')
    scene.service.setClock('2026-10-10T23:00:00Z')
    assert.doesNotMatch((await guestAt(scene.service, late)).text, /do=cancel/)
    assert.equal((await guestAt(scene.service, late, { form: { do: 'cancel' } })).status, 409)
  })

  it('what the venue cancels or declines comes back, also late, and a card is deleted', async () => {
    await setGuestPages(scene.service, scene.venue, { confirmUpTo: null })
    await scene.ask(deposit)
    await scene.secure('2026-10-09 19:00')
    await scene.rules([card])
    await scene.secure('2026-10-09 20:00')
    scene.service.setClock('2026-10-09T22:00:00Z')
    for (const { id, status } of await scene.bookings()) {
      assert.equal(status, 'Requested')
      await scene.move('cancel', id, 'staff')
    }
    scene.service.setClock('2026-10-09T22:00:31Z')
    await scene.refund()
    await scene.cards()
    assert.deepEqual(
      (await scene.guarantees()).map(({ status, has_card }) => [status, has_card]),
      [
        ['refunded', false],
        ['released', false],
      ],
    )
    assert.equal(scene.stripe.customers.size, 0)
  })
})
