import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { TestVenue } from '../../test/service.ts'
import { engineLimits } from './engine/limits.ts'
import { deliveryStatuses } from '@venue-data/contract/webhooks/logged-delivery.ts'
import { deliveriesOf } from './deliveries/reads.ts'
import { replay, sendAgain } from './deliveries/send-again.ts'
import { endpointsForOwner } from './owner.ts'
import { type Scene, hours, startScene } from './test/scene.ts'

describe("the owner's deliveries", () => {
  let scene: Scene
  before(async () => {
    scene = await startScene()
  })
  after(() => scene.stop())

  const actor = { kind: 'service' } as const
  const inOneUnit = <T>(venue: TestVenue, work: (unit: never) => Promise<T>): Promise<T> =>
    scene.service.db.transaction((db) =>
      work({ db, venue, now: scene.service.context.clock } as unknown as never),
    )
  /** As left by a worker killed in the middle of its attempts. */
  const leaveLeased = (venue: TestVenue) =>
    scene.query('update delivery set lease_token = gen_random_uuid(), due_at = $2 where venue_id = $1', [
      venue.id,
      scene.service.context.clock().add({ milliseconds: engineLimits.leaseMs }).toString(),
    ])

  it('are sent again after their lease expired, but not while in flight', async () => {
    const venue = await scene.service.venue()
    const receiver = await scene.receiver()
    const { id } = await scene.endpoint(venue, receiver)
    await scene.happen(venue, 3)
    const [delivery] = await scene.deliveries(venue)
    const since = scene.service.context.clock()
    await leaveLeased(venue)
    scene.pass(engineLimits.leaseMs - 1)
    await assert.rejects(
      inOneUnit(venue, (unit) => sendAgain(unit, actor, id, delivery?.id ?? '')),
      /on its way/,
    )
    assert.equal(await inOneUnit(venue, (unit) => replay(unit, actor, id, { since, only: 'all' })), 0)
    scene.pass(1)
    await inOneUnit(venue, (unit) => sendAgain(unit, actor, id, delivery?.id ?? ''))
    assert.equal(await inOneUnit(venue, (unit) => replay(unit, actor, id, { since, only: 'all' })), 3)
    scene.worker()
    await scene.quiet()
    await scene.stopWorkers()
    assert.equal(receiver.received.length, 3)
    assert.ok((await scene.deliveries(venue)).every(({ takeovers }) => takeovers === 0))
  })

  it('are sent again after any outcome: same id, same bytes; not after 48 hours', async () => {
    const venue = await scene.service.venue()
    const receiver = await scene.receiver()
    const { id } = await scene.endpoint(venue, receiver)
    const since = scene.service.context.clock()
    await scene.happen(venue, 2)
    scene.worker()
    await scene.quiet()
    assert.equal(await inOneUnit(venue, (unit) => replay(unit, actor, id, { since, only: 'all' })), 2)
    scene.service.context.bell.ring()
    await scene.quiet()
    await scene.stopWorkers()
    const bodies = receiver.received.map(({ body }) => String(body))
    assert.equal(bodies.length, 4)
    assert.equal(new Set(bodies).size, 2)
    scene.pass(hours(48))
    assert.equal(await inOneUnit(venue, (unit) => replay(unit, actor, id, { since, only: 'all' })), 0)
  })

  it('are shown newest first: finished, waiting for a first try or waiting for a retry', async () => {
    const venue = await scene.service.venue()
    const receiver = await scene.receiver(500)
    const { id } = await scene.endpoint(venue, receiver)
    scene.worker()
    for (const statusCode of [204, 500]) {
      receiver.answer(statusCode)
      await scene.happen(venue)
      await scene.quiet()
      scene.pass(1_000)
    }
    await scene.stopWorkers()
    await scene.happen(venue)
    const log = { limit: 50, statuses: deliveryStatuses }
    const now = scene.service.context.clock()
    const { rows: shown } = await deliveriesOf(scene.service.db, venue.id, id, log, now)
    assert.deepEqual(
      shown.map(({ tries, outcome }) => [tries, outcome]),
      [
        [0, null],
        [1, null],
        [1, 'delivered'],
      ],
    )
    const [endpoint] = await endpointsForOwner(scene.service.db, venue.id)
    assert.equal(endpoint?.waiting, 2)
  })
})
