import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { lookingAtPaid } from '../../../marketing/subscribers/looking-at-paid.ts'
import { guestAt } from '../../../test/guest.ts'
import { staffOf, visitOffice } from '../../../test/office.ts'
import { rowsOf } from '../../../test/rows.ts'
import { lookAsRestored } from '../../../test/securing-tables.ts'
import { sellingOnline, signal } from '../../../test/selling-online.ts'
import { backUp } from '../../../test/venue-backup.ts'
import { lookAfterwards } from './look-first.ts'
import { checkBooks } from '../reconciling/nightly.ts'

describe('a restored copy, before it sends again', () => {
  const scene = sellingOnline()
  const { made, opened, pay, row, sessionOf, askRefund, refund, orders, refunds, pageOf } = scene

  const resumed = () => lookAsRestored(scene.service)
  const run = (text: string, ...values: unknown[]) => rowsOf(scene.service, text, [scene.venue.id, ...values])
  const matters = () => run('select kind, amount_cents from money_matter where venue_id = $1')
  /** What other tests left, here and at the stand-in, is of another account. */
  const forget = async () => {
    scene.stripe.callsOut = false
    await rowsOf(scene.service, 'truncate processor_account cascade')
    await scene.office.post('/office/settings/payments', { key: scene.stripe.key })
    for (const held of [scene.stripe.intents, scene.stripe.refunds, scene.stripe.sessions]) held.clear()
  }

  it('finds what was paid since the backup, whether the copy knows its page or not even its press', async () => {
    await forget()
    const known = await opened()
    const pressed = await made()
    await pay(pressed)
    for (const id of [known, pressed]) await scene.stripe.pay(await sessionOf(id))
    await run(
      `update checkout set state = 'made', session_ref = null, ends_at = null where venue_id = $1 and id = $2`,
      pressed,
    )
    await resumed()
    assert.deepEqual([(await row(known)).state, (await row(pressed)).state], ['completed', 'completed'])
    assert.deepEqual(
      (await orders()).map(({ status }) => status),
      ['paid', 'paid'],
    )
    assert.deepEqual(await matters(), [])
    await resumed()
    assert.equal((await orders()).length, 2, 'safe to repeat')
  })

  it('leaves what is ours and has no row here for somebody to look at, once', async () => {
    await forget()
    const id = await opened()
    await scene.stripe.pay(await sessionOf(id))
    await run('delete from checkout where venue_id = $1')
    assert.deepEqual(await resumed(), { checkouts: 0, notHere: 1, denied: [] })
    assert.deepEqual(await resumed(), { checkouts: 0, notHere: 0, denied: [] })
    assert.deepEqual(await matters(), [{ kind: 'not-here', amount_cents: 9_000 }])
    assert.match(
      (await scene.office.get('/office/payments')).words,
      /\$90\.00 in Stripe that is not written here It was made on October 6, 2026, 3:00 PM, after the backup/,
    )
  })

  it('names what has no row here once, also after the books were compared at night', async () => {
    await forget()
    const id = await opened()
    await scene.stripe.pay(await sessionOf(id))
    await run('delete from checkout where venue_id = $1')
    await resumed()
    await run('update processor_account set reconciled_on = null where venue_id = $1')
    scene.later(24 * 60)
    await checkBooks(scene.service.context, signal)
    const nights = await run('select reconciled_on::text as day from processor_account where venue_id = $1')
    assert.deepEqual(nights, [{ day: '2026-10-06' }])
    assert.deepEqual(await matters(), [{ kind: 'not-here', amount_cents: 9_000 }])
  })

  it('makes no refund that was made, and writes down those of the dashboard', async () => {
    await forget()
    for (const amount of ['30.00', '40.00']) {
      const id = await opened()
      await scene.stripe.pay(await sessionOf(id))
      scene.later(2)
      await scene.sweep()
      await askRefund(amount)
    }
    const pending = await run(`select id from refund where venue_id = $1 order by id`)
    await refund()
    await run(
      `update refund set state = 'pending', settled_at = null, processor_ref = null, look_at = made_at
        where venue_id = $1 and id = $2`,
      pending[0]?.id,
    )
    await run(
      `update ticket_order set status = 'paid', refunded_cents = 0 where venue_id = $1
         and id = (select order_id from refund where id = $2)`,
      pending[0]?.id,
    )
    await scene.stripe.refundThere([...scene.stripe.intents.keys()].at(-1) ?? '', 1_000)
    await resumed()
    assert.deepEqual(
      (await refunds()).map(({ state, amount_cents: cents }) => [state, cents]),
      [
        ['succeeded', 3_000],
        ['succeeded', 4_000],
        ['succeeded', 1_000],
      ],
    )
    const before = scene.stripe.refunds.size
    scene.later(61)
    await refund()
    assert.equal(scene.stripe.refunds.size, before)
  })

  it('mails nobody once more about a refund that was pending at the backup, and that the service sent then', async () => {
    await forget()
    const id = await opened()
    await scene.stripe.pay(await sessionOf(id))
    scene.later(2)
    await scene.sweep()
    await askRefund('30.00')
    const backup = await backUp(scene.service, scene.venue)
    await refund()
    const mails = () => run(`select kind from guest_mail where venue_id = $1 and kind = 'ticketsRefunded'`)
    assert.equal((await mails()).length, 1)
    await backup.putBack()
    await resumed()
    assert.deepEqual(
      (await refunds()).map(({ state }) => state),
      ['succeeded'],
    )
    assert.deepEqual(await mails(), [])
    await refund()
    assert.equal(scene.stripe.refunds.size, 1)
  })

  it('has somebody look at an order of which a part went back since, as seats may have been returned with it', async () => {
    await forget()
    const id = await opened()
    await scene.stripe.pay(await sessionOf(id))
    scene.later(2)
    await scene.sweep()
    const backup = await backUp(scene.service, scene.venue)
    await askRefund('30.00')
    await refund()
    await backup.putBack()
    scene.office = visitOffice(scene.service)
    await scene.office.signIn((await staffOf(scene.service, scene.venue, 'manager')).email)
    await resumed()
    assert.deepEqual(await matters(), [{ kind: 'payment-differs', amount_cents: 3_000 }])
    assert.match(
      (await scene.office.get('/office/payments')).words,
      /\$30\.00 went back for an order after the backup .* Some may have been returned since.* Open the order/,
    )
  })

  it('sends no refund of an order again where nobody could look, and mails its buyer once', async () => {
    await forget()
    const id = await opened()
    await scene.stripe.pay(await sessionOf(id))
    scene.later(2)
    await scene.sweep()
    const backup = await backUp(scene.service, scene.venue)
    await askRefund('30.00')
    await refund()
    await backup.putBack()
    scene.office = visitOffice(scene.service)
    await scene.office.signIn((await staffOf(scene.service, scene.venue, 'manager')).email)
    const { key } = scene.stripe
    scene.stripe.key = `${key}0`
    await resumed()
    scene.stripe.key = key
    await askRefund('30.00')
    await refund()
    assert.equal(scene.stripe.refunds.size, 1)
    const [order] = await orders()
    assert.deepEqual([order?.status, order?.refunded_cents], ['partially_refunded', 3_000])
    assert.deepEqual(
      await run(`select kind from guest_mail where venue_id = $1 and kind = 'ticketsRefunded'`),
      [{ kind: 'ticketsRefunded' }],
    )
  })

  it('writes nothing while the processor does not answer, and says whose key it does not take', async () => {
    await forget()
    const id = await opened()
    await scene.stripe.pay(await sessionOf(id))
    scene.stripe.trouble = { at: 'GET /v1/payment_intents', how: 'busy' }
    await assert.rejects(resumed(), /Stripe does not answer about .*nothing is sent yet/)
    assert.equal((await row(id)).state, 'open')
    const { key } = scene.stripe
    scene.stripe.key = `${key}0`
    assert.deepEqual((await resumed()).denied, [scene.venue.slug])
    scene.stripe.key = key
  })

  it('looks with the next copy, too, at what one of before could not know yet, as its key was not taken', async () => {
    await forget()
    const id = await opened()
    await scene.stripe.pay(await sessionOf(id))
    await run('delete from checkout where venue_id = $1')
    const { key } = scene.stripe
    scene.stripe.key = `${key}0`
    await resumed()
    scene.later(72 * 60)
    await scene.newDate()
    scene.later(1)
    await resumed()
    scene.stripe.key = key
    await lookAfterwards(scene.service.context, lookingAtPaid, signal)
    assert.deepEqual(await matters(), [{ kind: 'not-here', amount_cents: 9_000 }])
  })

  it('looks at each account by itself, so a dead key of one that the venue left hides nothing of another', async () => {
    await forget()
    await opened()
    await run('update processor_account set ended_at = made_at where venue_id = $1')
    const { key } = scene.stripe
    scene.stripe.key = `${key}0`
    for (const held of [scene.stripe.sessions, scene.stripe.endpoints]) held.clear()
    await scene.office.post('/office/settings/payments', { key: scene.stripe.key })
    const id = await opened()
    await scene.stripe.pay(await sessionOf(id))
    await run('delete from checkout where venue_id = $1 and id = $2', id)
    const { notHere, denied } = await resumed()
    assert.deepEqual([notHere, denied], [1, [scene.venue.slug]])
    scene.stripe.key = key
  })

  it('where the venue is paused, pressing again and again asks the processor no more often than coming back does', async () => {
    const id = await opened()
    await run('update venue set paused = true where id = $1')
    scene.stripe.calls.length = 0
    await Promise.all([1, 2, 3, 4].map(() => guestAt(scene.service, pageOf(id), { form: { do: 'pay' } })))
    assert.equal(scene.stripe.calls.filter(({ what }) => what.startsWith('GET /v1/checkout')).length, 1)
  })
})
