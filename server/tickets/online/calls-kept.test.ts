import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { becomeCopy } from '../../test/processes/restored-copy.ts'
import { rowsOf } from '../../test/rows.ts'
import { sellingOnline } from '../../test/selling-online.ts'

describe('a call of the processor about a payment', () => {
  const scene = sellingOnline()
  const { row } = scene
  const rows = (text: string) => rowsOf(scene.service, text, [scene.venue.id])
  const kept = () => rows('select kind from processor_event where venue_id = $1')
  /** One that is paid, and the call about it, which has not come. */
  const paid = async () => {
    scene.stripe.callsOut = false
    const id = await scene.opened()
    await scene.stripe.pay(await scene.sessionOf(id))
    const [event] = scene.stripe.held
    assert.ok(event)
    return { id, event }
  }

  it('of live money at an account of test money, or the other way around, is refused and not kept, however it is signed', async () => {
    const { event } = await paid()
    const isLive = (live: boolean) => rows(`update processor_account set live = ${live} where venue_id = $1`)
    for (const live of [false, true]) {
      await isLive(live)
      assert.equal(await scene.stripe.call({ ...event, livemode: !live }), 403)
      assert.deepEqual(await kept(), [])
    }
    await isLive(false)
    assert.equal(await scene.stripe.call(event), 200)
    assert.deepEqual(await kept(), [{ kind: 'checkout.session.completed' }])
  })

  it('is taken and kept by a copy that was restored, which looks at it once it sends again', async () => {
    const { id, event } = await paid()
    await becomeCopy(scene.service)
    try {
      assert.equal(await scene.stripe.call(event), 200)
      assert.deepEqual(await kept(), [{ kind: 'checkout.session.completed' }])
      const before = scene.stripe.calls.length
      await scene.sweep()
      assert.deepEqual([(await row(id)).state, scene.stripe.calls.length], ['open', before])
    } finally {
      await scene.service.context.hold.release()
    }
    // It is the call that has it looked at: by itself that would be a minute later.
    await scene.sweep()
    assert.equal((await row(id)).state, 'completed')
  })
})
