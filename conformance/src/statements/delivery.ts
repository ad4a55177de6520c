import { expectEqual, expectFields, expectThat } from '../expect.ts'
import { readSignature, signed } from '../receiver.ts'
import type { Section } from '../statement.ts'
import { isOf } from '../world.ts'

const uuidOrOther = /^\S{8,}$/
const signatureForm = /^t=\d{1,12}(,v1=[\da-f]{64})+$/
const toleranceSeconds = 300

export const delivery: Section = {
  name: 'Delivery',
  about: 'What arrives at an endpoint.',
  statements: [
    {
      number: '1',
      says: 'The body has id, event, occurredAt, venue.slug and data.',
      needs: ['receiver'],
      check: async ({ make, venue, now }) => {
        const endpoint = await make.endpoint(['guest.created'])
        const guest = await make.guest()
        const { body } = await endpoint.next()
        expectFields(body, { event: 'guest.created', venue: { slug: venue.slug } }, 'the delivery')
        expectThat(uuidOrOther.test(body.id), 'an id', body.id)
        const awayMs = Math.abs(Date.parse(body.occurredAt) - (await now()).getTime())
        expectThat(body.occurredAt.endsWith('Z') && awayMs < 600_000, 'the moment of now', body.occurredAt)
        expectFields(body.data, { id: guest.id, email: guest.email }, 'data')
      },
    },
    {
      number: '2',
      says: 'Headers: X-Service-Event, X-Service-Signature of the form t=…,v1=…, User-Agent Service-Webhooks/1.',
      needs: ['receiver'],
      check: async ({ make }) => {
        const endpoint = await make.endpoint(['guest.created'])
        await make.guest()
        const { headers } = await endpoint.next()
        expectEqual(headers['x-service-event'], 'guest.created', 'X-Service-Event')
        expectEqual(headers['user-agent'], 'Service-Webhooks/1', 'User-Agent')
        const type = String(headers['content-type'])
        expectThat(type.startsWith('application/json'), 'JSON', type)
        const signature = String(headers['x-service-signature'])
        expectThat(signatureForm.test(signature), 'a signature of that form', signature)
      },
    },
    {
      number: '3',
      says: 'Each endpoint gets a delivery with an id of its own.',
      needs: ['receiver'],
      check: async ({ make }) => {
        const endpoints = [await make.endpoint(['guest.created']), await make.endpoint(['guest.created'])]
        const { id } = await make.guest()
        const arrivals = [await endpoints[0]?.next(), await endpoints[1]?.next()]
        for (const one of arrivals) expectThat(one && isOf(one, id), `the guest ${id}`, one?.body)
        expectThat(arrivals[0]?.body.id !== arrivals[1]?.body.id, 'two different ids', arrivals[0]?.body.id)
      },
    },
  ],
}

export const signature: Section = {
  name: 'Signature',
  about: 'How a receiver knows that a delivery is from the service.',
  statements: [
    {
      number: '1',
      says: 'v1 is the lowercase hexadecimal HMAC-SHA256, keyed with the secret, of t, a full stop and the raw body.',
      needs: ['receiver'],
      check: async ({ make }) => {
        const endpoint = await make.endpoint(['lead.created'])
        // Letters outside of ASCII: the bytes count, not the characters.
        await make.lead({ eventName: 'Crème brûlée 🎂' })
        const { headers, bytes } = await endpoint.next()
        const { t, v1 } = readSignature(String(headers['x-service-signature']))
        expectEqual(v1, [signed(endpoint.secret, t, bytes)], 'v1')
      },
    },
    {
      number: '2',
      says: 't is the moment of sending: within five minutes of the service’s clock.',
      needs: ['receiver'],
      check: async ({ make, now }) => {
        const endpoint = await make.endpoint(['guest.created'])
        await make.guest()
        const { headers } = await endpoint.next()
        const { t } = readSignature(String(headers['x-service-signature']))
        const awaySeconds = Math.abs((await now()).getTime() / 1000 - t)
        expectThat(awaySeconds < toleranceSeconds, 't in unix seconds, of now', t)
      },
    },
    {
      number: '3',
      says: 'The ping is signed like every delivery.',
      needs: ['receiver'],
      check: async ({ make, write }) => {
        const endpoint = await make.endpoint(['guest.created'])
        await write.post(`/webhooks/${endpoint.id}/test`)
        const { headers, bytes } = await endpoint.next('ping')
        const { t, v1 } = readSignature(String(headers['x-service-signature']))
        expectEqual(v1, [signed(endpoint.secret, t, bytes)], 'v1')
        expectEqual(headers['x-service-event'], 'ping', 'X-Service-Event')
      },
    },
    {
      number: '4',
      says: 'Each endpoint has a secret of its own.',
      needs: ['receiver'],
      check: async ({ make }) => {
        const [a, b] = [await make.endpoint(['guest.created']), await make.endpoint(['guest.created'])]
        expectThat(a.secret !== b.secret, 'two different secrets', 'the same')
      },
    },
  ],
}
