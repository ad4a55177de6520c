import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { guestHistory } from '../../../doors/office/guests/history.ts'
import { mergeGuests, undoMerge } from '../../../crm/guests/merge.ts'
import { staffGuest } from '../../../crm/guests/staff-reads.ts'
import { erasePerson } from '../../../data/erasure/erase.ts'
import { actAt } from '../../../test/act.ts'
import { guestAt } from '../../../test/guest.ts'
import { card, deposit, securingTables } from '../../../test/securing-tables.ts'
import { staff } from '../test/book.ts'

describe('what is behind the bookings of guests who are merged', () => {
  const scene = securingTables()
  const owner = staff('owner')

  /** One guest with a deposit paid, then one with a card kept; each with their own page. */
  const twoGuests = async () => {
    await scene.ask(deposit)
    const paid = await scene.payOn(
      await scene.goToPay('2026-10-09 19:00', '2', { email: 'maya@example.com' }),
    )
    await scene.rules([card])
    const held = await scene.payOn(
      await scene.goToPay('2026-10-09 20:00', '2', { name: 'M. Okafor', email: 'okafor@example.com' }),
    )
    const guests = await scene.rows('select id from guest where venue_id = $1 order by id')
    assert.equal(guests.length, 2)
    const [one, other] = guests.map(({ id }) => Number(id))
    assert.ok(one !== undefined && other !== undefined)
    return { paid, held, one, other }
  }
  const seen = async (id: number) => {
    const row = await staffGuest(scene.service.db, scene.venue.id, id)
    assert.ok(row)
    return { id, seenVersion: row.version }
  }
  const merge = async (one: number, other: number) => {
    const [a, b] = [await seen(one), await seen(other)]
    return actAt(scene.service, scene.venue, (work) => mergeGuests(work, owner, a, b))
  }
  const guarantees = () =>
    scene.rows(`select r.guest_id, g.kind, g.status, g.amount_cents, g.paid_cents, g.refunded_cents, g.sentence,
        g.free_until, g.delete_at, g.customer_ref is not null as has_card
      from guarantee g join reservation r on r.venue_id = g.venue_id and r.id = g.reservation_id
     where g.venue_id = $1 order by g.id`)
  const money = () =>
    scene.rows('select guarantee_id, amount_cents, state from payment where venue_id = $1 order by id')

  it('is as it was: the card is kept, the deposit paid, and both are in the history of the one who is left', async () => {
    const { paid, held, one, other } = await twoGuests()
    const [before, moneyBefore] = [await guarantees(), await money()]
    assert.deepEqual(
      before.map(({ guest_id, kind, status }) => [Number(guest_id), kind, status]),
      [
        [one, 'deposit', 'paid'],
        [other, 'card', 'held'],
      ],
    )
    const { guest, merge: id } = await merge(other, one)
    assert.equal(guest.id, one)
    assert.deepEqual(
      await guarantees(),
      before.map((row) => ({ ...row, guest_id: before[0]?.['guest_id'] })),
    )
    assert.deepEqual(await money(), moneyBefore)
    assert.deepEqual([scene.stripe.customers.size, scene.stripe.refunds.size], [1, 0])
    const history = await guestHistory(scene.service.db, scene.venue.id, guest)
    assert.equal(history.reservations.length, 2)
    assert.match((await guestAt(scene.service, paid)).text, /\$40\.00 paid/)
    assert.match((await guestAt(scene.service, held)).text, /Your card is (?:kept|deleted)/)
    await actAt(scene.service, scene.venue, (work) => undoMerge(work, owner, id))
    assert.deepEqual(await guarantees(), before, 'and after an undo')
  })

  it('follows its booking afterwards: the deposit goes back for a cancellation in time, the card is charged for a no-show', async () => {
    const { paid, one, other } = await twoGuests()
    const held = await scene.bookingId()
    await merge(one, other)
    await guestAt(scene.service, paid, { form: { do: 'cancel' } })
    await scene.refund()
    assert.deepEqual(
      [...scene.stripe.refunds.values()].map(({ amount }) => amount),
      [4_000],
    )
    await scene.later('2026-10-10T01:00:00Z')
    assert.equal((await scene.move('markNoShow', held)).kind, 'done')
    await scene.pressCard(held, { do: 'charge', amount: '50' })
    await scene.charges()
    assert.deepEqual(scene.charged(), [5_000])
  })

  it('is erased with the one who is left: no card anywhere, nobody named, and every row of money stays', async () => {
    const { one, other } = await twoGuests()
    await merge(one, other)
    const moneyBefore = await money()
    await actAt(scene.service, scene.venue, (work) =>
      erasePerson(work, owner, { guestId: one, email: null, phone: null, name: null }),
    )
    await scene.cards()
    assert.equal(scene.stripe.customers.size, 0)
    assert.deepEqual(await money(), moneyBefore)
    assert.deepEqual(
      (await guarantees()).map(({ kind, status, paid_cents, has_card }) => [
        kind,
        status,
        paid_cents,
        has_card,
      ]),
      [
        ['deposit', 'paid', 4_000, false],
        ['card', 'released', 0, false],
      ],
    )
    const left = JSON.stringify([
      await scene.rows('select * from reservation where venue_id = $1'),
      await scene.rows('select * from checkout where venue_id = $1'),
      await scene.rows('select * from guarantee where venue_id = $1'),
      await scene.rows('select before, after from activity where venue_id = $1'),
    ])
    assert.doesNotMatch(left, /Okafor|maya@|okafor@/)
  })
})
