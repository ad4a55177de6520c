import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { guestAt } from '../../../test/guest.ts'
import { deposit, lookAsRestored, securingTables } from '../../../test/securing-tables.ts'
import { rowsOf } from '../../../test/rows.ts'
import { reconcile } from '../reconciling/reconcile.ts'

describe('a refund of a deposit that the service sent after the backup that it was restored from', () => {
  const scene = securingTables()
  const table = '2026-10-09 19:00'
  const resumed = () => lookAsRestored(scene.service)
  const sentBack = () => [...scene.stripe.refunds.values()].map(({ amount }) => amount)
  const refunds = () =>
    scene.rows('select origin, state, amount_cents as cents from refund where venue_id = $1 order by id')
  const sums = async () => {
    const { status, amount_cents, paid_cents, refunded_cents } = await scene.guarantee()
    return [status, amount_cents, paid_cents, refunded_cents]
  }
  const matters = () => scene.rows('select kind, state from money_matter where venue_id = $1')
  const books = () =>
    reconcile(
      scene.service.context,
      { ...scene.venue, plan: 'pro' },
      { from: '2026-10-06', to: '2026-10-06' },
    )
  /** Six guests with 120.00, of whom one does not come: 20.00 is sent, and the copy knows nothing of it. */
  const copied = async () => {
    await rowsOf(scene.service, 'truncate processor_account cascade')
    await scene.ask(deposit)
    const mine = await scene.secure(table, '6')
    await scene.change(mine, '5', table)
    await scene.refund()
    assert.deepEqual([sentBack(), await sums()], [[2_000], ['partially_refunded', 10_000, 12_000, 2_000]])
    await scene.rows('delete from refund where venue_id = $1')
    await scene.rows(
      `update guarantee set status = 'paid', amount_cents = 12000, refunded_cents = 0 where venue_id = $1`,
    )
    await scene.rows('update reservation set party_size = 6 where venue_id = $1')
    return mine
  }

  it('is written at its payment while the copy looks, and is not sent again when its guest asks for the same', async () => {
    const mine = await copied()
    const { notHere } = await resumed()
    assert.deepEqual([notHere, await matters()], [0, [{ kind: 'payment-differs', state: 'refund-since' }]])
    assert.match(
      (await scene.office.get('/office/payments')).words,
      /\$20\.00 went back for a booking after the backup that this copy is from, .* Open the booking/,
    )
    assert.deepEqual(await refunds(), [{ origin: 'us', state: 'succeeded', cents: 2_000 }])
    assert.deepEqual(await sums(), ['partially_refunded', 12_000, 12_000, 2_000])
    const { moved, differences, recorded } = await books()
    assert.deepEqual([differences, recorded, moved.map(({ cents_back }) => cents_back)], [[], 0, [2_000]])
    const asked = await guestAt(scene.service, `${mine}?do=change&size=5&slot=${encodeURIComponent(table)}`)
    assert.doesNotMatch(asked.text, /goes back/)
    await scene.change(mine, '5', table)
    await scene.refund()
    assert.deepEqual(sentBack(), [2_000])
    assert.deepEqual(await sums(), ['partially_refunded', 10_000, 12_000, 2_000])
    await scene.change(mine, '4', table)
    await scene.refund()
    assert.deepEqual(sentBack(), [2_000, 2_000])
  })

  it('is what the copy was asked for before it looked, and is sent once', async () => {
    const mine = await copied()
    await scene.change(mine, '5', table)
    await resumed()
    await scene.refund()
    assert.deepEqual(sentBack(), [2_000])
    assert.deepEqual(await refunds(), [{ origin: 'us', state: 'succeeded', cents: 2_000 }])
    assert.deepEqual((await books()).differences, [])
  })

  it('comes off what the copy was asked to send before it looked', async () => {
    const mine = await copied()
    await guestAt(scene.service, mine, { form: { do: 'cancel' } })
    await resumed()
    await scene.refund()
    assert.deepEqual(sentBack(), [2_000, 10_000])
    assert.deepEqual([(await sums())[0], await matters()], ['refunded', []])
    assert.deepEqual((await books()).differences, [])
  })

  it('of a payment that is not written here either, the owner has nothing to write down for it', async () => {
    await copied()
    const [payment] = await scene.rows('select id, checkout_id from payment where venue_id = $1')
    await scene.rows(`delete from payment where venue_id = $1 and id = ${Number(payment?.['id'])}`)
    await scene.rows('delete from guarantee where venue_id = $1')
    await scene.rows(`delete from checkout where venue_id = $1 and id = ${Number(payment?.['checkout_id'])}`)
    assert.equal((await resumed()).notHere, 2)
    const { words } = await scene.office.get('/office/payments')
    assert.match(
      words,
      /A payment of \$120\.00 in Stripe that is not written here .* Refund in Stripe what is left of it/,
    )
    assert.match(
      words,
      /A refund of \$20\.00 in Stripe that is not written here .* Nothing has to be written down for it/,
    )
    assert.doesNotMatch(words, /refunded another way/)
    assert.deepEqual(await refunds(), [])
  })

  it('is not sent again where nobody could look, as when the key was not taken: its payment is looked at first', async () => {
    const mine = await copied()
    const { key } = scene.stripe
    scene.stripe.key = `${key}0`
    assert.deepEqual((await resumed()).denied, [scene.venue.slug])
    scene.stripe.key = key
    await guestAt(scene.service, mine, { form: { do: 'cancel' } })
    scene.stripe.trouble = { at: 'GET /v1/refunds', how: 'busy' }
    await scene.refund()
    assert.deepEqual(sentBack(), [2_000], 'nothing is sent while that has no answer')
    scene.stripe.trouble = undefined
    scene.service.setClock('2026-10-06T14:05:00Z')
    await scene.refund()
    assert.deepEqual(
      [sentBack(), await sums()],
      [
        [2_000, 10_000],
        ['refunded', 12_000, 12_000, 12_000],
      ],
    )
    assert.deepEqual((await books()).differences, [])
  })

  it('is not mailed once more to its guest, but what is sent now is', async () => {
    const mine = await copied()
    const mails = async () =>
      (await scene.rows(`select kind from guest_mail where venue_id = $1 and kind = 'tableRefunded'`)).length
    const before = await mails()
    await resumed()
    assert.equal(await mails(), before)
    await scene.change(mine, '4', table)
    await scene.refund()
    assert.equal(await mails(), before + 1)
  })

  it('is followed where it is still on its way, and is not sent again meanwhile', async () => {
    const mine = await copied()
    const [sent] = scene.stripe.refunds.values()
    Object.assign(sent ?? {}, { status: 'pending' })
    await resumed()
    await scene.change(mine, '5', table)
    await scene.refund()
    assert.deepEqual(await refunds(), [{ origin: 'us', state: 'pending', cents: 2_000 }])
    assert.deepEqual(sentBack(), [2_000])
  })
})
