import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { deliveryText, sampleMomentOf, sampleRecordOf } from '@venue-data/contract/webhooks/delivery.ts'
import { type EventName, eventNames, events, namesWith } from '@venue-data/contract/webhooks/events.ts'
import type { EventItem, EventType } from '@venue-data/sdk'
import { signedHeaders as headersOfService } from '../../server/integrations/webhooks/sending/message.ts'
import { deliveryOf, sampleOf } from '../src/deliver/delivery.ts'
import { isSecret, makeSecret, signedHeaders } from '../src/deliver/sign.ts'

const happened = (event: EventName) => ({
  eventId: 'f2a7c9d4-5b81-4e36-9c0f-7d2e4b6a8c13',
  record: sampleRecordOf(event),
  names: namesWith([event]),
})

describe('what listen and trigger deliver', () => {
  it('has the very bytes that the service would send, for every event', () => {
    for (const event of eventNames) {
      const data = events[event].example
      const item = { ...happened(event), event, occurredAt: sampleMomentOf(event), changed: [], data }
      const delivery = deliveryOf(item as unknown as EventItem, 'blue-door', [event])
      assert.ok(delivery, event)
      const text = deliveryText({
        ...{ id: delivery.id, event, occurredAt: item.occurredAt, venueSlug: 'blue-door' },
        ...{ data: JSON.stringify(data), happened: happened(event) },
      })
      assert.equal(String(delivery.body), text)
    }
  })

  it('is a sample of the same shape, with no id of a record', () => {
    for (const event of eventNames) {
      const { example, kind } = events[event]
      const type = { name: event, kind, sample: example } as unknown as EventType
      const { body } = sampleOf(type, namesWith([event]), 'blue-door', '5c1f7a90-93b5-4b8e-a7a3-6f0d2f1b7e44')
      const told = JSON.parse(String(body))
      assert.deepEqual([told.sample, told.event, told.record?.id ?? 0], [true, event, 0])
      assert.match(String(told.data.id ?? 0), /^[0-]+$/)
      assert.equal(told.occurredAt, sampleMomentOf(event))
      assert.deepEqual(Object.keys(told.data), Object.keys(example))
    }
  })

  it('goes to who asked for it, under the most telling name, and has the same id each time', () => {
    const event = 'reservation.seated'
    const item = { ...happened(event), event, occurredAt: sampleMomentOf(event), changed: [], data: {} }
    const told = (...asked: string[]) => deliveryOf(item as unknown as EventItem, 'blue-door', asked)
    assert.equal(told('*')?.event, 'reservation.seated')
    assert.equal(told('reservation.updated')?.event, 'reservation.updated')
    assert.equal(told('guest.*'), undefined)
    assert.equal(told('*')?.id, told('reservation.*')?.id)
    assert.match(told('*')?.id ?? '', /^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-a[\da-f]{3}-[\da-f]{12}$/)
  })

  it('is signed as the service signs', () => {
    const secret = makeSecret((size) => new Uint8Array(size).map((_, i) => i * 7))
    assert.ok(isSecret(secret))
    const body = Buffer.from('{"data":"café"}')
    const delivery = { id: '5c1f7a90-93b5-4b8e-a7a3-6f0d2f1b7e44', event: 'lead.created' } as const
    const now = Temporal.Instant.from('2026-10-06T19:00:00.500Z')
    const signing = { secrets: [secret], signatures: ['service', 'standard'] } as const
    assert.deepEqual(
      signedHeaders(delivery, body, secret, Math.floor(now.epochMilliseconds / 1000)),
      headersOfService(delivery, signing, body, now),
    )
  })
})
