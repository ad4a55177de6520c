import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { resumeCommand } from '../../doors/operator/resume.ts'
import { reconcile } from '../../tickets/online/reconciling/reconcile.ts'
import { startWorker } from '../../worker/worker.ts'
import { guestAt } from '../guest.ts'
import { becomeCopy } from '../processes/restored-copy.ts'
import { rowsOf } from '../rows.ts'
import { card, deposit, lookAsRestored, securingTables } from '../securing-tables.ts'
import { sellingOnline } from '../selling-online.ts'
import { backUp } from '../venue-backup.ts'

describe('a restored copy with money under way', () => {
  const scene = securingTables()

  it('asks the processor nothing and keeps its calls; resuming only looks, and then each thing that was due is done once', async () => {
    const { service, stripe } = scene
    stripe.callsOut = false
    stripe.held.length = 0
    await scene.ask(card, { ...deposit, partyFrom: 4 })
    await scene.rules([{ ...deposit, partyFrom: 4 }, card])
    // A card to charge, a card to delete, a deposit to give back, and a deposit that is paid and not heard of.
    await scene.secure('2026-10-07 19:00')
    const absent = await scene.bookingId()
    await scene.secure('2026-10-08 19:00')
    const cancelled = await scene.bookingId()
    await scene.secure('2026-10-08 20:00', '4')
    const owed = await scene.bookingId()
    await scene.later('2026-10-08T00:30:00Z')
    await scene.move('markNoShow', absent)
    await scene.pressCard(absent, { do: 'charge', amount: '50' })
    for (const id of [cancelled, owed]) await scene.move('cancel', id, 'staff')
    const page = await scene.goToPay('2026-10-09 21:00', '4')
    await stripe.pay(page)
    await becomeCopy(service)
    const before = {
      calls: stripe.calls.length,
      customers: stripe.customers.size,
      intents: stripe.intents.size,
    }
    const worker = startWorker(service.context)
    try {
      for (const moment of ['2026-10-08T00:40:00Z', '2026-10-08T09:00:00Z']) {
        await scene.later(moment)
        await worker.catchUp()
      }
      for (const event of stripe.held) assert.equal(await stripe.call(event), 200)
      await worker.catchUp()
      assert.match((await scene.office.post('/office/settings/payments/test')).words, /asks Stripe nothing/)
      assert.deepEqual(
        { calls: stripe.calls.length, customers: stripe.customers.size, intents: stripe.intents.size },
        before,
      )
      assert.equal(stripe.refunds.size, 0)
      const kept = await scene.rows(
        'select kind from processor_event where venue_id = $1 and looked_at is null',
      )
      assert.equal(kept.length, new Set(stripe.held.map(({ id }) => id)).size)

      await resumeCommand.run(service.context, { 'dry-run': false } as never)
      const looks = stripe.calls.slice(before.calls).map(({ what }) => what.split(' ')[0])
      assert.ok(looks.length > 0 && looks.every((method) => method === 'GET'), looks.join())
      const [last] = await scene.rows(
        'select status from guarantee where venue_id = $1 order by id desc limit 1',
      )
      assert.deepEqual(last, { status: 'paid' })
      for (const moment of ['2026-10-08T09:05:00Z', '2026-10-08T09:10:00Z']) {
        await scene.later(moment)
        await worker.catchUp()
      }
      assert.deepEqual(scene.charged(), [5_000])
      assert.deepEqual(
        [...stripe.refunds.values()].map(({ amount }) => amount),
        [8_000],
      )
      assert.equal(stripe.customers.size, before.customers - 1)
    } finally {
      await worker.stop()
    }
  })
})

describe('ids that a restored database gives again', () => {
  const scene = sellingOnline()
  const tables = ['checkout', 'ticket_order', 'payment', 'refund'] as const
  const idsOf = async (table: string): Promise<number[]> =>
    (
      await rowsOf<{ id: string }>(scene.service, `select id from ${table} where venue_id = $1 order by id`, [
        scene.venue.id,
      ])
    ).map(({ id }) => Number(id))

  it('name other calls: what is sold, paid and refunded under them is nobody’s of before', async () => {
    const { service, stripe, venue } = scene
    stripe.callsOut = false
    for (const kept of [stripe.intents, stripe.refunds, stripe.sessions]) kept.clear()
    const all = async () => {
      const id = await scene.opened()
      await stripe.pay(await scene.sessionOf(id))
      scene.later(2)
      await scene.sweep()
      await scene.askRefund('20.00')
      await scene.refund()
      return { id, ids: await Promise.all(tables.map(idsOf)) }
    }
    const backup = await backUp(service, venue)
    const lost = await all()
    await backup.putBack()
    for (const [at, table] of tables.entries())
      await rowsOf(
        service,
        `select setval(pg_get_serial_sequence('${table}', 'id'), ${lost.ids[at]?.[0]}, false)`,
      )
    scene.later(1)
    await lookAsRestored(service)
    await scene.office.signIn(`owner@${venue.slug}.example.com`)
    const again = await all()
    assert.deepEqual(again.ids, lost.ids)
    assert.equal((await scene.row(again.id)).state, 'completed')
    assert.deepEqual(await scene.refunds(), [{ state: 'succeeded', seats: 0, amount_cents: 2_000 }])
    assert.deepEqual(
      [stripe.sessions.size, stripe.intents.size, [...stripe.refunds.values()].map(({ amount }) => amount)],
      [2, 2, [2_000, 2_000]],
    )
    const days = { from: '2026-10-06', to: '2026-10-06' }
    const { payments, refunds, differences } = await reconcile(
      service.context,
      { ...venue, plan: 'pro' },
      days,
    )
    assert.deepEqual([payments, refunds], [1, 1])
    assert.ok(differences.every(({ how }) => how === 'missing-here'))
    const path = scene.pageOf(again.id)
    assert.equal((await guestAt(service, path)).status, 303, 'its page leads to the order of now')
  })
})
