import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { rowsOf } from '../../../test/rows.ts'
import { lookAsRestored, securingTables } from '../../../test/securing-tables.ts'
import { backUp } from '../../../test/venue-backup.ts'
import { reconcile } from '../reconciling/reconcile.ts'

describe('a card that the service charged after the backup that it was restored from', () => {
  const scene = securingTables()
  const resumed = () => lookAsRestored(scene.service)
  const charge = (id: number) => scene.pressCard(id, { do: 'charge', amount: '50' })
  const payments = () =>
    scene.rows('select state, why, amount_cents as cents from payment where venue_id = $1 order by id')
  const sums = async () => {
    const { status, paid_cents, refunded_cents } = await scene.guarantee()
    return [status, paid_cents, refunded_cents]
  }
  const matters = () => scene.rows('select kind from money_matter where venue_id = $1 and done_at is null')
  const books = (isOnHold = false) => {
    const { context } = scene.service
    return reconcile(
      { ...context, hold: { ...context.hold, isOn: () => isOnHold } },
      { ...scene.venue, plan: 'pro' },
      { from: '2026-10-09', to: '2026-10-09' },
    )
  }
  /** A no-show was charged $50.00, and the copy knows a card that is held. */
  const copied = async () => {
    await rowsOf(scene.service, 'truncate processor_account cascade')
    const id = await scene.absent()
    await charge(id)
    await scene.charges()
    assert.deepEqual(scene.charged(), [5_000])
    await scene.rows('delete from payment where venue_id = $1')
    await scene.rows(`update guarantee set status = 'held', paid_cents = 0 where venue_id = $1`)
    return id
  }
  const mails = async () =>
    (await scene.rows(`select kind from guest_mail where venue_id = $1 and kind = 'tableCharged'`)).map(
      ({ kind }) => kind,
    )
  const written = { state: 'succeeded', why: null, cents: 5_000 }

  it('is written at its booking while the copy looks, and cannot be charged once more', async () => {
    const id = await copied()
    const { notHere } = await resumed()
    assert.deepEqual([notHere, await matters()], [0, []])
    assert.deepEqual([await sums(), await payments()], [['charged', 5_000, 0], [written]])
    const { headers } = await scene.office.post(`/office/bookings/${id}/guarantee`, {
      ...{ do: 'charge', amount: '50' },
    })
    const { words } = await scene.office.get(headers.get('location') ?? '')
    assert.match(words, /This card cannot be charged/)
    await scene.charges()
    assert.deepEqual(scene.charged(), [5_000])
    assert.deepEqual((await books()).differences, [])
  })

  it('is not charged again where the copy was asked to before it looked', async () => {
    const id = await copied()
    await charge(id)
    await resumed()
    await scene.charges()
    assert.deepEqual([scene.charged(), await sums()], [[5_000], ['charged', 5_000, 0]])
    assert.deepEqual(await payments(), [{ state: 'failed', why: 'withdrawn', cents: 5_000 }, written])
    assert.deepEqual((await books()).differences, [])
  })

  it('is not charged again where nobody could look, as when its key was not taken: the card itself is looked at first', async () => {
    const id = await copied()
    const { key } = scene.stripe
    scene.stripe.key = `${key}0`
    assert.deepEqual((await resumed()).denied, [scene.venue.slug])
    scene.stripe.key = key
    await charge(id)
    scene.stripe.trouble = { at: 'GET /v1/payment_intents', how: 'busy' }
    await scene.charges()
    assert.deepEqual(scene.charged(), [5_000], 'nothing is charged while that has no answer')
    scene.stripe.trouble = undefined
    scene.service.setClock('2026-10-10T01:05:00Z')
    await scene.charges()
    assert.deepEqual([scene.charged(), await sums()], [[5_000], ['charged', 5_000, 0]])
  })

  it('is not mailed once more to its guest, whether the copy knows that somebody pressed or not', async () => {
    for (const isPressed of [false, true]) {
      await scene.open()
      await rowsOf(scene.service, 'truncate processor_account cascade')
      const id = await scene.absent()
      let backup = await backUp(scene.service, scene.venue)
      await charge(id)
      if (isPressed) backup = await backUp(scene.service, scene.venue)
      await scene.charges()
      assert.deepEqual(await mails(), ['tableCharged'], 'once, by the service that charged it')
      await backup.putBack()
      await resumed()
      scene.service.setClock('2026-10-10T01:05:00Z')
      await scene.charges()
      assert.deepEqual([await sums(), await mails()], [['charged', 5_000, 0], []])
      assert.deepEqual(await payments(), [written])
    }
  })

  it('is for somebody to look at where more came off the card than its guest agreed to, and only then', async () => {
    const id = await copied()
    await resumed()
    const [intent] = scene.stripe.intents.values()
    assert.ok(intent)
    const again = { id: 'pi_again', metadata: { ...intent.metadata, ref: crypto.randomUUID() } }
    scene.stripe.intents.set(again.id, { ...intent, ...again })
    await resumed()
    await resumed()
    assert.deepEqual(await sums(), ['charged', 10_000, 0])
    assert.deepEqual(await matters(), [{ kind: 'payment-differs' }])
    for (const page of ['/office/payments', `/office/bookings/${id}`]) {
      const { words } = await scene.office.get(page)
      assert.match(words, /\$50\.00 came off a card beyond what its guest agreed to/)
      assert.match(words, /Refund at the booking what was too much/)
    }
    await scene.pressCard(id, { do: 'refund', amount: '50' })
    await scene.refund()
    assert.deepEqual(await sums(), ['partially_refunded', 10_000, 5_000])
  })

  it('goes back with what was given back of it since', async () => {
    const id = await copied()
    await resumed()
    await scene.pressCard(id, { do: 'refund' })
    await scene.refund()
    await scene.rows('delete from refund where venue_id = $1')
    await scene.rows('delete from payment where venue_id = $1')
    await scene.rows(
      `update guarantee set status = 'held', paid_cents = 0, refunded_cents = 0 where venue_id = $1`,
    )
    await resumed()
    await scene.refund()
    assert.deepEqual(await sums(), ['refunded', 5_000, 5_000])
    assert.equal(scene.stripe.refunds.size, 1)
  })

  it('is written by comparing the books, but not while the copy is on hold', async () => {
    await copied()
    const { recorded, differences } = await books(true)
    assert.deepEqual(
      [recorded, differences.map(({ what, how }) => [what, how])],
      [0, [['payment', 'missing-here']]],
    )
    assert.deepEqual([await sums(), await payments()], [['held', 0, 0], []])
    const once = await books()
    assert.deepEqual([once.recorded, once.differences, await sums()], [1, [], ['charged', 5_000, 0]])
  })

  it('of another card, or of the venue’s other business, nothing is written', async () => {
    await copied()
    const [intent] = scene.stripe.intents.values()
    Object.assign(intent ?? {}, { metadata: {} })
    assert.equal((await resumed()).notHere, 0)
    Object.assign(intent ?? {}, { metadata: { ref: crypto.randomUUID() }, customer: 'cus_other' })
    assert.equal((await resumed()).notHere, 1)
    assert.deepEqual([await sums(), await payments()], [['held', 0, 0], []])
  })
})
