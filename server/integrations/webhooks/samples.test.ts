import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { eventNames } from '@venue-data/contract/webhooks/events.ts'
import { Webhook } from 'standardwebhooks'
import { toMoment } from '../../platform/kernel/time/moment.ts'
import type { Received, Receiver } from '../../test/receiver.ts'
import type { TestVenue } from '../../test/service.ts'
import { verify } from './sending/signature.ts'
import { type Scene, startScene } from './test/scene.ts'

describe('samples of events', () => {
  let scene: Scene
  let venue: TestVenue
  let receiver: Receiver
  let id: string
  let secret: string
  before(async () => {
    scene = await startScene()
    // The Standard Webhooks library uses the machine's clock.
    scene.service.setClock(toMoment(Temporal.Now.instant()))
    receiver = await scene.receiver()
    await begin({ signatures: ['service', 'standard'] })
  })
  after(() => scene.stop())

  const begin = async (more: object = {}): Promise<void> => {
    venue = await scene.service.venue()
    const body = { url: `${receiver.url}/in`, events: ['guest.created'], ...more }
    const made = await scene.service.call('POST', '/api/v1/webhooks', { key: venue.key, body })
    id = made.body.id
    secret = made.body.secret
  }
  const ask = (body: unknown, at = id, key = venue.key) =>
    scene.service.call('POST', `/api/v1/webhooks/${at}/samples`, { key, body })
  const last = () => receiver.received.at(-1) as Received
  const told = () => JSON.parse(String(last().body))

  it('a sample of every event verifies, says what it is and names no real record', async () => {
    for (const event of eventNames) {
      const count = receiver.received.length
      const answer = await ask({ event })
      assert.equal(answer.status, 200, answer.text)
      const { id: delivery, durationMs: _, ...rest } = answer.body
      assert.deepEqual(rest, { event, ok: true, statusCode: 204, error: null })
      assert.equal(receiver.received.length, count + 1)
      const { headers, body } = last()
      const now = Math.floor(scene.service.context.clock().epochMilliseconds / 1000)
      assert.equal(verify(secret, String(headers['x-service-signature']), body, now), 'ok', event)
      new Webhook(secret).verify(body, headers as Record<string, string>)
      assert.deepEqual([headers['x-service-event'], headers['x-service-sample']], [event, 'true'])
      const sample = told()
      assert.ok(String(body).startsWith('{"sample":true,'))
      assert.deepEqual([sample.sample, sample.id, sample.event], [true, delivery, event])
      assert.deepEqual(sample.venue, { slug: venue.slug })
      assert.equal(sample.record?.id ?? 0, 0)
      for (const [field, value] of Object.entries(sample.data)) {
        if (/^(id|mergedInto|erasure|eventId)$/.test(field) && typeof value === 'number')
          assert.equal(value, 0, `${event} ${field}`)
      }
    }
  })

  it('follows the endpoint’s settings: thin, or with previous values', async () => {
    await begin({ include: ['previous'] })
    await ask({ event: 'reservation.seated' })
    assert.deepEqual(
      Object.keys(told().previous).toSorted(),
      ['checkedInAt', 'floorStage', 'status'].toSorted(),
    )
    await ask({ event: 'person.erased' })
    assert.equal(told().previous, null)
    await scene.service.call('PATCH', `/api/v1/webhooks/${id}`, { key: venue.key, body: { payload: 'thin' } })
    await ask({ event: 'reservation.seated' })
    assert.deepEqual([told().data, 'previous' in told()], [{ id: 0 }, false])
  })

  it('is not an event: it counts toward nothing, and reaches an endpoint that is paused or failed too often', async () => {
    await begin()
    receiver.answer(500)
    const badly = await ask({ event: 'guest.created' })
    receiver.answer(204)
    assert.deepEqual(
      [badly.status, badly.body.ok, badly.body.statusCode, badly.body.error],
      [200, false, 500, 'HTTP 500'],
    )
    const shown = await scene.shown(venue, id)
    assert.deepEqual(
      [shown['failureCount'], shown['successRate24h'], shown['lastDeliveryAt']],
      [0, null, null],
    )
    const [{ events } = {}] = await scene.query(
      'select count(*)::int as events from event where venue_id = $1',
      [venue.id],
    )
    assert.equal(events, 0)
    const set = (status: string, reason: string | null) =>
      scene.query(
        'update webhook_endpoint set status = $2, disabled_reason = $3, paused_at = created_at where id = $1',
        [id, status, reason],
      )
    for (const [status, reason, answer] of [
      ['paused', null, 200],
      ['disabled', 'too-many-failures', 200],
      ['disabled', 'key-revoked', 409],
      ['disabled', 'access-withdrawn', 409],
    ] as const) {
      await set(status, reason)
      const asked = await ask({ event: 'guest.created' })
      assert.deepEqual(
        [asked.status, asked.body.reason],
        [answer, answer === 409 ? 'endpoint-off-for-good' : undefined],
        String(reason),
      )
    }
  })

  it('an unknown event or another venue’s endpoint gets none', async () => {
    await begin()
    const count = receiver.received.length
    for (const body of [
      {},
      { event: '' },
      { event: 'ping' },
      { event: 'guest.*' },
      { event: 'toString' },
      { event: 7 },
    ])
      assert.equal((await ask(body)).status, 400, JSON.stringify(body))
    const event = 'guest.created'
    assert.equal((await ask({ event }, 'abc')).status, 404)
    const other = await scene.service.venue()
    assert.equal((await ask({ event }, id, other.key)).status, 404)
    assert.equal(receiver.received.length, count)
  })
})
