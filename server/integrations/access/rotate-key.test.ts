import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { rowsOf } from '../../test/rows.ts'
import { type Scene, startScene } from '../webhooks/test/scene.ts'
import type { TestVenue } from '../../test/service.ts'
import { followExpiry } from './follow-expiry.ts'
import { revokeOperatorsKey } from './actions.ts'

describe('a key that replaces itself', () => {
  let scene: Scene
  before(async () => {
    scene = await startScene()
    scene.worker()
  })
  after(() => scene.stop())

  const call = (method: string, path: string, key: string, body?: unknown, headers = {}) =>
    scene.service.call(method, `/api/v1/${path}`, { key, headers, ...(body !== undefined && { body }) })
  const rotate = (key: string, body: object = { overlapHours: 24 }) => call('POST', 'key/rotate', key, body)
  const statusOf = async (key: string) => (await call('GET', 'me', key)).status
  const rotating = (venue: TestVenue, more = {}) =>
    venue.makeKey('read_write', 'api', { mayRotate: true, ...more })

  it('both work during the overlap, then only the new one; endpoints continue, and everything else about the key is the same', async () => {
    const venue = await scene.service.venue()
    const receiver = await scene.receiver()
    const scopes = ['guests:read', 'guests:create', 'webhooks:manage'] as const
    const expiresAt = scene.service.context.clock().add({ hours: 24 * 100 })
    const contact = 'dev@example.com'
    const old = await rotating(venue, {
      scopes,
      addresses: ['127.0.0.1/32'],
      expiresAt,
      ratePerMinute: 300,
      contact,
    })
    await scene.endpoint({ ...venue, key: old.key }, receiver)
    const before = (await call('GET', 'me', old.key)).body.key

    const made = await rotate(old.key)
    assert.equal(made.status, 201, made.text)
    assert.deepEqual(Object.keys(made.body), ['key', 'id', 'previousExpiresAt'])
    const { key, id, previousExpiresAt } = made.body
    const end = scene.service.context.clock().add({ hours: 24 })
    assert.equal(previousExpiresAt, end.toString({ smallestUnit: 'millisecond' }))
    const after = (await call('GET', 'me', key)).body.key
    const lasting = ({ createdAt: _c, lastUsedAt: _l, ...rest }: Record<string, unknown>) => rest
    assert.deepEqual(lasting(after), lasting(before))
    assert.deepEqual([await statusOf(old.key), await statusOf(key)], [200, 200])

    await scene.happen(venue)
    await scene.quiet()
    scene.pass(24 * 3_600_000)
    await followExpiry(scene.service.context)
    assert.deepEqual([await statusOf(old.key), await statusOf(key)], [401, 200])
    await scene.happen(venue)
    await scene.quiet()
    assert.equal(receiver.received.length, 2, 'the endpoint goes on')
    const [row] = await rowsOf(
      scene.service,
      `select e.key_id::int, k.contact from webhook_endpoint e join api_key k on k.id = e.key_id where e.venue_id = $1`,
      [venue.id],
    )
    assert.deepEqual(row, { key_id: id, contact })
    assert.equal((await rotate(key, { overlapHours: 0 })).status, 201, 'the new one may, too')
    assert.equal(await statusOf(key), 401, 'without an overlap the old one ends at once')
  })

  it('an endpoint created with the old key during the overlap moves to the new key when it ends', async () => {
    const venue = await scene.service.venue()
    const old = await rotating(venue)
    await rotate(old.key, { overlapHours: 1 })
    const endpoint = await scene.endpoint({ ...venue, key: old.key }, await scene.receiver())
    scene.pass(3_600_000)
    await followExpiry(scene.service.context)
    assert.equal((await scene.shown(venue, endpoint.id))['status'], 'active')
  })

  it('only one rotation is open at a time; `replace` discards its new key, whoever asks', async () => {
    const venue = await scene.service.venue()
    const old = await rotating(venue)
    const first = (await rotate(old.key)).body
    for (const key of [old.key, first.key]) {
      const again = await rotate(key)
      assert.deepEqual([again.status, again.body.reason], [409, 'rotation-open'])
    }
    scene.pass(3_600_000)
    const second = (await rotate(old.key, { replace: true })).body
    assert.equal(second.previousExpiresAt, first.previousExpiresAt, 'the old one keeps its end')
    assert.deepEqual(
      [await statusOf(first.key), await statusOf(second.key), await statusOf(old.key)],
      [401, 200, 200],
    )
    const third = (await rotate(second.key, { replace: true })).body
    assert.deepEqual([await statusOf(second.key), await statusOf(third.key)], [401, 200])
  })

  it('two at the same moment create one key', async () => {
    const venue = await scene.service.venue()
    const old = await rotating(venue)
    const both = await Promise.all([rotate(old.key), rotate(old.key), rotate(old.key)])
    assert.deepEqual(
      both.map(({ status }) => status).toSorted((one, other) => one - other),
      [201, 409, 409],
    )
  })

  it('a key without the scope gets 403 before its body is read; a read key with it may', async () => {
    const venue = await scene.service.venue()
    for (const key of [venue.key, (await venue.makeKey('read')).key]) {
      for (const body of [{ overlapHours: 24 }, {}, '{']) {
        const answer = await call('POST', 'key/rotate', key, body)
        assert.deepEqual([answer.status, answer.body.reason], [403, 'rotation-off'])
      }
    }
    const reader = await venue.makeKey('read', 'automation', { mayRotate: true })
    assert.equal((await rotate(reader.key)).status, 201)
    const other = await rotating(venue)
    for (const body of [
      {},
      { overlapHours: -1 },
      { overlapHours: 73 },
      { overlapHours: 1.5 },
      { overlapHours: '1' },
    ])
      assert.equal((await rotate(other.key, body)).status, 400, JSON.stringify(body))
  })

  it('revoking one key of the family revokes all', async () => {
    const { context, db } = scene.service
    for (const place of [0, 1, 2]) {
      const venue = await scene.service.venue()
      const first = await rotating(venue)
      const second = (await rotate(first.key, { overlapHours: 0 })).body
      const third = (await rotate(second.key)).body
      const stranger = await rotating(venue)
      const revoked = [first, second, third][place] as { id: number }
      await db.transaction((queries) => revokeOperatorsKey({ db: queries, now: context.clock }, revoked.id))
      for (const { key } of [first, second, third]) assert.equal(await statusOf(key), 401)
      assert.equal(await statusOf(stranger.key), 200)
    }
  })

  it('an answer stored under an Idempotency-Key is replayed to the new key', async () => {
    const venue = await scene.service.venue()
    const old = await rotating(venue)
    const headers = { 'idempotency-key': 'task-1' }
    const first = await call('POST', 'tasks', old.key, { title: 'Call Maya' }, headers)
    const { key } = (await rotate(old.key, { overlapHours: 0 })).body
    const again = await call('POST', 'tasks', key, { title: 'Call Maya' }, headers)
    assert.deepEqual([again.status, again.text], [201, first.text])
    assert.equal(again.headers.get('idempotent-replayed'), 'true')
  })
})
