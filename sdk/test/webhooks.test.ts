import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type RequestListener, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, it } from 'node:test'
import { sampleDelivery } from '@venue-data/contract/webhooks/delivery.ts'
import { eventNames } from '@venue-data/contract/webhooks/events.ts'
import { fastify } from 'fastify'
import { sign, standardSignature } from '../../server/integrations/webhooks/sending/signature.ts'
import {
  type Delivery,
  type ReceiverOptions,
  expressHandler,
  fastifyWebhook,
  fetchHandler,
  honoHandler,
  memorySeen,
  nextRoute,
  nodeHandler,
  verifyWebhook,
  webhookReceiver,
} from '../src/webhooks.ts'

const secret = `whsec_${'s3cr3t'.repeat(7)}Ab`
const before = `whsec_${'b3f0r3'.repeat(7)}Cd`
const now = 1_791_226_800

/** A delivery as the service sends it. */
const signed = (text: string, secrets: [string, ...string[]] = [secret]) => {
  const body = Buffer.from(text)
  const [newest, ...rest] = secrets
  return {
    body,
    headers: { 'content-type': 'application/json', 'x-service-signature': sign(newest, now, body, rest) },
  }
}
const created = sampleDelivery('reservation.created')
/** The same in another language, whose letters take more than a byte. */
const withId = (id: string): string => JSON.stringify({ ...JSON.parse(created), id, note: 'café 陳' })

const options = (more: Partial<ReceiverOptions> = {}): ReceiverOptions => ({
  secret,
  now: () => now,
  ...more,
})

describe('verifyWebhook', () => {
  it('reads a delivery of every event there is', async () => {
    for (const event of [...eventNames, 'ping'] as const) {
      const { body, headers } = signed(sampleDelivery(event))
      const delivery = await verifyWebhook({ ...options(), body, header: headers['x-service-signature'] })
      assert.equal(delivery.event, event)
      assert.deepEqual(delivery, JSON.parse(sampleDelivery(event)))
    }
  })

  it('knows the data by the name of the event', async () => {
    const delivery = await verifyWebhook({ ...options(), ...signed(created) })
    if (delivery.event !== 'reservation.created') throw new Error('another event')
    const name: string | null = delivery.data.guestName
    assert.equal(name, 'Maya Okafor')
  })

  it('takes both forms that the service sends, with both secrets while one changes over', async () => {
    const { body } = signed(created)
    const { id } = JSON.parse(created)
    const standard = {
      'webhook-id': id,
      'webhook-timestamp': String(now),
      'webhook-signature': standardSignature([secret, before], id, now, body),
    }
    for (const known of [secret, before, [before, secret]]) {
      const own = signed(created, [secret, before]).headers
      for (const headers of [own, standard, new Headers(own), new Headers(standard)]) {
        assert.equal((await verifyWebhook({ ...options(), secret: known, body, headers })).id, id)
      }
    }
  })

  it('takes a body as text, bytes or a buffer of them', async () => {
    const { body, headers } = signed(withId('1'))
    for (const form of [body, body.toString(), new Uint8Array(body).buffer]) {
      assert.equal((await verifyWebhook({ ...options(), body: form, headers })).id, '1')
    }
  })
})

describe('a receiver', () => {
  it('hands each event to who asked for it', async () => {
    const got: string[] = []
    const receive = webhookReceiver(
      options({
        on: { 'reservation.created': ({ data }) => got.push(`created ${data.id}`) },
        onEvent: ({ event }) => got.push(event),
      }),
    )
    for (const event of ['reservation.created', 'guest.updated'] as const) {
      const { body, headers } = signed(sampleDelivery(event))
      assert.deepEqual(await receive(body, headers), { status: 204, text: '' })
    }
    assert.deepEqual(got, ['created 48213', 'guest.updated'])
  })

  it('answers an event that nobody asked for, and one that came later', async () => {
    const receive = webhookReceiver(options({ on: {} }))
    for (const text of [created, created.replace('reservation.created', 'toString')]) {
      const { body, headers } = signed(text)
      assert.equal((await receive(body, headers)).status, 204)
    }
  })

  it('handles a delivery once, however often it comes', async () => {
    let times = 0
    const receive = webhookReceiver(options({ onEvent: () => times++ }))
    const { body, headers } = signed(created)
    for (let i = 0; i < 3; i++) assert.equal((await receive(body, headers)).status, 204)
    assert.equal(times, 1)
  })

  it('wants a delivery again that could not be handled', async () => {
    let times = 0
    const errors: unknown[] = []
    const onEvent = (): void => {
      if (++times === 1) throw new Error('the queue is full')
    }
    const receive = webhookReceiver(options({ onEvent, onError: (error) => errors.push(error) }))
    const { body, headers } = signed(created)
    assert.equal((await receive(body, headers)).status, 500)
    assert.equal((await receive(body, headers)).status, 204)
    assert.deepEqual([times, String(errors)], [2, 'Error: the queue is full'])
  })

  it('does not begin twice what is under way', async () => {
    const begun = Promise.withResolvers<void>()
    const handled = Promise.withResolvers<void>()
    const onEvent = (): Promise<void> => {
      begun.resolve()
      return handled.promise
    }
    const receive = webhookReceiver(options({ onEvent }))
    const { body, headers } = signed(created)
    const first = receive(body, headers)
    // Signatures are checked on other threads: on a busy machine the second one's could be done first.
    await begun.promise
    assert.equal((await receive(body, headers)).status, 503)
    handled.resolve()
    assert.equal((await first).status, 204)
    assert.equal((await receive(body, headers)).status, 204)
  })

  it('leaves samples alone unless it is asked to handle them', async () => {
    const got: Delivery[] = []
    const onEvent = (delivery: Delivery) => got.push(delivery)
    const { body, headers } = signed(created.replace('{', '{"sample":true,'))
    assert.equal((await webhookReceiver(options({ onEvent }))(body, headers)).status, 204)
    assert.equal(got.length, 0)
    assert.equal((await webhookReceiver(options({ onEvent, samples: true }))(body, headers)).status, 204)
    assert.equal(got[0]?.sample, true)
  })

  it('refuses what was not signed', async () => {
    const receive = webhookReceiver(options({ secret: before }))
    const { body, headers } = signed(created)
    assert.equal((await receive(body, headers)).status, 400)
    assert.equal((await receive(body, {})).status, 400)
  })

  it('remembers no more deliveries than it was set to', async () => {
    const seen = memorySeen(2)
    for (const id of ['a', 'b', 'c']) {
      assert.equal(await seen.begin(id), 'new')
      await seen.end(id, true)
    }
    assert.deepEqual([await seen.begin('c'), await seen.begin('a')], ['done', 'new'])
  })
})

describe('the handlers', () => {
  const served = async <T>(listener: RequestListener, use: (url: string) => Promise<T>): Promise<T> => {
    const server = createServer(listener).listen(0, '127.0.0.1')
    await once(server, 'listening')
    try {
      return await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
    } finally {
      server.close()
      server.closeAllConnections()
    }
  }
  const post = async (url: string, text: string): Promise<number> => {
    const { body, headers } = signed(text)
    return (await fetch(url, { method: 'POST', headers, body: new Uint8Array(body) })).status
  }
  const got: string[] = []
  const receiving = options({ onEvent: ({ id }) => got.push(id) })

  it('of node:http reads the body as it arrived', async () => {
    const handler = nodeHandler(receiving)
    await served(
      (request, response) => void handler(request, response),
      async (url) => {
        assert.equal(await post(url, withId('node')), 204)
        assert.equal((await fetch(url)).status, 405)
        assert.equal((await fetch(url, { method: 'POST', body: '{}' })).status, 400)
      },
    )
    assert.equal(got.at(-1), 'node')
  })

  it('of node:http refuses a body that is larger than any delivery', async () => {
    const handler = nodeHandler(receiving)
    await served(
      (request, response) => void handler(request, response),
      async (url) => assert.equal(await post(url, ' '.repeat(9 * 2 ** 20)), 413),
    )
  })

  it('of Express takes what express.raw() read, and says when a parser was before it', async () => {
    const errors: unknown[] = []
    const handler = expressHandler({ ...receiving, onError: (error) => errors.push(error) })
    const behind =
      (read: (body: Buffer) => unknown): RequestListener =>
      async (request, response) => {
        const body = read(Buffer.concat(await request.toArray()))
        await handler(Object.assign(request, { body }), response)
      }
    await served(
      behind((body) => body),
      async (url) => assert.equal(await post(url, withId('express')), 204),
    )
    assert.equal(got.at(-1), 'express')
    const parsed = behind((body) => JSON.parse(String(body)))
    await served(parsed, async (url) => assert.equal(await post(url, withId('parsed')), 500))
    assert.match(String(errors), /before express\.json\(\)/)
  })

  it('of Fastify leaves the parsers of other routes alone', async () => {
    const app = fastify()
    app.post('/other', async (request) => request.body)
    await app.register(fastifyWebhook({ ...receiving, path: '/bookings' }))
    try {
      const url = await app.listen({ host: '127.0.0.1', port: 0 })
      assert.equal(await post(`${url}/bookings`, withId('fastify')), 204)
      assert.equal(got.at(-1), 'fastify')
      const other = await app.inject({ method: 'POST', url: '/other', payload: { a: 1 } })
      assert.deepEqual(other.json(), { a: 1 })
    } finally {
      await app.close()
    }
  })

  it('of what speaks Request and Response, Hono and Next', async () => {
    const { POST } = nextRoute(receiving)
    const hono = honoHandler(receiving)
    const handlers = {
      fetch: fetchHandler(receiving),
      next: POST,
      hono: (raw: Request) => hono({ req: { raw } }),
    }
    for (const [name, handle] of Object.entries(handlers)) {
      const { body, headers } = signed(withId(name))
      const request = () =>
        new Request('http://venue.test/', { method: 'POST', headers, body: new Uint8Array(body) })
      assert.equal((await handle(request())).status, 204)
      assert.equal(got.at(-1), name)
      assert.equal((await handle(new Request('http://venue.test/'))).status, 405)
    }
  })
})
