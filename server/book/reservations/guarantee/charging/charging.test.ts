import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { actAt } from '../../../../test/act.ts'
import { card, securingTables } from '../../../../test/securing-tables.ts'
import { deleteReservation } from '../../delete-reservation.ts'
import { staff } from '../../test/book.ts'

describe('charging a card that is kept', () => {
  const scene = securingTables()
  const payments = async () =>
    (await scene.rows('select state, why from payment where venue_id = $1 order by id')).map(
      ({ state, why }) => [state, why],
    )

  it('is withdrawn where the guests came after all, before the processor was asked', async () => {
    const id = await scene.absent()
    await scene.pressCard(id, { do: 'charge', amount: '50' })
    await scene.move('undoNoShow', id)
    await scene.charges()
    assert.deepEqual(scene.charged(), [])
    assert.deepEqual(await payments(), [['failed', 'withdrawn']])
    assert.equal((await scene.guarantee())['status'], 'held')
    await scene.move('markNoShow', id)
    await scene.pressCard(id, { do: 'charge', amount: '50' })
    await scene.charges()
    assert.deepEqual(scene.charged(), [5_000], 'and may be pressed again')
  })

  it('says on the card who pressed and when, to managers', async () => {
    const id = await scene.absent()
    const sheet = async () => (await scene.office.get(`/office/bookings/${id}`)).words
    assert.doesNotMatch(await sheet(), /Charge pressed/)
    await scene.pressCard(id, { do: 'charge', amount: '50' })
    await scene.charges()
    assert.match(await sheet(), /Charge pressed October 9, 2026, 9:00\sPM, by \w+/)
  })

  it('is withdrawn once the last day of the card has come, and the card goes', async () => {
    const id = await scene.absent()
    await scene.pressCard(id, { do: 'charge', amount: '50' })
    scene.service.setClock('2026-10-13T08:00:00Z')
    await scene.charges()
    await scene.cards()
    assert.deepEqual(scene.charged(), [])
    assert.deepEqual(await payments(), [['failed', 'withdrawn']])
    assert.equal(scene.stripe.customers.size, 0)
  })

  it('that the processor had carried out is written, also where the guests came meanwhile', async () => {
    const id = await scene.absent()
    await scene.pressCard(id, { do: 'charge', amount: '50' })
    scene.stripe.trouble = { at: 'POST /v1/payment_intents', how: 'closed' }
    await scene.charges()
    await scene.move('undoNoShow', id)
    scene.service.setClock('2026-10-10T01:05:00Z')
    await scene.charges()
    assert.deepEqual(scene.charged(), [5_000])
    assert.deepEqual(await payments(), [['succeeded', null]])
  })

  describe('that the processor carried out before anybody heard', () => {
    const madeUnheard = async () => {
      const id = await scene.absent()
      await scene.pressCard(id, { do: 'charge', amount: '50' })
      scene.stripe.trouble = { at: 'POST /v1/payment_intents', how: 'failed after' }
      await scene.charges()
      scene.stripe.trouble = undefined
      return id
    }
    const heard = async () => {
      scene.service.setClock('2026-10-10T01:05:00Z')
      await scene.charges()
      await scene.refund()
    }

    it('is not done without meanwhile', async () => {
      const id = await madeUnheard()
      const { headers } = await scene.office.post(`/office/bookings/${id}/guarantee`, { do: 'waive' })
      const { words } = await scene.office.get(headers.get('location') ?? '')
      assert.match(words, /This card is being charged at this moment/)
      assert.equal((await scene.guarantee())['status'], 'held')
      await heard()
      assert.equal((await scene.guarantee())['status'], 'charged')
    })

    it('goes back where a manager gave it back meanwhile', async () => {
      const id = await madeUnheard()
      await scene.pressCard(id, { do: 'refund' })
      await heard()
      const { status, paid_cents: paid, refunded_cents: back } = await scene.guarantee()
      assert.deepEqual([scene.charged(), status, paid, back], [[5_000], 'refunded', 5_000, 5_000])
      assert.deepEqual(
        await scene.rows(`select kind from guest_mail where venue_id = $1 and kind = 'tableCharged'`),
        [],
      )
      await scene.cards()
      assert.equal(scene.stripe.customers.size, 0)
    })
  })

  it('takes no amount that there is no coin for, and one that was pressed all the same does not keep the card', async () => {
    await scene.open({ country: 'JP' })
    await scene.ask({ ...card, amountCents: 300_000 })
    await scene.secure()
    await scene.later('2026-10-10T01:00:00Z')
    const id = await scene.bookingId()
    await scene.move('markNoShow', id)
    await scene.pressCard(id, { do: 'charge', amount: '5000.50' })
    assert.deepEqual(await payments(), [])
    await scene.pressCard(id, { do: 'charge', amount: '5000' })
    await scene.rows('update payment set amount_cents = 500050 where venue_id = $1')
    await scene.charges()
    assert.deepEqual(await payments(), [['failed', 'refused']])
    await scene.pressCard(id, { do: 'charge', amount: '5000' })
    await scene.charges()
    assert.deepEqual(scene.charged(), [5_000])
    assert.deepEqual((await payments()).at(-1), ['succeeded', null])
  })

  it('is under way once: a second press before the processor was asked charges nothing more, and says so', async () => {
    const id = await scene.absent()
    await scene.pressCard(id, { do: 'charge', amount: '50' })
    const again = await scene.office.post(`/office/bookings/${id}/guarantee`, { do: 'charge', amount: '50' })
    assert.match((await scene.office.get(again.to ?? '')).words, /This card is being charged already\./)
    assert.deepEqual(await payments(), [['pending', null]])
    await Promise.all([scene.charges(), scene.charges()])
    assert.deepEqual(scene.charged(), [5_000])
  })

  it('that the bank refuses says why in words, and no code of the bank’s', async () => {
    const id = await scene.absent()
    scene.stripe.declines = 'expired_card'
    await scene.pressCard(id, { do: 'charge', amount: '50' })
    await scene.charges()
    const { words } = await scene.office.get(`/office/bookings/${id}`)
    assert.match(words, /The card was refused: the card has expired\. You can try again, or let it go\./)
    assert.doesNotMatch(words, /expired_card/)
  })

  it('leaves its booking in the book, whether it succeeded or not', async () => {
    const id = await scene.absent()
    scene.stripe.declines = 'card_declined'
    await scene.pressCard(id, { do: 'charge', amount: '50' })
    await scene.charges()
    scene.service.setClock('2026-10-13T08:00:00Z')
    await scene.cards()
    await assert.rejects(
      actAt(scene.service, scene.venue, (work) => deleteReservation(work, staff('manager'), id)),
      /A card or a deposit was left or asked for, and the record of this booking stays/,
    )
  })
})
