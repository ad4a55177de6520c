import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { eventually } from '../../../test/eventually.ts'
import { becomeCopy } from '../../../test/processes/restored-copy.ts'
import { anyName } from '../test/any-name.ts'
import { type Scene, hours, startScene } from '../test/scene.ts'
import { startEngine } from './engine.ts'

describe('deliveries of a restored copy', () => {
  let scene: Scene
  /** While set, name lookups of receivers take as long as this promise. */
  let name: PromiseWithResolvers<void> | undefined
  let lookUps = 0
  before(async () => {
    scene = await startScene({
      judge: anyName,
      resolve: async () => {
        lookUps++
        await name?.promise
        return ['127.0.0.1']
      },
    })
  })
  after(() => scene.stop())

  it('wait with no try used, hooks as well as webhooks, and go out once sending is resumed', async () => {
    const { context } = scene.service
    await becomeCopy(scene.service)
    const venue = await scene.service.venue()
    const receiver = await scene.receiver()
    await scene.endpoint(venue, receiver)
    await scene.hook(venue, receiver)
    await scene.happen(venue, 3)
    // The engine checks before it takes anything; this counts how often it had to wait.
    let asked = 0
    const hold = {
      ...context.hold,
      isOn: () => {
        asked++
        return context.hold.isOn()
      },
    }
    const engine = startEngine({ ...context, hold, db: context.workerDb })
    await eventually(() => asked > 3)
    await scene.sweep()
    context.bell.ring()
    await eventually(() => asked > 6)
    await engine.stop()
    assert.equal(receiver.received.length, 0)
    assert.deepEqual(
      (await scene.deliveries(venue)).map(({ tries, done_at, lease_token }) => [tries, done_at, lease_token]),
      Array.from({ length: 6 }, () => [0, null, null]),
    )

    scene.worker()
    assert.notEqual(await context.hold.release(), null)
    await eventually(() => receiver.received.length === 6)
    await scene.stopWorkers()
  })

  it('do not start if they were about to when the hold was found', async () => {
    const { context } = scene.service
    const venue = await scene.service.venue()
    const receiver = await scene.receiver()
    await scene.endpointByName(venue, receiver)
    name = Promise.withResolvers()
    lookUps = 0
    const worker = scene.worker()
    await scene.happen(venue)
    await eventually(() => lookUps > 0)
    await becomeCopy(scene.service)
    name.resolve()
    name = undefined
    await eventually(() => Object.values(worker.counts()).every((count) => count === 0))
    assert.equal(receiver.received.length, 0)
    const [delivery] = await scene.deliveries(venue)
    assert.deepEqual([delivery?.tries, delivery?.done_at, delivery?.lease_token], [0, null, null])

    await context.hold.release()
    await eventually(() => receiver.received.length === 1)
    await scene.stopWorkers()
  })

  it('are dropped after 48 hours as usual', async () => {
    const venue = await scene.service.venue()
    const receiver = await scene.receiver()
    await scene.endpoint(venue, receiver)
    await becomeCopy(scene.service)
    await scene.happen(venue)
    scene.pass(hours(48))
    await scene.sweep()
    assert.deepEqual(
      (await scene.deliveries(venue)).map(({ outcome }) => outcome),
      ['dropped'],
    )
    await scene.service.context.hold.release()
  })

  it('do not block a test that someone sends now', async () => {
    const venue = await scene.service.venue()
    const receiver = await scene.receiver()
    const { id } = await scene.endpoint(venue, receiver)
    await becomeCopy(scene.service)
    const { status, body } = await scene.service.call('POST', `/api/v1/webhooks/${id}/test`, {
      key: venue.key,
    })
    assert.deepEqual([status, body.ok], [200, true])
    assert.equal(receiver.received.length, 1)
    await scene.service.context.hold.release()
  })
})
