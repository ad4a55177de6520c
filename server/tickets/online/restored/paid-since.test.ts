import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { guestAt } from '../../../test/guest.ts'
import { rowsOf } from '../../../test/rows.ts'
import { card, deposit, lookAsRestored, securingTables } from '../../../test/securing-tables.ts'
import { backUp } from '../../../test/venue-backup.ts'
import { reconcile } from '../reconciling/reconcile.ts'

describe('what guests paid on a page after the backup that a copy was restored from', () => {
  const scene = securingTables()
  const resumed = () => lookAsRestored(scene.service)
  /** A backup; who was signed in then signs in again on the copy. */
  const kept = async () => {
    const backup = await backUp(scene.service, scene.venue)
    return {
      putBack: async () => {
        await backup.putBack()
        await scene.later(scene.service.context.clock().toString())
      },
    }
  }
  /** What other tests left at the stand-in is of another account. */
  const begun = async (...asked: readonly object[]) => {
    await rowsOf(scene.service, 'truncate processor_account cascade')
    await scene.ask(...asked)
  }
  const sums = async () => {
    const { kind, status, amount_cents, asked_cents, paid_cents, refunded_cents } = await scene.guarantee()
    return [kind, status, amount_cents, asked_cents, paid_cents, refunded_cents]
  }
  const matters = () =>
    scene.rows(
      `select kind, state, reservation_id::int as booking, amount_cents as cents from money_matter where venue_id = $1 and done_at is null`,
    )
  const mails = async () =>
    (
      await scene.rows(`select kind from guest_mail where venue_id = $1 and kind like 'table%' order by id`)
    ).map(({ kind }) => kind)
  const ask = (id: number) =>
    scene.pressCard(id, {
      ...{ do: 'ask', asks: 'deposit', amount: '50', per: 'party', hours: '24' },
      ...{ untilDate: '2026-10-07', untilTime: '19:00', note: '' },
    })
  const payAsked = async (page: string) => scene.payOn(await scene.agree(page))
  const asksNothing = async (page: string) =>
    assert.doesNotMatch((await guestAt(scene.service, page)).text, /name="asked"/)
  const books = (day: string) =>
    reconcile(scene.service.context, { ...scene.venue, plan: 'pro' }, { from: day, to: day })

  it('is at its booking: a deposit that staff had asked for, with the sentence agreed to, and its guest is not asked again', async () => {
    await begun()
    const id = await scene.bookedByKey()
    await ask(id)
    const page = await scene.mine(id)
    const backup = await kept()
    await payAsked(page)
    const { sentence } = await scene.guarantee()
    await backup.putBack()
    assert.deepEqual(await sums(), ['deposit', 'asked', 0, 5_000, 0, 0])
    const before = await mails()
    assert.equal((await resumed()).notHere, 0)
    assert.deepEqual(await sums(), ['deposit', 'paid', 5_000, 0, 5_000, 0])
    assert.equal((await scene.guarantee())['sentence'], sentence)
    assert.ok(String(sentence).length > 20)
    assert.deepEqual([await matters(), await mails()], [[], before], 'nobody is mailed once more')
    await asksNothing(page)
    const { words } = await scene.office.get(`/office/bookings/${id}`)
    assert.match(words, /Deposit/)
    await resumed()
    const { differences, recorded, moved } = await books('2026-10-06')
    assert.deepEqual([differences, recorded, moved.map(({ cents_in }) => cents_in)], [[], 0, [5_000]])
    const [origin] = await scene.rows(
      `select kind, state, mode from checkout where venue_id = $1 and id = (select max(checkout_id) from payment where venue_id = $1)`,
    )
    assert.deepEqual(origin, { kind: 'ask', state: 'completed', mode: 'payment' })
    await scene.move('cancel', id, 'staff')
    scene.service.setClock('2026-10-06T14:05:00Z')
    await scene.refund()
    assert.deepEqual((await sums()).slice(1), ['refunded', 5_000, 0, 5_000, 5_000])
  })

  it('is at its booking with a matter that leads there, where it was asked for after the backup too', async () => {
    await begun()
    const id = await scene.bookedByKey()
    const page = await scene.mine(id)
    const backup = await kept()
    await ask(id)
    await payAsked(page)
    await backup.putBack()
    assert.deepEqual(await scene.guarantee(), {})
    assert.equal((await resumed()).notHere, 0)
    assert.deepEqual(await sums(), ['deposit', 'paid', 5_000, 0, 5_000, 0])
    assert.deepEqual(await matters(), [
      { kind: 'payment-differs', state: 'since', booking: id, cents: 5_000 },
    ])
    for (const place of ['/office/payments', `/office/bookings/${id}`]) {
      const { words } = await scene.office.get(place)
      assert.match(words, /\$50\.00 was paid for a booking after the backup that this copy is from/)
    }
    assert.match((await scene.office.get('/office/payments')).html, new RegExp(`/office/bookings/${id}"`))
    await asksNothing(page)
    // They are told the same by everybody who reads the booking.
    const { body } = await scene.service.call('GET', `/api/v1/reservations/${id}`, { key: scene.venue.key })
    assert.deepEqual([body.guarantee.status, body.guarantee.paidCents], ['paid', 5_000])
  })

  it('is the difference for a larger party, whether the copy knows of its size or not', async () => {
    for (const isKnown of [true, false]) {
      await scene.open()
      await begun(deposit)
      const page = await scene.secure()
      const id = await scene.bookingId()
      let backup = await kept()
      await scene.resize(id, 4)
      if (isKnown) backup = await kept()
      await payAsked(page)
      assert.deepEqual(await sums(), ['deposit', 'paid', 8_000, 0, 8_000, 0])
      await backup.putBack()
      assert.deepEqual(await sums(), ['deposit', 'paid', 4_000, isKnown ? 4_000 : 0, 4_000, 0])
      assert.equal((await resumed()).notHere, 0)
      assert.deepEqual(await sums(), ['deposit', 'paid', 8_000, 0, 8_000, 0])
      const since = { kind: 'payment-differs', state: 'since', booking: id, cents: 4_000 }
      assert.deepEqual(await matters(), isKnown ? [] : [since])
      if (!isKnown) await scene.resize(id, 4)
      assert.deepEqual(await sums(), ['deposit', 'paid', 8_000, 0, 8_000, 0], 'as many guests pay no more')
      await asksNothing(page)
    }
  })

  it('is the fee that a bank wanted its guest for, and the card is not charged once more', async () => {
    for (const isAsked of [true, false]) {
      await scene.open()
      await begun(card)
      const page = await scene.secure()
      const id = await scene.bookingId()
      await scene.later('2026-10-10T01:00:00Z')
      await scene.move('markNoShow', id)
      let backup = await kept()
      scene.stripe.declines = 'authentication_required'
      await scene.pressCard(id, { do: 'charge', amount: '50' })
      await scene.charges()
      if (isAsked) backup = await kept()
      await payAsked(page)
      scene.stripe.declines = undefined
      await backup.putBack()
      const before = await mails()
      assert.equal((await sums())[1], isAsked ? 'charge_failed' : 'held')
      assert.equal((await resumed()).notHere, 0)
      assert.deepEqual(await sums(), ['card', 'charged', 5_000, 0, 5_000, 0])
      assert.deepEqual([await matters(), await mails()], [[], before])
      await asksNothing(page)
      const again = await scene.office.post(`/office/bookings/${id}/guarantee`, {
        do: 'charge',
        amount: '50',
      })
      assert.match((await scene.office.get(again.headers.get('location') ?? '')).words, /cannot be charged/)
      await scene.charges()
      const paid = [...scene.stripe.intents.values()].filter(
        ({ status, metadata }) => status === 'succeeded' && metadata['venue'] === String(scene.venue.id),
      )
      assert.equal(paid.length, 1)
    }
  })

  it('goes back where the copy has cancelled the booking in time before it looked', async () => {
    await begun()
    const id = await scene.bookedByKey()
    await ask(id)
    const backup = await kept()
    await payAsked(await scene.mine(id))
    await backup.putBack()
    await scene.move('cancel', id, 'staff')
    await resumed()
    await scene.refund()
    assert.deepEqual([(await sums())[1], await matters()], ['refunded', []])
    assert.equal(scene.stripe.refunds.size, 1)
  })

  it('and that goes back by a refund which was pending at the backup: its guest is not mailed once more', async () => {
    await begun(deposit)
    await scene.secure()
    await scene.move('cancel', await scene.bookingId(), 'staff')
    scene.service.setClock('2026-10-06T14:05:00Z')
    const backup = await backUp(scene.service, scene.venue)
    await scene.refund()
    assert.ok((await mails()).includes('tableRefunded'))
    await backup.putBack()
    await resumed()
    assert.deepEqual((await sums()).slice(1), ['refunded', 4_000, 0, 4_000, 4_000])
    assert.ok(!(await mails()).includes('tableRefunded'))
  })

  it('is written by comparing the books, where nobody could look before the copy sent again', async () => {
    await begun()
    const id = await scene.bookedByKey()
    await ask(id)
    const backup = await kept()
    await payAsked(await scene.mine(id))
    await backup.putBack()
    const once = await books('2026-10-06')
    assert.deepEqual([once.recorded, once.differences], [1, []])
    assert.deepEqual((await sums()).slice(1), ['paid', 5_000, 0, 5_000, 0])
  })

  it('of a booking that the copy does not have, or without a name, is for somebody to look at, and at no other booking', async () => {
    await begun(deposit)
    const backup = await kept()
    await scene.secure()
    const [intent] = scene.stripe.intents.values()
    assert.equal(intent?.metadata['booking'], undefined, 'there was no booking yet')
    await backup.putBack()
    const other = await scene.bookedByKey()
    await ask(other)
    assert.equal((await resumed()).notHere, 1)
    assert.deepEqual(
      (await matters()).map(({ kind, booking }) => [kind, booking]),
      [['not-here', null]],
    )
    assert.deepEqual((await sums()).slice(1, 5), ['asked', 0, 5_000, 0])
  })

  it('names its booking to the processor in a way that says nothing of it, and the same in each copy', async () => {
    await begun()
    const [one, other] = [await scene.bookedByKey(), await scene.bookedByKey()]
    const names: unknown[] = []
    for (const id of [one, other]) {
      await ask(id)
      await payAsked(await scene.mine(id))
    }
    for (const { metadata } of scene.stripe.intents.values()) names.push(metadata['booking'])
    assert.equal(new Set(names).size, 2)
    for (const name of names) assert.match(String(name), /^[0-9a-f]{32}$/)
  })
})
