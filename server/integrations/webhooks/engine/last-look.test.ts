import assert from 'node:assert/strict'
import { type TestContext, after, before, describe, it } from 'node:test'
import { createSecureContext } from 'node:tls'
import { revokeKey } from '../../access/keys.ts'
import type { Queries } from '../../../platform/db/pool.ts'
import { eventually } from '../../../test/eventually.ts'
import type { Receiver } from '../../../test/receiver.ts'
import type { TestVenue } from '../../../test/service.ts'
import { stopEndpointsOfKey } from '../actions.ts'
import { anyName } from '../test/any-name.ts'
import { makeAuthority } from '../test/certificate.ts'
import { startReceiver as startSecureReceiver } from '../test/receivers.ts'
import { type Scene, hours, startScene } from '../test/scene.ts'
import { verify } from '../sending/signature.ts'
import { startEngine } from './engine.ts'
import { gatherLooks } from './last-look.ts'
import type { Leased } from './lease.ts'
import { engineLimits } from './limits.ts'

/** How long these receivers' name server takes: longer than an attempt may start after its event was counted. */
const slowMs = 1_500

describe('a receiver with a slow name lookup', () => {
  let scene: Scene
  /** Lookups in progress. */
  let lookUps = 0
  /** While set, lookups end when this does. */
  let name: PromiseWithResolvers<void> | undefined
  let addresses = ['127.0.0.1']
  const isFound = (): void => {
    scene.time.pass(slowMs)
    name?.resolve()
    name = undefined
  }
  before(async () => {
    scene = await startScene({
      judge: anyName,
      resolve: async () => {
        lookUps++
        await name?.promise
        lookUps--
        return addresses
      },
    })
    scene.worker()
    scene.worker()
  })
  after(() => scene.stop())

  const endpointByName = async (venue: TestVenue, receiver: Receiver): Promise<string> =>
    (await scene.endpointByName(venue, receiver)).id
  const lookingUp = () => eventually(() => lookUps > 0)

  it('gets nothing after DELETE was answered in the meantime', async () => {
    const venue = await scene.service.venue()
    const receiver = await scene.receiver()
    const id = await endpointByName(venue, receiver)
    name = Promise.withResolvers()
    await scene.happen(venue, 3)
    await lookingUp()
    const gone = await scene.service.call('DELETE', `/api/v1/webhooks/${id}`, { key: venue.key })
    assert.equal(gone.status, 200)
    isFound()
    await scene.quiet()
    assert.equal(receiver.received.length, 0)
    const deliveries = await scene.deliveries(venue)
    assert.ok(deliveries.every(({ tries, lease_token }) => tries === 0 && lease_token === null))
  })

  it('gets nothing if the key that made the endpoint was revoked in the meantime', async () => {
    const venue = await scene.service.venue()
    const receiver = await scene.receiver()
    const id = await endpointByName(venue, receiver)
    name = Promise.withResolvers()
    await scene.happen(venue, 3)
    await lookingUp()
    const [{ key_id } = {}] = await scene.query('select key_id from webhook_endpoint where id = $1', [id])
    await scene.service.db.transaction(async (db) => {
      await revokeKey(db, Number(key_id), 'revoked', scene.service.context.clock())
      await stopEndpointsOfKey(db, venue.id, Number(key_id), scene.service.context.clock())
    })
    isFound()
    await scene.quiet()
    assert.equal(receiver.received.length, 0)
  })

  it('gets nothing after a pause was answered in the meantime', async () => {
    const venue = await scene.service.venue()
    const receiver = await scene.receiver()
    const id = await endpointByName(venue, receiver)
    name = Promise.withResolvers()
    await scene.happen(venue, 3)
    await lookingUp()
    const body = { status: 'paused' }
    const paused = await scene.service.call('PATCH', `/api/v1/webhooks/${id}`, { key: venue.key, body })
    assert.equal(paused.status, 200, paused.text)
    isFound()
    await scene.quiet()
    assert.equal(receiver.received.length, 0)
    assert.ok((await scene.deliveries(venue)).every(({ tries, done_at }) => tries === 0 && done_at === null))
  })

  it('gets the payload of the settings, and the signature of the secret, set in the meantime', async () => {
    const venue = await scene.service.venue()
    const receiver = await scene.receiver()
    const id = await endpointByName(venue, receiver)
    const path = `/api/v1/webhooks/${id}`
    name = Promise.withResolvers()
    await scene.happen(venue)
    await lookingUp()
    await scene.service.call('PATCH', path, { key: venue.key, body: { payload: 'thin' } })
    const body = { overlapHours: 0 }
    const rotated = await scene.service.call('POST', `${path}/rotate-secret`, { key: venue.key, body })
    isFound()
    await scene.quiet()
    const [one, ...others] = receiver.received
    assert.ok(one)
    assert.equal(others.length, 0)
    assert.deepEqual(Object.keys(JSON.parse(String(one.body)).data), ['id'])
    const now = Math.floor(scene.service.context.clock().epochMilliseconds / 1000)
    const signature = String(one.headers['x-service-signature'])
    assert.equal(verify(rotated.body.secret, signature, one.body, now), 'ok')
    assert.equal((await scene.deliveries(venue))[0]?.tries, 1)
  })

  it('gets no ping either: it is refused', async () => {
    const venue = await scene.service.venue()
    const receiver = await scene.receiver()
    const id = await endpointByName(venue, receiver)
    name = Promise.withResolvers()
    const ping = scene.service.call('POST', `/api/v1/webhooks/${id}/test`, { key: venue.key })
    await lookingUp()
    await scene.service.call('DELETE', `/api/v1/webhooks/${id}`, { key: venue.key })
    isFound()
    assert.equal((await ping).status, 404)
    assert.equal(receiver.received.length, 0)
  })

  it('gets nothing of a delivery that another worker took over, or whose 48 hours ended, in the meantime', async () => {
    const venue = await scene.service.venue()
    const receiver = await scene.receiver()
    await endpointByName(venue, receiver)
    const token = crypto.randomUUID()
    name = Promise.withResolvers()
    await scene.happen(venue)
    await lookingUp()
    await scene.query('update delivery set lease_token = $1 where venue_id = $2', [token, venue.id])
    isFound()
    await scene.quiet()
    const [taken] = await scene.deliveries(venue)
    assert.equal(taken?.lease_token, token, 'the other one has it still')

    name = Promise.withResolvers()
    await scene.happen(venue)
    await lookingUp()
    scene.pass(hours(48))
    isFound()
    await scene.quiet()
    assert.equal(receiver.received.length, 0)
  })

  it('still gets its delivery and its ping; the event counts from when it actually left', async () => {
    const venue = await scene.service.venue()
    const receiver = await scene.receiver()
    const id = await endpointByName(venue, receiver)
    name = Promise.withResolvers()
    await scene.happen(venue)
    await lookingUp()
    scene.pass(slowMs)
    isFound()
    await scene.quiet()
    const [{ left_at } = {}] = await scene.query('select left_at from event where venue_id = $1', [venue.id])
    assert.equal(left_at, scene.service.context.clock().toString({ smallestUnit: 'millisecond' }))
    name = Promise.withResolvers()
    const asked = scene.service.call('POST', `/api/v1/webhooks/${id}/test`, { key: venue.key })
    await lookingUp()
    isFound()
    const ping = await asked
    assert.equal(ping.body.ok, true, ping.text)
    assert.equal(receiver.received.length, 2)
    assert.equal(ping.body.durationMs, slowMs)
    assert.ok(slowMs > engineLimits.startWithinMs)
  })

  it('gets nothing, not even a ping, if the account was paused in the meantime; no try is used', async () => {
    const venue = await scene.service.venue()
    const receiver = await scene.receiver()
    const id = await endpointByName(venue, receiver)
    name = Promise.withResolvers()
    await scene.happen(venue, 3)
    await lookingUp()
    await scene.setPlan(venue, { paused: true })
    isFound()
    await scene.quiet()
    assert.equal(receiver.received.length, 0)
    for (const delivery of await scene.deliveries(venue)) {
      const { tries, takeovers, lease_token, done_at } = delivery
      assert.deepEqual([tries, takeovers, lease_token, done_at], [0, 0, null, null])
    }
    await scene.setPlan(venue, { paused: false })
    await scene.quiet()
    assert.equal(receiver.received.length, 3)

    name = Promise.withResolvers()
    const ping = scene.service.call('POST', `/api/v1/webhooks/${id}/test`, { key: venue.key })
    await lookingUp()
    await scene.setPlan(venue, { paused: true })
    isFound()
    assert.equal((await ping).status, 403)
    assert.equal(receiver.received.length, 3)
  })

  it('uses no try either if the name does not resolve', async () => {
    const venue = await scene.service.venue()
    const receiver = await scene.receiver()
    const id = await endpointByName(venue, receiver)
    addresses = []
    name = Promise.withResolvers()
    await scene.happen(venue, 3)
    await lookingUp()
    await scene.setPlan(venue, { paused: true })
    isFound()
    await scene.quiet()
    const tries = (await scene.deliveries(venue)).map((one) => [one.tries, one.lease_token, one.done_at])
    assert.deepEqual(
      tries,
      Array.from({ length: 3 }, () => [0, null, null]),
    )
    const [kept] = await scene.query(
      'select failure_count, last_delivery_status from webhook_endpoint where id = $1',
      [id],
    )
    assert.deepEqual(kept, { failure_count: 0, last_delivery_status: null })

    addresses = ['127.0.0.1']
    await scene.setPlan(venue, { paused: false })
    await scene.quiet()
    assert.equal(receiver.received.length, 3)
  })

  it('costs no extra round trip: tries that start together share the last look', async () => {
    const { context } = scene.service
    let trips = 0
    const counting = {
      ...context.workerDb,
      together: <T>(work: (queries: Queries) => Promise<T>) => {
        trips++
        return context.workerDb.together(work)
      },
    }
    const lastLook = gatherLooks({ ...context, db: counting })
    const unknown = () =>
      ({ venueId: 1, id: crypto.randomUUID(), token: crypto.randomUUID() }) as unknown as Leased
    const answers = await Promise.all(Array.from({ length: 100 }, () => lastLook(unknown())))
    assert.deepEqual([new Set(answers), trips], [new Set([false]), 1])
  })
})

describe('a receiver that is slow to connect', () => {
  const authority = makeAuthority()
  let scene: Scene
  before(async () => {
    scene = await startScene({
      judge: anyName,
      resolve: () => Promise.resolve(['127.0.0.1']),
      ca: authority.cert,
    })
    scene.worker()
  })
  after(() => scene.stop())

  /** `connecting` resolves to a function that lets the handshake continue. */
  const slowReceiver = async (t: TestContext, venue: TestVenue) => {
    const connecting = Promise.withResolvers<() => void>()
    const certificate = authority.sign(['slow.example.net'])
    const context = createSecureContext(certificate)
    const receiver = await startSecureReceiver(t, (response) => response.end(), {
      certificate: {
        ...certificate,
        SNICallback: (_name, done) => {
          connecting.resolve(() => done(null, context))
        },
      },
    })
    const { id } = await scene.hook(venue, { url: `https://slow.example.net:${receiver.port}` } as Receiver)
    return { id, receiver, connecting: connecting.promise }
  }

  it('gets nothing if the endpoint was deleted in the meantime', async (t) => {
    const venue = await scene.service.venue()
    const { id, receiver, connecting } = await slowReceiver(t, venue)
    await scene.happen(venue)
    const connect = await connecting
    await scene.query('delete from webhook_endpoint where id = $1', [id])
    scene.time.pass(slowMs)
    connect()
    await scene.quiet()
    assert.equal(receiver.received.length, 0)
    assert.deepEqual(
      (await scene.deliveries(venue)).map(({ tries, lease_token }) => [tries, lease_token]),
      [[0, null]],
    )
  })

  it('otherwise gets its delivery over that connection, and the event counts from when it actually left', async (t) => {
    const venue = await scene.service.venue()
    const { receiver, connecting } = await slowReceiver(t, venue)
    await scene.happen(venue)
    const connect = await connecting
    scene.time.pass(slowMs)
    scene.pass(slowMs)
    const connectedAt = scene.service.context.clock()
    connect()
    await scene.quiet()
    assert.deepEqual([receiver.received.length, receiver.connections()], [1, 1])
    const [event] = await scene.query('select left_at from event where venue_id = $1', [venue.id])
    assert.equal(
      Temporal.Instant.from(String(event?.['left_at'])).epochMilliseconds,
      connectedAt.epochMilliseconds,
    )
  })
})

describe('a database that answers slower than the last look stays valid', () => {
  it('delays deliveries but does not stop them', async () => {
    const scene = await startScene()
    const { context } = scene.service
    let nowMs = 0
    const late = async <T>(work: () => Promise<T>): Promise<T> => {
      // Concurrent questions are waited for together.
      const answeredMs = nowMs + engineLimits.lookHoldsMs * 1.5
      const result = await work()
      nowMs = Math.max(nowMs, answeredMs)
      return result
    }
    const lateQueries = (queries: Queries): Queries => ({
      ...queries,
      many: (statement) => late(() => queries.many(statement)),
      one: (statement) => late(() => queries.one(statement)),
      maybe: (statement) => late(() => queries.maybe(statement)),
      run: (statement) => late(() => queries.run(statement)),
    })
    const { workerDb } = context
    const engine = startEngine(
      {
        ...context,
        db: {
          ...workerDb,
          ...lateQueries(workerDb),
          together: (work) => workerDb.together((queries) => work(lateQueries(queries))),
        },
      },
      { nowMs: () => nowMs },
    )
    try {
      const venue = await scene.service.venue()
      const receiver = await scene.receiver()
      await scene.endpoint(venue, receiver)
      await scene.happen(venue, 3)
      await eventually(() => receiver.received.length === 3)
    } finally {
      await engine.stop()
      await scene.stop()
    }
  })
})
