import { expectEqual, expectFields, expectRefusal, expectStatus, expectThat } from '../expect.ts'
import { readSignature, signed } from '../receiver.ts'
import type { Section } from '../statement.ts'
import { type Json, isOf } from '../world.ts'

export const endpointSettings: Section = {
  name: 'Endpoint settings',
  about: 'What an endpoint receives, how it is signed, and what is sent again.',
  statements: [
    {
      number: '1.1',
      says: 'payload thin: data is the id alone.',
      needs: ['receiver'],
      check: async ({ make }) => {
        const endpoint = await make.endpoint(['guest.created'], { payload: 'thin' })
        const guest = await make.guest()
        const { bytes, body } = await endpoint.next()
        expectEqual(body.data, { id: guest.id }, 'data')
        expectThat(!bytes.toString().includes(guest.email), 'no address in the delivery', 'the address')
      },
    },
    {
      number: '1.2',
      says: 'include previous: the fields that changed, as they were before; nobody else gets it.',
      needs: ['receiver'],
      check: async ({ make, write }) => {
        const endpoint = await make.endpoint(['lead.stage_changed'], { include: ['previous'] })
        const plain = await make.endpoint(['lead.stage_changed'])
        const { id } = await make.lead()
        await write.patch(`/leads/${id}`, { stage: 'Proposal' }, { 'if-match': '*' })
        expectEqual((await endpoint.next()).body.previous?.stage, 'Inquiry', 'the stage before')
        expectThat(!('previous' in (await plain.next()).body), 'no previous unasked', 'previous')
      },
    },
    {
      number: '1.3',
      says: 'One change is one delivery, under the most telling name that was asked for.',
      needs: ['receiver'],
      check: async ({ make, write }) => {
        const both = await make.endpoint(['lead.updated', 'lead.stage_changed'])
        const general = await make.endpoint(['lead.updated'])
        const { id } = await make.lead()
        await write.patch(`/leads/${id}`, { stage: 'Proposal' }, { 'if-match': '*' })
        const told = await both.next()
        expectEqual(told.body.event, 'lead.stage_changed', 'the name')
        expectThat(told.body.names.includes('lead.updated'), 'lead.updated among its names', told.body.names)
        expectEqual((await general.next()).body.event, 'lead.updated', 'the name of the other')
      },
    },
    {
      number: '1.4',
      says: 'reservation.* and * are understood, and a pattern of nothing is 400.',
      needs: ['receiver'],
      check: async ({ make, write, mailbox }) => {
        const endpoint = await make.endpoint(['lead.*'])
        const { id } = await make.lead()
        const arrival = await endpoint.next()
        expectThat(isOf(arrival, id), `the lead ${id}`, arrival.body)
        expectRefusal(await write.post('/webhooks', { url: mailbox().url, events: ['nope.*'] }), 400)
      },
    },
    {
      number: '2.1',
      says: 'paused: nothing is sent; active again: what happened meanwhile comes.',
      needs: ['receiver'],
      check: async ({ make, write }) => {
        const endpoint = await make.endpoint(['lead.created'])
        const beside = await make.endpoint(['lead.created'])
        const paused = await write.patch(`/webhooks/${endpoint.id}`, { status: 'paused' })
        expectFields(paused.body, { status: 'paused', disabledReason: null }, 'the endpoint')
        const leads: number[] = []
        // Two in turn: no order is promised between two endpoints, so one that is sent to may come after its neighbor.
        for (let n = 0; n < 2; n++) {
          leads.push((await make.lead()).id)
          await beside.next()
        }
        expectEqual(endpoint.all.length, 0, 'how much came while paused')
        expectStatus(await write.patch(`/webhooks/${endpoint.id}`, { status: 'active' }), 200)
        for (let n = 0; n < 2; n++) {
          const arrival = await endpoint.next()
          expectThat(
            leads.some((id) => isOf(arrival, id)),
            `one of the leads ${leads.join(', ')}`,
            arrival.body,
          )
        }
      },
    },
    {
      number: '2.2',
      says: 'Settings follow the rules of POST: an address that is refused there is 400.',
      check: async ({ write, unique }) => {
        const url = `https://example.com/conformance/${unique()}`
        const { id } = (await write.post('/webhooks', { url, events: ['ticket_order.refunded'] })).body
        for (const body of [{ url: 'https://192.0.2.7/' }, { events: ['nope'] }, { payload: 'thick' }, {}]) {
          expectRefusal(await write.patch(`/webhooks/${id}`, body), 400)
        }
      },
    },
    {
      number: '3.1',
      says: 'rotate-secret with an overlap: deliveries are signed with both secrets, the newer first.',
      needs: ['receiver'],
      check: async ({ make, write }) => {
        const endpoint = await make.endpoint(['lead.created'])
        const path = `/webhooks/${endpoint.id}/rotate-secret`
        expectRefusal(await write.post(path, {}), 400)
        const rotated = await write.post(path, { overlapHours: 24 })
        expectStatus(rotated, 201)
        await make.lead()
        const { headers, bytes } = await endpoint.next()
        const { t, v1 } = readSignature(String(headers['x-service-signature']))
        const wanted = [rotated.body.secret, endpoint.secret].map((secret) => signed(secret, t, bytes))
        expectEqual(v1, wanted, 'both v1')
        expectRefusal(await write.post(path, { overlapHours: 1 }), 409, 'rotation-open')
      },
    },
    {
      number: '3.2',
      says: 'rotate-secret at once: only the new secret signs.',
      needs: ['receiver'],
      check: async ({ make, write }) => {
        const endpoint = await make.endpoint(['lead.created'])
        const rotated = await write.post(`/webhooks/${endpoint.id}/rotate-secret`, { overlapHours: 0 })
        await make.lead()
        const { headers, bytes } = await endpoint.next()
        const { t, v1 } = readSignature(String(headers['x-service-signature']))
        expectEqual(v1, [signed(rotated.body.secret, t, bytes)], 'v1')
      },
    },
    {
      number: '4.1',
      says: 'samples sends the example of an event, marked as one, with ids of 0.',
      needs: ['receiver'],
      check: async ({ make, write }) => {
        const endpoint = await make.endpoint(['lead.created'])
        const reply = await write.post(`/webhooks/${endpoint.id}/samples`, { event: 'reservation.seated' })
        expectStatus(reply, 200)
        const { headers, bytes, body } = await endpoint.next()
        expectFields(body, { sample: true, event: 'reservation.seated' }, 'the sample')
        expectEqual([body.data.id, headers['x-service-sample']], [0, 'true'], 'the id and X-Service-Sample')
        const { t, v1 } = readSignature(String(headers['x-service-signature']))
        expectEqual(v1, [signed(endpoint.secret, t, bytes)], 'v1')
      },
    },
    {
      number: '5.1',
      says: 'The log has every delivery with its status and tries, and never an answer of the receiver.',
      needs: ['receiver'],
      check: async ({ make, write, until }) => {
        const endpoint = await make.endpoint(['lead.created'])
        await make.lead()
        const { body } = await endpoint.next()
        const path = `/webhooks/${endpoint.id}/deliveries`
        const log = await until(
          () => write.get(path),
          (reply) => reply.body[0]?.status === 'delivered',
        )
        expectFields(log.body[0], { id: body.id, event: 'lead.created', tries: 1 }, 'the delivery')
        const one = await write.get(`${path}/${body.id}`)
        const attempts = one.body.attempts.map(({ statusCode, result }: Json) => [statusCode, result])
        expectEqual(attempts, [[204, 'ok 204']], 'its tries')
      },
    },
    {
      number: '5.2',
      says: 'replay says first how many it would send again, and sends those.',
      needs: ['receiver'],
      check: async ({ make, write, until, now }) => {
        const since = new Date((await now()).getTime() - 60_000).toISOString()
        const endpoint = await make.endpoint(['lead.created'])
        await make.lead()
        const first = await endpoint.next()
        const path = `/webhooks/${endpoint.id}`
        await until(
          () => write.get(`${path}/deliveries`),
          ({ body }) => body[0]?.status === 'delivered',
        )
        const failed = await write.post(`${path}/replay`, { since, only: 'failed', preview: true })
        expectFields(failed.body, { count: 0 }, 'what failed')
        const all = await write.post(`${path}/replay`, { since, only: 'all' })
        expectStatus(all, 202)
        expectEqual(all.body.count, 1, 'how many are sent again')
        const again = await endpoint.next()
        expectThat(again.bytes.equals(first.bytes), 'the same bytes', again.bytes.toString())
      },
    },
  ],
}
