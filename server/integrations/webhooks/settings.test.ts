import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Received, Receiver } from '../../test/receiver.ts'
import type { TestVenue } from '../../test/service.ts'
import { holdEndpointsOfExpiredKey, resumeEndpointsOfKey } from './actions.ts'
import { type Scene, hours, minutes, startScene } from './test/scene.ts'

describe('the settings of an endpoint', () => {
  let scene: Scene
  let venue: TestVenue
  let receiver: Receiver
  before(async () => {
    scene = await startScene()
    scene.worker()
  })
  after(() => scene.stop())

  const call = (method: string, path: string, body?: unknown, headers = {}, key = venue.key) =>
    scene.service.call(method, `/api/v1/webhooks${path}`, {
      key,
      headers,
      ...(body !== undefined && { body }),
    })
  const change = (id: string, body: object, headers = {}) => call('PATCH', `/${id}`, body, headers)
  const read = async (id: string) => (await call('GET', `/${id}`)).body
  /** An endpoint in its own venue. */
  const begin = async (more: object = {}, events: readonly string[] = ['guest.created']): Promise<string> => {
    venue = await scene.service.venue()
    receiver = await scene.receiver()
    const { status, body, text } = await call('POST', '', { url: `${receiver.url}/in`, events, ...more })
    assert.equal(status, 201, text)
    return body.id
  }
  const told = (one: Received) => JSON.parse(String(one.body))
  const guestsTold = () => receiver.received.map((one) => told(one).data.id)

  describe('one endpoint', () => {
    it('reads as in the list, with the settings it was created with', async () => {
      const settings = {
        description: 'Bookings to the till',
        payload: 'thin',
        include: ['previous'],
        signatures: ['standard', 'service'],
      }
      const id = await begin(settings)
      const { status, body, headers } = await call('GET', `/${id}`)
      assert.equal(status, 200)
      assert.deepEqual([body], (await call('GET', '')).body)
      const { createdAt: _, ...rest } = body
      assert.deepEqual(rest, {
        id,
        url: `${receiver.url}/in`,
        events: ['guest.created'],
        status: 'active',
        disabledReason: null,
        failureCount: 0,
        lastDeliveryAt: null,
        lastDeliveryStatus: null,
        ...settings,
        signatures: ['service', 'standard'],
        pausedAt: null,
        secretRotatesUntil: null,
        revision: 1,
        successRate24h: null,
        waitingCount: 0,
        oldestWaitingAt: null,
      })
      const etag = headers.get('etag') ?? ''
      assert.match(etag, /^"1\.[\w-]{4}"$/)
      const again = await call('GET', `/${id}`, undefined, { 'if-none-match': etag })
      assert.deepEqual([again.status, again.text], [304, ''])
      const other = await scene.service.venue()
      const missing = await call('GET', '/0b9e3c1e-6a35-4f0e-8a53-1c8f4b8f2d70')
      for (const answer of [
        await call('GET', `/${id}`, undefined, {}, other.key),
        await call('GET', '/abc'),
        await call('GET', '/1'),
      ]) {
        assert.deepEqual([answer.status, answer.text], [404, missing.text])
      }
    })

    it('reports delivery health, and a try does not change its tag', async () => {
      const id = await begin()
      const tag = (await call('GET', `/${id}`)).headers.get('etag')
      await scene.happen(venue, 3)
      await scene.quiet()
      receiver.answer(500)
      const failedAt = scene.service.context.clock().toString({ smallestUnit: 'millisecond' })
      await scene.happen(venue, 1)
      await scene.quiet()
      const { headers, body } = await call('GET', `/${id}`)
      assert.deepEqual(
        [body.successRate24h, body.waitingCount, body.oldestWaitingAt, headers.get('etag')],
        [0.75, 1, failedAt, tag],
      )
      scene.pass(hours(24))
      assert.equal((await read(id)).successRate24h, null)
      scene.pass(hours(24))
      const { waitingCount, oldestWaitingAt } = await read(id)
      assert.deepEqual([waitingCount, oldestWaitingAt], [0, null])
    })

    it('changes its tag when it is switched off', async () => {
      const id = await begin()
      receiver.answer(410)
      await scene.happen(venue)
      await scene.quiet()
      const { status, disabledReason, revision } = await read(id)
      assert.deepEqual([status, disabledReason, revision], ['disabled', 'gone', 2])
    })
  })

  describe('changes', () => {
    it('changes only the given settings, and raises the revision when something differs', async () => {
      const id = await begin()
      const before = await read(id)
      const answer = await change(id, { description: 'Till', events: ['guest.*'], payload: 'THIN' })
      assert.equal(answer.status, 200, answer.text)
      const after = { ...before, description: 'Till', events: ['guest.*'], payload: 'thin', revision: 2 }
      assert.deepEqual(answer.body, after)
      assert.deepEqual(await read(id), after)
      assert.match(answer.headers.get('etag') ?? '', /^"2\./)
      assert.equal((await change(id, { description: 'Till' })).body.revision, 2)
      assert.equal((await change(id, { description: null })).body.description, null)
    })

    it('does not require If-Match but honors it: 412 with the current endpoint', async () => {
      const id = await begin()
      const old = (await call('GET', `/${id}`)).headers.get('etag') ?? ''
      assert.equal((await change(id, { description: 'One' }, { 'if-match': old })).status, 200)
      const late = await change(id, { description: 'Two' }, { 'if-match': old })
      assert.deepEqual([late.status, late.body.reason], [412, 'changed-meanwhile'])
      assert.equal(late.body.error, 'This webhook endpoint was changed meanwhile.')
      assert.deepEqual(late.body.current, await read(id))
      assert.equal(
        (await change(id, { description: 'Two' }, { 'if-match': `W/${late.headers.get('etag')}` })).status,
        200,
      )
      assert.equal((await change(id, { description: 'Three' }, { 'if-match': '*' })).status, 200)
      assert.equal((await change(id, { description: 'Four' }, { 'if-match': '"x"' })).status, 400)
    })

    it('of two with one tag exactly one succeeds; a retry with its key gets the first answer', async () => {
      const id = await begin()
      const tag = { 'if-match': '"1.abcd"' }
      const both = await Promise.all([
        change(id, { description: 'A' }, tag),
        change(id, { description: 'B' }, tag),
      ])
      assert.deepEqual(
        both.map(({ status }) => status).toSorted((one, other) => one - other),
        [200, 412],
      )
      const keyed = { 'if-match': '"2.abcd"', 'idempotency-key': 'once' }
      const first = await change(id, { description: 'C' }, keyed)
      const again = await change(id, { description: 'C' }, keyed)
      assert.deepEqual([again.status, again.text], [200, first.text])
      assert.equal(again.headers.get('etag'), first.headers.get('etag'))
    })

    it('refuses invalid settings, and changes nothing', async () => {
      const id = await begin()
      const before = await read(id)
      for (const body of [
        {},
        { url: 'https://10.0.0.1/' },
        { url: 'https://printer.local/' },
        { url: 'http://192.168.1.7/in' },
        { url: null },
        { events: [] },
        { events: ['nope.*'] },
        { events: null },
        { payload: 'none' },
        { include: ['secrets'] },
        { include: ['previous', 'previous'] },
        { signatures: [] },
        { signatures: ['standard'] },
        { status: 'disabled' },
        { description: 'x'.repeat(201) },
        { description: 7 },
      ]) {
        assert.equal((await change(id, body)).status, 400, JSON.stringify(body))
      }
      assert.equal((await change(id, { description: 'x', padding: 'x'.repeat(16_384) })).status, 413)
      assert.equal((await change('0b9e3c1e-6a35-4f0e-8a53-1c8f4b8f2d70', { description: 'x' })).status, 404)
      assert.deepEqual(await read(id), before)
    })

    it('a new address gets what is pending, with no failures counted; no address has two endpoints', async () => {
      const id = await begin()
      receiver.answer(500)
      await scene.happen(venue, 2)
      await scene.quiet()
      assert.equal((await read(id)).failureCount, 2)
      const better = await scene.receiver()
      const moved = await change(id, { url: `${better.url}/new` })
      assert.deepEqual([moved.body.url, moved.body.failureCount], [`${better.url}/new`, 0])
      scene.pass(minutes(2))
      await scene.quiet()
      assert.deepEqual([receiver.received.length, better.received.length], [2, 2])

      const { body: second } = await call('POST', '', { url: `${better.url}/second`, events: ['guest.*'] })
      const clash = await change(second.id, { url: `${better.url}/new#again` })
      assert.equal(clash.status, 409, clash.text)
      assert.equal((await change(second.id, { url: `${better.url}/second` })).body.revision, 1)
    })

    it('an event subscribed to later is sent from then on, and so is the doorbell', async () => {
      const id = await begin()
      await change(id, { events: ['lead.created', 'changes.available'] })
      await scene.happen(venue)
      await scene.happen(venue, 1, 'lead.created')
      await scene.quiet()
      assert.deepEqual(
        receiver.received.map((one) => told(one).event),
        ['lead.created'],
      )
      const [{ doorbells } = {}] = await scene.query(
        'select count(*)::int as doorbells from doorbell where venue_id = $1',
        [venue.id],
      )
      assert.equal(doorbells, 1)
    })
  })

  describe('a pause', () => {
    it('sends nothing, and afterwards everything that happened, in order', async () => {
      const id = await begin({}, ['guest.created', 'lead.updated'])
      const paused = await change(id, { status: 'paused' })
      const since = scene.service.context.clock().toString({ smallestUnit: 'millisecond' })
      assert.deepEqual(
        [paused.status, paused.body.status, paused.body.disabledReason, paused.body.pausedAt],
        [200, 'paused', null, since],
      )
      for (let i = 0; i < 10; i++) {
        scene.pass(minutes(1))
        await scene.happen(venue, 1, i % 2 === 0 ? 'guest.created' : 'lead.updated')
      }
      await scene.quiet()
      await scene.sweep()
      await scene.quiet()
      assert.equal(receiver.received.length, 0)
      const { waitingCount, oldestWaitingAt } = await read(id)
      assert.equal(waitingCount, 10)
      assert.equal(Temporal.Instant.from(oldestWaitingAt).since(since).total('minutes'), 1)

      scene.pass(hours(47))
      const { body } = await change(id, { status: 'active' })
      assert.deepEqual([body.status, body.pausedAt], ['active', null])
      await scene.quiet()
      const ids = guestsTold()
      assert.equal(ids.length, 10)
      assert.deepEqual(
        ids,
        ids.toSorted((one, other) => one - other),
      )
      assert.equal((await read(id)).waitingCount, 0)
    })

    it('drops events older than 48 hours', async () => {
      const id = await begin()
      await change(id, { status: 'paused' })
      await scene.happen(venue, 2)
      scene.pass(hours(1))
      await scene.happen(venue)
      scene.pass(hours(47))
      await scene.sweep()
      await change(id, { status: 'active' })
      await scene.quiet()
      assert.equal(receiver.received.length, 1)
    })

    it('is not a failure, and `active` also re-enables an endpoint that failed or answered 410', async () => {
      const id = await begin()
      receiver.answer(410)
      await scene.happen(venue)
      await scene.quiet()
      assert.equal((await read(id)).disabledReason, 'gone')
      assert.equal((await change(id, { status: 'paused' })).body.disabledReason, null)
      await scene.happen(venue)
      receiver.answer(204)
      await change(id, { status: 'active' })
      await scene.quiet()
      const { status, failureCount } = await read(id)
      assert.deepEqual([status, failureCount, receiver.received.length], ['active', 0, 2])
    })

    it('survives its key’s expiry, which the owner then extends', async () => {
      const id = await begin()
      await change(id, { status: 'paused' })
      await scene.happen(venue)
      const [{ key_id } = {}] = await scene.query('select key_id::int from webhook_endpoint where id = $1', [
        id,
      ])
      const { db } = scene.service
      await holdEndpointsOfExpiredKey(db, venue.id, Number(key_id), scene.service.context.clock())
      const over = await read(id)
      assert.deepEqual([over.status, over.disabledReason, over.pausedAt], ['disabled', 'key-expired', null])
      await resumeEndpointsOfKey(db, venue.id, Number(key_id), scene.service.context.clock())
      await scene.quiet()
      assert.equal((await read(id)).status, 'paused')
      assert.equal(receiver.received.length, 0)
      await change(id, { status: 'active' })
      await scene.quiet()
      assert.equal(receiver.received.length, 1)
    })

    it('cannot start or end after a revoke or a withdrawal, or while the key is expired', async () => {
      for (const reason of ['key-revoked', 'access-withdrawn', 'key-expired']) {
        const id = await begin()
        await scene.query(
          `update webhook_endpoint set status = 'disabled', disabled_reason = $2 where id = $1`,
          [id, reason],
        )
        await scene.happen(venue)
        for (const status of ['active', 'paused']) {
          const answer = await change(id, { status })
          assert.deepEqual([answer.status, answer.body.reason], [409, 'endpoint-off-for-good'], reason)
        }
        assert.equal((await change(id, { description: 'Off' })).status, 200)
        assert.equal((await read(id)).status, 'disabled')
        assert.equal((await read(id)).waitingCount, reason === 'key-expired' ? 1 : 0)
      }
    })
  })
})
