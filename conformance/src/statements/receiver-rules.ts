import { expectEqual, expectFields, expectThat } from '../expect.ts'
import { limits } from '../generated/contract.ts'
import { readSignature, signed } from '../receiver.ts'
import type { Section } from '../statement.ts'
import type { Endpoint, Json, World } from '../world.ts'

/** The endpoint as the API shows it, once it says so. */
const settled = async ({ write, until }: World, { id }: Endpoint, so: (endpoint: Json) => boolean) =>
  (
    await until(
      () => write.get(`/webhooks/${id}`),
      ({ body }) => so(body),
    )
  ).body

export const receiverRules: Section = {
  name: 'Receiver rules',
  about: 'What the service makes of the answers of an endpoint.',
  statements: [
    {
      number: '1.1',
      says: 'A 2xx answer is success: lastDeliveryStatus is ok <status>.',
      needs: ['receiver'],
      check: async (world) => {
        const endpoint = await world.make.endpoint(['guest.created'])
        endpoint.answer(202)
        await world.make.guest()
        await endpoint.next()
        const shown = await settled(world, endpoint, ({ lastDeliveryStatus }) => lastDeliveryStatus !== null)
        expectFields(
          shown,
          { lastDeliveryStatus: 'ok 202', failureCount: 0, status: 'active' },
          'the endpoint',
        )
        expectThat(typeof shown.lastDeliveryAt === 'string', 'lastDeliveryAt', shown.lastDeliveryAt)
      },
    },
    {
      number: '1.2',
      says: 'Redirects are not followed; a 3xx is a failure.',
      needs: ['receiver'],
      check: async (world) => {
        const elsewhere = world.mailbox()
        const endpoint = await world.make.endpoint(['guest.created'])
        endpoint.answer(307, { location: elsewhere.url })
        await world.make.guest()
        await endpoint.next()
        const shown = await settled(world, endpoint, ({ lastDeliveryStatus }) => lastDeliveryStatus !== null)
        expectFields(shown, { lastDeliveryStatus: 'HTTP 307', failureCount: 1 }, 'the endpoint')
        expectEqual(elsewhere.all.length, 0, 'how many requests followed the redirect')
      },
    },
    {
      number: '2.1',
      says: 'A failed delivery is retried after a minute, with the same id and bytes and a new signature.',
      needs: ['receiver', 'clock'],
      check: async (world) => {
        const endpoint = await world.make.endpoint(['guest.created'])
        endpoint.answer(500)
        await world.make.guest()
        const first = await endpoint.next()
        await settled(world, endpoint, ({ failureCount }) => failureCount === 1)
        endpoint.answer(200)
        await world.advance('2m')
        const again = await endpoint.next()
        expectEqual(again.body.id, first.body.id, 'the id of the retry')
        expectThat(again.bytes.equals(first.bytes), 'the same bytes', again.bytes.toString())
        const [old, { t, v1 }] = [first, again].map(({ headers }) =>
          readSignature(String(headers['x-service-signature'])),
        ) as [ReturnType<typeof readSignature>, ReturnType<typeof readSignature>]
        expectThat(t > old.t, 'a later t', [old.t, t])
        expectEqual(v1, [signed(endpoint.secret, t, again.bytes)], 'v1 of the retry')
      },
    },
    {
      number: '2.2',
      says: 'It is retried after 1, 5, 15 and 60 minutes, and so on.',
      needs: ['receiver', 'clock'],
      check: async (world) => {
        const endpoint = await world.make.endpoint(['guest.created'])
        endpoint.answer(503)
        await world.make.guest()
        const { body } = await endpoint.next()
        await settled(world, endpoint, ({ failureCount }) => failureCount === 1)
        await world.advance('90m')
        const log = await world.write.get(`/webhooks/${endpoint.id}/deliveries/${body.id}`)
        const moments: number[] = log.body.attempts.map(({ startedAt }: Json) => Date.parse(startedAt))
        const waits = moments.slice(1).map((at, before) => Math.round((at - (moments[before] ?? 0)) / 60_000))
        expectEqual(waits, limits.deliveryWaitsMinutes.slice(0, 4), 'the minutes between the tries')
        expectEqual(endpoint.all.length, 5, 'how often it came')
      },
    },
    {
      number: '2.3',
      says: 'What was answered with 2xx is not sent again.',
      needs: ['receiver', 'clock'],
      check: async (world) => {
        const endpoint = await world.make.endpoint(['guest.created'])
        await world.make.guest()
        await endpoint.next()
        await settled(world, endpoint, ({ lastDeliveryStatus }) => lastDeliveryStatus === 'ok 204')
        await world.advance('10m')
        expectEqual(endpoint.all.length, 1, 'how often it came')
      },
    },
    {
      number: '2.4',
      says: 'Nine tries in all, over about two days.',
      needs: ['receiver', 'clock'],
      check: async (world) => {
        const endpoint = await world.make.endpoint(['guest.created'])
        endpoint.answer(503)
        await world.make.guest()
        await endpoint.next()
        await world.advance('2d')
        const ids = new Set(endpoint.all.map(({ body }) => body.id))
        expectEqual(
          [endpoint.all.length, ids.size],
          [limits.deliveryWaitsMinutes.length + 1, 1],
          'tries and ids',
        )
      },
    },
    {
      number: '3',
      says: 'A delivery that comes twice has the same id in its body.',
      needs: ['receiver'],
      check: async ({ make, write, until }) => {
        const endpoint = await make.endpoint(['guest.created'])
        await make.guest()
        const first = await endpoint.next()
        const path = `/webhooks/${endpoint.id}/deliveries`
        const log = await until(
          () => write.get(path),
          ({ body }) => body[0]?.status === 'delivered',
        )
        await write.post(`${path}/${log.body[0].id}/resend`)
        const again = await endpoint.next()
        expectEqual(again.body.id, first.body.id, 'the id of the second')
        expectThat(again.bytes.equals(first.bytes), 'the same bytes', again.bytes.toString())
      },
    },
    {
      number: '5.1',
      says: 'An answer of 410 switches an endpoint off at once.',
      needs: ['receiver'],
      check: async (world) => {
        const endpoint = await world.make.endpoint(['guest.created'])
        endpoint.answer(410)
        await world.make.guest()
        await endpoint.next()
        const shown = await settled(world, endpoint, ({ status }) => status !== 'active')
        expectFields(shown, { status: 'disabled', disabledReason: 'gone' }, 'the endpoint')
      },
    },
    {
      number: '5.2',
      says: `An endpoint failing ${limits.failuresToDisable} times in a row is switched off.`,
      needs: ['receiver', 'clock'],
      check: async (world) => {
        // A venue's events go out at up to 60 a minute.
        await world.advance('2m')
        const endpoint = await world.make.endpoint(['guest.created'])
        endpoint.answer(500)
        for (let i = 0; i < limits.failuresToDisable; i++) await world.make.guest()
        const shown = await settled(world, endpoint, ({ status }) => status !== 'active')
        expectFields(shown, { status: 'disabled', disabledReason: 'too-many-failures' }, 'the endpoint')
        await world.advance('2m')
      },
    },
    {
      number: '5.3',
      says: 'A success ends the row of failures.',
      needs: ['receiver'],
      check: async (world) => {
        const endpoint = await world.make.endpoint(['guest.created'])
        endpoint.answer(500)
        await world.make.guest()
        await settled(world, endpoint, ({ failureCount }) => failureCount === 1)
        endpoint.answer(200)
        await world.make.guest()
        const shown = await settled(world, endpoint, ({ failureCount }) => failureCount === 0)
        expectEqual(shown.lastDeliveryStatus, 'ok 200', 'lastDeliveryStatus')
      },
    },
    {
      number: '6',
      says: 'Each venue’s events go out at up to 60 per minute.',
      untried: 'it takes more than 60 events, and the observer has a clock of their own',
    },
    {
      number: '7',
      says: 'After DELETE deliveries stop at once.',
      needs: ['receiver'],
      check: async ({ make, write }) => {
        const [gone, stays] = [await make.endpoint(['guest.created']), await make.endpoint(['guest.created'])]
        await write.delete(`/webhooks/${gone.id}`)
        await make.guest()
        await stays.next()
        expectEqual(gone.all.length, 0, 'how many deliveries came after DELETE')
      },
    },
  ],
}
