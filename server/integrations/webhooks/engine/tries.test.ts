import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { WAITS_MINUTES } from '../schedule.ts'
import { verify } from '../sending/signature.ts'
import { type Scene, hours, minutes, startScene } from '../test/scene.ts'

const jitterMs = 5_000

describe('tries of a delivery', () => {
  let scene: Scene
  before(async () => {
    scene = await startScene()
    scene.worker()
  })
  after(() => scene.stop())

  it('come after 1, 5, 15 and 60 minutes, then 3, 6, 12 and 24 hours: nine in all, each with the same bytes', async () => {
    const venue = await scene.service.venue()
    const receiver = await scene.receiver(500)
    const { secret } = await scene.endpoint(venue, receiver)
    await scene.happen(venue)
    await scene.quiet()
    const signedAt = [scene.service.context.clock().epochMilliseconds / 1000]
    for (const [n, wait] of WAITS_MINUTES.entries()) {
      scene.pass(minutes(wait) - 1)
      await scene.quiet()
      assert.equal(receiver.received.length, n + 1, `try ${n + 2} came before its wait was over`)
      scene.pass(jitterMs + 1)
      await scene.quiet()
      assert.equal(receiver.received.length, n + 2, `try ${n + 2} came`)
      signedAt.push(scene.service.context.clock().epochMilliseconds / 1000)
    }
    scene.pass(hours(48))
    await scene.quiet()
    assert.equal(receiver.received.length, 9)
    const [first] = receiver.received
    for (const [n, { body, headers }] of receiver.received.entries()) {
      assert.deepEqual(body, first?.body)
      const signature = String(headers['x-service-signature'])
      assert.equal(verify(secret, signature, body, signedAt[n] ?? 0), 'ok', 'a new signature at each attempt')
    }
    const [delivery] = await scene.deliveries(venue)
    assert.deepEqual([delivery?.tries, delivery?.outcome], [9, 'failed'])
    const log = await scene.query('select * from attempt where venue_id = $1 order by started_at', [venue.id])
    assert.equal(log.length, 9)
    assert.ok(log.every(({ status_code, result }) => status_code === 500 && result === 'HTTP 500'))
  })

  it('end with the first 2xx; a redirect, a 4xx and silence are failures', async () => {
    const venue = await scene.service.venue()
    const receiver = await scene.receiver(302)
    const { id } = await scene.endpoint(venue, receiver)
    await scene.happen(venue)
    await scene.quiet()
    const words = [(await scene.shown(venue, id)).lastDeliveryStatus]
    for (const [statusCode, wait] of [
      [404, 1],
      [0, 5],
      [200, 15],
    ] as const) {
      receiver.answer(statusCode)
      scene.pass(minutes(wait) + jitterMs)
      await scene.quiet()
      words.push((await scene.shown(venue, id)).lastDeliveryStatus)
    }
    assert.deepEqual(words, ['HTTP 302', 'HTTP 404', 'timeout', 'ok 200'])
    const [delivery] = await scene.deliveries(venue)
    assert.deepEqual([delivery?.tries, delivery?.outcome], [4, 'delivered'])
    assert.equal((await scene.shown(venue, id)).failureCount, 0, 'a success resets the count')
    scene.pass(hours(50))
    await scene.quiet()
    assert.equal(receiver.received.length, 4)
  })

  it('are not started 48 hours after the event: the delivery is dropped', async () => {
    const venue = await scene.service.venue()
    const receiver = await scene.receiver(500)
    await scene.endpoint(venue, receiver)
    await scene.happen(venue)
    await scene.quiet()
    await scene.stopWorkers()
    scene.pass(hours(48))
    scene.worker()
    await scene.quiet()
    await scene.sweep()
    await scene.quiet()
    assert.equal(receiver.received.length, 1)
    const [delivery] = await scene.deliveries(venue)
    assert.deepEqual([delivery?.tries, delivery?.outcome], [1, 'dropped'])
  })

  it("send the record's bytes as the outbox fixed them", async () => {
    const venue = await scene.service.venue()
    const receiver = await scene.receiver()
    await scene.endpoint(venue, receiver)
    await scene.stopWorkers()
    await scene.happen(venue)
    const odd = '{"name" : "é\\u00e9 \\/ ☕", "b": 1.0, "a": 1e2,\n "__proto__": null}'
    await scene.query('update event set data = $1 where venue_id = $2', [odd, venue.id])
    scene.worker()
    await scene.quiet()
    const [delivery] = await scene.deliveries(venue)
    const text = String(receiver.received[0]?.body)
    assert.match(text, /\},"eventId":"[\w-]+","names":\["guest\.created"\]\}$/)
    assert.equal(
      text.replace(/,"eventId":.*\}$/, '}'),
      `{"id":"${delivery?.id}","event":"guest.created","occurredAt":"${scene.service.context
        .clock()
        .toString({ smallestUnit: 'millisecond' })}","venue":{"slug":"${venue.slug}"},"data":${odd}}`,
    )
  })

  it('to a hook carry the record itself, X-Service-Event and no signature', async () => {
    const venue = await scene.service.venue()
    const receiver = await scene.receiver()
    await scene.hook(venue, receiver)
    await scene.happen(venue)
    await scene.quiet()
    const [received] = receiver.received
    const [event] = await scene.query('select data from event where venue_id = $1', [venue.id])
    assert.equal(String(received?.body), event?.data)
    assert.equal(received?.headers['x-service-event'], 'guest.created')
    assert.equal(received?.headers['user-agent'], 'Service-Webhooks/1')
    assert.equal(received?.headers['x-service-signature'], undefined)
  })

  it('are logged with their start, duration, status and the first kilobyte of the answer', async () => {
    const venue = await scene.service.venue()
    const receiver = await scene.receiver(200)
    const { id } = await scene.endpoint(venue, receiver)
    await scene.happen(venue)
    await scene.quiet()
    const [attempt] = await scene.query('select * from attempt where venue_id = $1', [venue.id])
    assert.equal(attempt?.endpoint_id, id)
    assert.deepEqual([attempt?.status_code, attempt?.result, attempt?.answer], [200, 'ok 200', null])
    assert.equal(
      String(attempt?.started_at),
      scene.service.context.clock().toString({ smallestUnit: 'millisecond' }),
    )
  })
})
