import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { eventNames } from '@venue-data/contract/webhooks/events.ts'
import { Stripe } from 'stripe'
import { revokeKey } from '../access/keys.ts'
import { sql } from '../../platform/db/sql.ts'
import { eventually } from '../../test/eventually.ts'
import { type Receiver, startReceiver } from '../../test/receiver.ts'
import { type TestService, startService } from '../../test/service.ts'
import { verify } from './sending/signature.ts'
import { disableEndpointsOfKey } from './writes.ts'

const events = ['reservation.created', 'guest.created']

describe('webhook endpoints and hooks', () => {
  let service: TestService
  let practice: TestService
  let receiver: Receiver

  before(async () => {
    service = await startService()
    practice = await startService({ PRACTICE: 'on' })
    receiver = await startReceiver()
  })
  after(async () => {
    await service.stop()
    await practice.stop()
    await receiver.stop()
  })

  it('returns the secret only in the reply that creates an endpoint', async () => {
    const { key, id: venueId } = await service.venue()
    const made = await service.call('POST', '/api/v1/webhooks', {
      key,
      body: { url: 'https://Hooks.Example.com', events },
    })
    assert.equal(made.status, 201, made.text)
    assert.match(made.body.secret, /^whsec_[A-Za-z0-9]{44}$/)
    assert.match(made.body.id, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    assert.deepEqual(made.body, {
      id: made.body.id,
      url: 'https://Hooks.Example.com',
      events,
      status: 'active',
      createdAt: '2026-10-06T19:00:00.000Z',
      secret: made.body.secret,
    })
    const listed = await service.call('GET', '/api/v1/webhooks', { key })
    assert.deepEqual(listed.body, [
      {
        id: made.body.id,
        url: 'https://Hooks.Example.com',
        events,
        status: 'active',
        disabledReason: null,
        failureCount: 0,
        lastDeliveryAt: null,
        lastDeliveryStatus: null,
        createdAt: '2026-10-06T19:00:00.000Z',
        description: null,
        payload: 'full',
        include: [],
        signatures: ['service'],
        pausedAt: null,
        secretRotatesUntil: null,
        revision: 1,
        successRate24h: null,
        waitingCount: 0,
        oldestWaitingAt: null,
      },
    ])
    const stored = await service.db.one(sql({ secret_sealed: 'text' })`
      select secret_sealed from webhook_endpoint where venue_id = ${venueId} and id = ${made.body.id}`)
    assert.ok(!stored.secret_sealed.includes(made.body.secret))
  })

  it('allows one endpoint per address, in any spelling, and ten per venue', async () => {
    const { key } = await service.venue()
    const add = (url: string) => service.call('POST', '/api/v1/webhooks', { key, body: { url, events } })
    assert.equal((await add('https://a.example.com/x')).status, 201)
    for (const same of [
      'https://A.example.com/x',
      'https://a.example.com:443/x',
      'https://a.example.com./x',
    ]) {
      assert.equal((await add(same)).status, 409, same)
    }
    const more = await Promise.all(Array.from({ length: 20 }, (_, i) => add(`https://b${i}.example.com/`)))
    assert.equal(more.filter(({ status }) => status === 201).length, 9)
    const listed = await service.call('GET', '/api/v1/webhooks', { key })
    assert.equal(listed.body.length, 10)
  })

  it('refuses unacceptable addresses and events with 400, a body over 16 KB with 413', async () => {
    const { key } = await service.venue()
    const add = (body: unknown) => service.call('POST', '/api/v1/webhooks', { key, body })
    for (const url of [
      'http://a.example.com/',
      'https://10.0.0.1/',
      'https://[::1]/',
      'https://localhost/',
      'https://printer.local/',
      'https://u:p@a.example.com/',
      'https://a.example.com:8443/',
      'not an address',
      '',
      7,
    ]) {
      assert.equal((await add({ url, events })).status, 400, String(url))
    }
    for (const wrong of [
      undefined,
      [],
      ['ping'],
      ['reservation.created', 'nonsense'],
      'guest.created',
      [7],
      {},
    ]) {
      const answer = await add({ url: 'https://a.example.com/', events: wrong })
      assert.equal(answer.status, 400, JSON.stringify(wrong))
      assert.match(answer.body.error, /^(events|Each of events)/)
      // It says where all that it accepts is named.
      if (Array.isArray(wrong) && wrong.includes('nonsense'))
        assert.match(
          answer.body.error,
          / another event of GET \/events\/types, or a pattern such as reservation\.\*\.$/,
        )
    }
    assert.equal((await add({ url: 'https://a.example.com/', events, more: 'x'.repeat(16_384) })).status, 413)
  })

  it('needs an API key with read and write access, for the list too', async () => {
    const venue = await service.venue()
    const readOnly = await venue.makeKey('read')
    const automation = await venue.makeKey('read_write', 'automation')
    const missing = '/api/v1/webhooks/0b9e3c1e-6a35-4f0e-8a53-1c8f4b8f2d70'
    for (const { key } of [readOnly, automation]) {
      for (const [method, path] of [
        ['GET', '/api/v1/webhooks'],
        ['POST', '/api/v1/webhooks'],
        ['DELETE', missing],
        ['POST', `${missing}/test`],
      ] as const) {
        assert.equal((await service.call(method, path, { key })).status, 403, `${method} ${path}`)
      }
    }
    for (const id of ['0b9e3c1e-6a35-4f0e-8a53-1c8f4b8f2d70', 'x', '%00', '1']) {
      assert.equal((await service.call('DELETE', `/api/v1/webhooks/${id}`, { key: venue.key })).status, 404)
      assert.equal(
        (await service.call('POST', `/api/v1/webhooks/${id}/test`, { key: venue.key })).status,
        404,
      )
    }
  })

  it('sends one signed ping now, reports any answer with 200 and never counts it', async () => {
    const { key } = await practice.venue()
    const { body: made } = await practice.call('POST', '/api/v1/webhooks', {
      key,
      body: { url: `${receiver.url}/in`, events },
    })
    const test = () => practice.call('POST', `/api/v1/webhooks/${made.id}/test`, { key })
    const well = await test()
    assert.equal(well.status, 200, well.text)
    assert.deepEqual(
      { ...well.body, id: '', durationMs: 0 },
      { id: '', event: 'ping', ok: true, statusCode: 204, error: null, durationMs: 0 },
    )
    const got = receiver.received.at(-1)
    assert.ok(got)
    assert.equal(got.headers['user-agent'], 'Service-Webhooks/1')
    assert.equal(got.headers['x-service-event'], 'ping')
    const now = Temporal.Instant.from('2026-10-06T19:00:00Z').epochMilliseconds / 1000
    assert.equal(verify(made.secret, got.headers['x-service-signature'] as string, got.body, now), 'ok')
    const body = JSON.parse(got.body.toString())
    // An independent verifier accepts it unchanged.
    const verified = Stripe.webhooks.constructEvent(
      got.body,
      got.headers['x-service-signature'] as string,
      made.secret,
      300,
      undefined,
      now,
    )
    assert.deepEqual(verified, body)
    assert.equal(body.id, well.body.id)
    assert.deepEqual(Object.keys(body), ['id', 'event', 'occurredAt', 'venue', 'data'])
    assert.equal(body.data.webhookId, made.id)

    receiver.answer(500)
    const badly = await test()
    receiver.answer(204)
    assert.deepEqual(
      [badly.status, badly.body.ok, badly.body.statusCode, badly.body.error],
      [200, false, 500, 'HTTP 500'],
    )
    const [listed] = (await practice.call('GET', '/api/v1/webhooks', { key })).body
    assert.deepEqual([listed.failureCount, listed.status], [0, 'active'])
  })

  it('pings an endpoint that failed too often, but not one that is off for good', async () => {
    const { key, id } = await practice.venue()
    const { body: made } = await practice.call('POST', '/api/v1/webhooks', {
      key,
      body: { url: `${receiver.url}/off`, events },
    })
    const test = () => practice.call('POST', `/api/v1/webhooks/${made.id}/test`, { key })
    for (const [reason, status] of [
      ['too-many-failures', 200],
      ['gone', 200],
      ['key-revoked', 409],
      ['access-withdrawn', 409],
    ] as const) {
      await practice.db.run(sql()`
        update webhook_endpoint set status = 'disabled', disabled_reason = ${reason}
         where venue_id = ${id} and id = ${made.id}`)
      const before = receiver.received.length
      const answer = await test()
      assert.equal(answer.status, status, answer.text)
      assert.equal(receiver.received.length - before, status === 200 ? 1 : 0, reason)
      if (status === 409) {
        assert.equal(answer.body.reason, 'endpoint-off-for-good')
        assert.match(answer.body.error, /^The key that made this endpoint is gone, .*add it again\.$/)
      }
    }
  })

  it('removes an endpoint immediately and permanently', async () => {
    const { key } = await service.venue()
    const body = { url: 'https://a.example.com/', events }
    const { body: made } = await service.call('POST', '/api/v1/webhooks', { key, body })
    const path = `/api/v1/webhooks/${made.id}`
    assert.deepEqual((await service.call('DELETE', path, { key })).body, { id: made.id, deleted: true })
    assert.equal((await service.call('DELETE', path, { key })).status, 404)
    assert.equal((await service.call('POST', '/api/v1/webhooks', { key, body })).status, 201)
  })

  it('switches off the endpoints of a revoked key', async () => {
    const venue = await service.venue()
    const other = await venue.makeKey('read_write')
    await service.call('POST', '/api/v1/webhooks', {
      key: other.key,
      body: { url: 'https://a.example.com/', events },
    })
    await disableEndpointsOfKey(service.db, venue.id, other.id, service.context.clock())
    const [listed] = (await service.call('GET', '/api/v1/webhooks', { key: venue.key })).body
    assert.deepEqual([listed.status, listed.disabledReason], ['disabled', 'key-revoked'])
  })

  it('creates no endpoint with a key that was revoked while the request waited', async () => {
    const venue = await service.venue()
    const other = await venue.makeKey('read_write')
    const asked = await service.db.session(async (client) => {
      await client.query('begin')
      await client.query('select from venue where id = $1 for update', [venue.id])
      const asked = service.call('POST', '/api/v1/webhooks', {
        key: other.key,
        body: { url: 'https://late.example.com/', events },
      })
      await eventually(
        async () => (await client.query('select from pg_locks where not granted')).rowCount !== 0,
      )
      await revokeKey(service.db, other.id, 'test', service.context.clock())
      await client.query('commit')
      return asked
    })
    assert.equal(asked.status, 401)
    assert.deepEqual((await service.call('GET', '/api/v1/webhooks', { key: venue.key })).body, [])
  })

  it("takes hooks on the automation platform's host only, from either kind of key", async () => {
    const venue = await service.venue()
    const { key } = await venue.makeKey('read_write', 'automation')
    const add = (body: unknown) => service.call('POST', '/api/v1/hooks', { key, body })
    const targetUrl = 'https://hooks.zapier.com/hooks/standard/1/abc/'
    const made = await add({ event: 'guest.created', targetUrl })
    assert.equal(made.status, 201, made.text)
    assert.deepEqual(made.body, { id: made.body.id, event: 'guest.created', targetUrl })
    assert.equal((await add({ event: 'guest.created', targetUrl: 'https://a.example.com/' })).status, 400)
    assert.equal((await add({ event: 'ping', targetUrl })).status, 400)
    assert.deepEqual((await service.call('GET', '/api/v1/webhooks', { key: venue.key })).body, [])
    const path = `/api/v1/hooks/${made.body.id}`
    assert.equal(
      (await service.call('DELETE', path.replace('hooks', 'webhooks'), { key: venue.key })).status,
      404,
    )
    assert.deepEqual((await service.call('DELETE', path, { key })).body, { id: made.body.id, deleted: true })
    assert.equal((await service.call('DELETE', path, { key })).status, 404)
    const many = await Promise.all(
      Array.from({ length: 110 }, () => add({ event: 'guest.created', targetUrl })),
    )
    assert.equal(many.filter(({ status }) => status === 201).length, 100)
    assert.ok(many.every(({ status }) => status === 201 || status === 409))
  })

  it('refuses a hook for an unknown event with every event that a hook may have', async () => {
    const venue = await service.venue()
    const add = (event: string) =>
      service.call('POST', '/api/v1/hooks', {
        key: venue.key,
        body: { event, targetUrl: 'https://hooks.zapier.com/hooks/standard/1/abc/' },
      })
    const refused = await add('lead.moved')
    assert.equal(refused.status, 400)
    const named = /^event must be one of (.+)\.$/.exec(refused.body.error)?.[1]?.split(', ') ?? []
    assert.deepEqual(named, eventNames)
    for (const name of named) {
      const made = await add(name)
      assert.equal(made.status, 201, made.text)
      await service.call('DELETE', `/api/v1/hooks/${made.body.id}`, { key: venue.key })
    }
  })

  it('an event leaves one delivery for each endpoint that chose it, in the transaction of the change', async () => {
    const venue = await service.venue()
    for (const name of ['a', 'b']) {
      await service.call('POST', '/api/v1/webhooks', {
        key: venue.key,
        body: {
          url: `https://${name}.example.com/`,
          events: name === 'a' ? ['guest.created'] : ['lead.created'],
        },
      })
    }
    await service.call('POST', '/api/v1/guests', { key: venue.key, body: { email: 'maya@example.com' } })
    const { deliveries } = await service.db.one(
      sql({ deliveries: 'int8' })`select count(*) as deliveries from delivery where venue_id = ${venue.id}`,
    )
    assert.equal(deliveries, 1)
  })
})
