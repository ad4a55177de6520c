import { expectEqual, expectFields, expectRefusal, expectStatus, expectThat } from '../expect.ts'
import { limits } from '../generated/contract.ts'
import type { Section } from '../statement.ts'
import type { Json } from '../world.ts'

const uuid = /^[\da-f]{8}-([\da-f]{4}-){3}[\da-f]{12}$/i
const unknownId = '00000000-0000-4000-8000-000000000000'

/** A public address that nothing is ever sent to: the endpoints asked for there hear of no event while they exist. */
const publicUrl = (path: string): string => `https://conformance.example.com/${path}`
const rare = ['ticket_order.refunded']

export const webhookEndpoints: Section = {
  name: 'Webhook endpoints',
  about: 'Addresses that receive events as they happen.',
  statements: [
    {
      number: '1.1',
      says: 'POST makes an endpoint: 201 with its id, url, events, status active, createdAt and secret.',
      check: async ({ write, unique }) => {
        const url = publicUrl(unique())
        const reply = await write.post('/webhooks', { url, events: rare })
        expectStatus(reply, 201)
        expectFields(reply.body, { url, events: rare, status: 'active' }, 'the endpoint')
        expectThat(uuid.test(reply.body.id), 'an id in UUID form', reply.body.id)
        expectThat(/^whsec_\S{20,}$/.test(reply.body.secret), 'a secret beginning whsec_', 'another text')
      },
    },
    {
      number: '1.2',
      says: 'The secret is returned only in that reply; the list has everything else, newest first.',
      check: async ({ write, unique }) => {
        const made = []
        for (let i = 0; i < 2; i++) {
          made.push((await write.post('/webhooks', { url: publicUrl(unique()), events: rare })).body)
        }
        const list = await write.get('/webhooks')
        const ids = list.body.map(({ id }: Json) => id)
        const moments = list.body.map(({ createdAt }: Json) => createdAt)
        expectEqual(moments, moments.toSorted().toReversed(), 'createdAt down the list')
        for (const { id, secret, url } of made) {
          expectThat(ids.includes(id), 'the endpoint in the list', ids)
          const single = await write.get(`/webhooks/${id}`)
          expectFields(single.body, { id, url, failureCount: 0, lastDeliveryAt: null }, 'the endpoint')
          const isShown = list.text.includes(secret) || single.text.includes(secret)
          expectThat(!isShown, 'no secret in later answers', 'the secret')
        }
      },
    },
    {
      number: '2.1',
      says: 'Refused are plain http, other ports, IP addresses, local names and a user or password: 400.',
      check: async ({ write }) => {
        for (const url of [
          'http://conformance.example.com/',
          'https://conformance.example.com:8443/',
          'https://192.0.2.7/',
          'https://[2001:db8::7]/',
          'https://printer.local/',
          'https://db.internal/',
          'https://intranet/',
          'https://user:secret@conformance.example.com/',
          'ftp://conformance.example.com/',
          'nothing',
          '',
        ]) {
          expectRefusal(await write.post('/webhooks', { url, events: rare }), 400)
        }
      },
    },
    {
      number: '2.2',
      says: 'Unacceptable events are 400: none, unknown ones, ping.',
      check: async ({ write, unique }) => {
        const url = publicUrl(unique())
        for (const events of [undefined, [], ['reservation.eaten'], ['ping'], 'guest.created']) {
          expectRefusal(await write.post('/webhooks', { url, events }), 400)
        }
      },
    },
    {
      number: '3.1',
      says: 'A second endpoint for one address is 409.',
      check: async ({ write, unique }) => {
        const body = { url: publicUrl(unique()), events: rare }
        expectStatus(await write.post('/webhooks', body), 201)
        expectRefusal(await write.post('/webhooks', body), 409)
      },
    },
    {
      number: '3.2',
      says: `A venue has at most ${limits.webhookEndpointsOfVenue} endpoints; one more is 409.`,
      check: async ({ write, unique }) => {
        const there = (await write.get('/webhooks', { limit: 100 })).body.length
        for (let i = there; i < limits.webhookEndpointsOfVenue; i++) {
          expectStatus(await write.post('/webhooks', { url: publicUrl(unique()), events: rare }), 201)
        }
        expectRefusal(await write.post('/webhooks', { url: publicUrl(unique()), events: rare }), 409)
      },
    },
    {
      number: '4',
      says: 'DELETE removes it: 200 with id and deleted true; then it is 404.',
      check: async ({ write, unique }) => {
        const { id } = (await write.post('/webhooks', { url: publicUrl(unique()), events: rare })).body
        const gone = await write.delete(`/webhooks/${id}`)
        expectStatus(gone, 200)
        expectFields(gone.body, { id, deleted: true }, 'the reply')
        expectRefusal(await write.delete(`/webhooks/${id}`), 404)
        const list = await write.get('/webhooks')
        expectThat(!list.text.includes(id), 'a list without it', list.text)
      },
    },
    {
      number: '5.1',
      says: 'test sends one signed ping now and says how it went.',
      needs: ['receiver'],
      check: async ({ write, make }) => {
        const endpoint = await make.endpoint(['guest.created'])
        const reply = await write.post(`/webhooks/${endpoint.id}/test`)
        expectStatus(reply, 200)
        expectFields(reply.body, { event: 'ping', ok: true, statusCode: 204, error: null }, 'the reply')
        const { body } = await endpoint.next('ping')
        expectFields(body, { id: reply.body.id }, 'the delivery')
        expectEqual(body.data.webhookId, endpoint.id, 'webhookId')
        expectThat(typeof body.data.message === 'string', 'a message', body.data)
      },
    },
    {
      number: '5.2',
      says: 'An answer outside 2xx: still 200, with ok false and the error HTTP <status>; it never counts as a failure.',
      needs: ['receiver'],
      check: async ({ write, make }) => {
        const endpoint = await make.endpoint(['guest.created'])
        for (const status of [500, 404]) {
          endpoint.answer(status)
          const reply = await write.post(`/webhooks/${endpoint.id}/test`)
          expectStatus(reply, 200)
          expectFields(reply.body, { ok: false, statusCode: status, error: `HTTP ${status}` }, 'the reply')
        }
        const { body } = await write.get(`/webhooks/${endpoint.id}`)
        expectFields(body, { status: 'active', failureCount: 0 }, 'the endpoint')
      },
    },
    {
      number: '6',
      says: 'An endpoint that this venue has not is 404.',
      check: async ({ write }) => {
        expectRefusal(await write.delete(`/webhooks/${unknownId}`), 404)
        expectRefusal(await write.post(`/webhooks/${unknownId}/test`), 404)
        expectRefusal(await write.get(`/webhooks/${unknownId}`), 404)
      },
    },
    {
      number: '7',
      says: 'Read-only keys and automation platform keys get 403.',
      needs: ['read key', 'automation key'],
      check: async ({ read, automation, unique }) => {
        for (const caller of [read, automation]) {
          expectRefusal(await caller.get('/webhooks'), 403)
          expectRefusal(await caller.post('/webhooks', { url: publicUrl(unique()), events: rare }), 403)
          expectRefusal(await caller.delete(`/webhooks/${unknownId}`), 403)
          expectRefusal(await caller.post(`/webhooks/${unknownId}/test`), 403)
        }
      },
    },
  ],
}
