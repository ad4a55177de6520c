import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Receiver } from '../../test/receiver.ts'
import { noteVisit } from '../../core/events/note-change.ts'
import { type TestVenue, everyScope } from '../../test/service.ts'
import { type Scene, minutes, startScene } from '../webhooks/test/scene.ts'
import { ringDoorbells } from './doorbell.ts'

describe('the doorbell of changes', () => {
  let scene: Scene
  let venue: TestVenue
  let receiver: Receiver
  before(async () => {
    scene = await startScene()
    scene.worker()
  })
  after(() => scene.stop())

  const guests = (count: number) =>
    Promise.all(
      Array.from({ length: count }, () =>
        scene.service.call('POST', '/api/v1/guests', {
          key: venue.key,
          body: { email: `${crypto.randomUUID()}@example.com` },
        }),
      ),
    )
  const rings = async (): Promise<number> => {
    await ringDoorbells(scene.service.context)
    await scene.quiet()
    return receiver.received.length
  }
  const hang = async (events = ['changes.available']) => {
    venue = await scene.service.venue()
    receiver = await scene.receiver()
    await guests(2)
    return scene.endpoint(venue, receiver, events)
  }

  it('rings at most four times a minute under many changes, and once after the last', async () => {
    await hang()
    let rung = 0
    for (let second = 0; second < 60; second++) {
      await guests(4)
      rung = await rings()
      scene.pass(1_000)
    }
    assert.equal(rung, 4)
    scene.pass(minutes(1))
    assert.equal(await rings(), 5)
    scene.pass(minutes(1))
    assert.equal(await rings(), 5)
    const [{ body } = {}] = receiver.received
    const told = JSON.parse(String(body))
    assert.deepEqual([told.event, told.data, told.names], ['changes.available', {}, ['changes.available']])
    assert.equal(told.record, undefined)
  })

  it('does not ring for earlier changes, nor for endpoints that subscribe to everything else', async () => {
    await hang()
    const quietOne = await scene.receiver()
    await scene.endpoint(venue, quietOne, ['*'])
    scene.pass(minutes(1))
    // The earlier changes have no numbers yet: it may ring once for them.
    const before = await rings()
    scene.pass(minutes(1))
    await guests(1)
    assert.equal(await rings(), before + 1)
    assert.deepEqual(
      quietOne.received.map(({ headers }) => headers['x-service-event']),
      ['guest.created'],
    )
  })

  it('is sent within 15 s during a bulk change, ahead of everything pending for this endpoint and others', async () => {
    await hang(['changes.available', 'guest.created', 'task.created'])
    const other = await scene.receiver()
    await scene.endpoint(venue, other, ['guest.created', 'task.created'])
    const told = () => receiver.received.map(({ headers }) => String(headers['x-service-event']))
    const rung = () => told().filter((name) => name === 'changes.available').length
    await scene.quiet()
    const before = told().length
    await scene.happen(venue, 60, 'task.created')
    await scene.happen(venue, 60, 'guest.created')
    await scene.quiet()
    const first = told().length - before
    assert.ok(first >= 50 && first <= 55, `${first} events went out at once`)
    for (let n = 1; n <= 2; n++) {
      await guests(1)
      await rings()
      assert.equal(rung(), n, 'at once')
      scene.pass(15_000)
    }
    assert.ok(told().length - before <= 60, 'within the pace')
  })

  it('rings once for all changes while an endpoint was off', async () => {
    const { id } = await hang(['changes.*'])
    const off = (reason: string | null) =>
      scene.query(
        `update webhook_endpoint set status = $2, disabled_reason = $3, off_told = true where id = $1`,
        [id, reason ? 'disabled' : 'active', reason],
      )
    await off('too-many-failures')
    for (let n = 0; n < 3; n++) {
      await guests(1)
      scene.pass(minutes(1))
      assert.equal(await rings(), 0)
    }
    await off(null)
    assert.equal(await rings(), 1)
  })

  it('rings an endpoint only for what its keys may read', async () => {
    const house = await scene.service.venue()
    const [oldOne, newOne]: Receiver[] = [await scene.receiver(), await scene.receiver()]
    assert.ok(oldOne && newOne)
    await scene.endpoint(house, oldOne, ['changes.available'])
    const { key } = await house.makeKey('read_write', 'api', { scopes: everyScope })
    await scene.endpoint({ ...house, key }, newOne, ['changes.available'])
    const ringsOfBoth = async () => {
      scene.pass(minutes(1))
      await ringDoorbells(scene.service.context)
      await scene.quiet()
      return [oldOne.received.length, newOne.received.length]
    }
    const told = async (as: string) => {
      const { body } = await scene.service.call('GET', '/api/v1/events?names=changes.available', { key: as })
      return body.items.length
    }
    const guest = () =>
      scene.service.call('POST', '/api/v1/guests', {
        key: house.key,
        body: { email: `${crypto.randomUUID()}@example.com` },
      })
    await guest()
    assert.deepEqual(await ringsOfBoth(), [1, 1])
    await scene.service.db.transaction(async (queries) =>
      noteVisit(queries.within(house.id), house.id, 7, scene.service.context.clock()),
    )
    assert.deepEqual(await ringsOfBoth(), [1, 2])
    assert.deepEqual([await told(house.key), await told(key)], [1, 2])
    await guest()
    assert.deepEqual(await ringsOfBoth(), [2, 3])
  })
})
