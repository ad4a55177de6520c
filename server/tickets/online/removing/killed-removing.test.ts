import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { eventually } from '../../../test/eventually.ts'
import { killedWhilePaying } from '../../../test/money/killed-while-paying.ts'
import { staffOf, visitOffice } from '../../../test/office.ts'
import { waitingForLock } from '../../../test/rows.ts'
import { signal } from '../../../test/selling-online.ts'
import { removeAccounts } from './remove-account.ts'

describe('what is left by a worker that is killed while it removes a former account', () => {
  const scene = killedWhilePaying()
  const { killedAt, press, row, rows, sweep } = scene
  const state = async () => {
    const [{ has_key, is_called, is_removed } = {}] = await rows(
      `select key_sealed <> '' as has_key, callback_ref is not null as is_called, removed_at is not null as is_removed
         from processor_account where venue_id = $1`,
    )
    return {
      has_key,
      is_called,
      is_removed,
      cards: scene.stripe.customers.size,
      endpoints: scene.stripe.endpoints.size,
    }
  }
  const going = { has_key: true, is_called: true, is_removed: false }
  const removed = { has_key: false, is_called: false, is_removed: true, cards: 0, endpoints: 0 }
  /** What a worker does that comes afterward. */
  const goOn = async () => {
    await sweep()
    for (let round = 0; round < 3; round++) {
      await removeAccounts(scene.service.context, signal)
      await sweep(4 + 2 * round)
    }
  }

  it('goes on after each of its steps: the card is deleted, Stripe calls no more, and the key is forgotten last', async () => {
    const id = await scene.madeTable('card', '19:00')
    await press(id)
    await scene.stripe.pay((await row(id)).session_ref ?? '')
    await sweep(3)
    assert.deepEqual(await state(), { ...going, cards: 1, endpoints: 1 })
    const office = visitOffice(scene.service)
    await office.signIn(
      (await staffOf(scene.service, scene.venue, 'owner', `second@${scene.venue.slug}.example.com`)).email,
    )
    const home = '/office/settings/payments'
    await office.post(`${home}/remove`, { sure: 'yes' })
    const [account] = await rows('select id from processor_account where venue_id = $1')
    assert.equal(
      (await office.post(`${home}/former/${String(account?.['id'])}/remove`, { sure: 'yes' })).status,
      303,
    )
    // The card is gone there, and nobody wrote it.
    await killedAt('DELETE /v1/customers', 'slow after', 'account')
    assert.deepEqual(await state(), { ...going, cards: 0, endpoints: 1 })
    assert.equal(
      (await rows('select id from guarantee where venue_id = $1 and customer_ref is not null')).length,
      1,
    )
    // No address is called now, and nobody wrote that.
    await rows('update guarantee set look_at = now() where venue_id = $1 and customer_ref is not null')
    await killedAt('DELETE /v1/webhook_endpoints', 'slow after', 'account')
    assert.deepEqual(await state(), { ...going, cards: 0, endpoints: 0 })
    // The last step is not committed.
    await scene.service.db.session(async (client) => {
      await client.query('begin')
      await client.query('lock table activity in share mode')
      await rows('update processor_account set remove_at = now() where venue_id = $1')
      const worker = await scene.worker()
      await eventually(async () => (await waitingForLock(scene.service)) > 0)
      worker.signal('SIGKILL')
      await worker.ended
      await client.query('rollback')
    })
    assert.deepEqual(await state(), { ...going, cards: 0, endpoints: 0 })
    await goOn()
    assert.deepEqual(await state(), removed)
    assert.equal((await rows('select status from guarantee where venue_id = $1'))[0]?.['status'], 'released')
  })
})
