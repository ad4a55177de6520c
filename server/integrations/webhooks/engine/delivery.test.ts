import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Stripe } from 'stripe'
import { type Receiver, startReceiver } from '../../../test/receiver.ts'
import { eventually } from '../../../test/eventually.ts'
import { type TestService, startService } from '../../../test/service.ts'
import { verify } from '../sending/signature.ts'
import { type Engine, startEngine } from './engine.ts'

describe('a delivery', () => {
  let service: TestService
  let receiver: Receiver
  let engine: Engine

  before(async () => {
    service = await startService({ PRACTICE: 'on' })
    receiver = await startReceiver()
    engine = startEngine(service.context)
  })
  after(async () => {
    await engine.stop()
    await receiver.stop()
    await service.stop()
  })

  it('reaches the endpoint signed, with the record as data', async () => {
    const venue = await service.venue()
    const made = await service.call('POST', '/api/v1/webhooks', {
      key: venue.key,
      body: { url: `${receiver.url}/a`, events: ['guest.created'] },
    })
    assert.equal(made.status, 201, made.text)
    const guest = await service.call('POST', '/api/v1/guests', {
      key: venue.key,
      body: { name: 'Maya – "Okafor"', email: 'maya@example.com' },
    })
    const [delivery] = await eventually(() => receiver.received.length > 0 && receiver.received)
    const body = JSON.parse(String(delivery?.body))
    assert.deepEqual(Object.keys(body), [
      ...['id', 'event', 'occurredAt', 'venue', 'data'],
      ...['eventId', 'record', 'names'],
    ])
    const { id, revision } = guest.body.guest
    assert.deepEqual(body.record, { kind: 'guest', id, revision })
    assert.deepEqual(body.names, ['guest.created'])
    assert.match(body.eventId, /^[\da-f]{8}-[\da-f-]{27}$/)
    assert.notEqual(body.eventId, body.id)
    assert.deepEqual(body.data, guest.body.guest)
    assert.deepEqual(body.venue, { slug: venue.slug })
    assert.equal(delivery?.headers['user-agent'], 'Service-Webhooks/1')
    assert.equal(delivery?.headers['x-service-event'], 'guest.created')
    const now = service.context.clock().epochMilliseconds / 1000
    assert.equal(
      verify(
        made.body.secret,
        String(delivery?.headers['x-service-signature']),
        delivery?.body ?? Buffer.alloc(0),
        now,
      ),
      'ok',
    )
    // An independent verifier accepts it unchanged, including names outside ASCII.
    const [signature, toBytes] = [String(delivery?.headers['x-service-signature']), delivery?.body ?? '']
    assert.deepEqual(
      Stripe.webhooks.constructEvent(toBytes, signature, made.body.secret, 300, undefined, now),
      body,
    )
    assert.throws(() =>
      Stripe.webhooks.constructEvent(`${String(toBytes)} `, signature, made.body.secret, 300, undefined, now),
    )
    const list = await eventually(async () => {
      const { body } = await service.call('GET', '/api/v1/webhooks', { key: venue.key })
      return body[0].lastDeliveryStatus !== null && body
    })
    assert.equal(list[0].lastDeliveryStatus, 'ok 204')
    assert.equal(list[0].failureCount, 0)
  })
})
