import { expectEqual, expectFields, expectRefusal, expectStatus, expectThat } from '../expect.ts'
import { limits } from '../generated/contract.ts'
import type { Section } from '../statement.ts'
import type { World } from '../world.ts'

/** A draft that may be sent: its list is built and a test reached the venue. */
const readyToSend = async ({ make, write }: World): Promise<{ id: number; count: number }> => {
  const { id } = await make.campaign()
  const built = await write.post('/campaigns/compose', { id })
  expectStatus(built, 200)
  expectStatus(await write.post('/campaigns/test', { id }), 200)
  return { id, count: built.body.recipientsTotal }
}

/** So far away that nothing is sent before it is stopped. */
const inThirtyDays = async ({ now }: World): Promise<string> =>
  new Date((await now()).getTime() + 30 * 86_400_000).toISOString()

const paths = ['/campaigns', '/campaigns/compose', '/campaigns/test', '/campaigns/send', '/campaigns/cancel']

export const campaigns: Section = {
  name: 'Campaigns',
  about: 'Marketing emails: written, tested, sent or stopped.',
  statements: [
    {
      number: '1.1',
      says: 'POST saves a draft: 200, ok true; nothing is sent or scheduled.',
      check: async ({ write, unique, venue }) => {
        const body = { name: unique(), subject: 'News', preheader: 'Six kinds', bodyText: 'Come on Tuesday.' }
        const reply = await write.post('/campaigns', body)
        expectStatus(reply, 200)
        expectEqual(reply.body.ok, true, 'ok')
        const empty = { scheduledAt: null, startedAt: null, recipientsTotal: 0, sentCount: 0, lastError: '' }
        const defaults = { bodyFormat: 'guided', segment: { type: 'all' }, restaurantId: venue.slug }
        expectFields(reply.body.campaign, { ...body, ...empty, ...defaults, status: 'draft' }, 'the draft')
      },
    },
    {
      number: '1.2',
      says: `name and subject are required, and a subject over ${limits.subjectCharacters} characters is 400.`,
      check: async ({ write, unique }) => {
        const name = unique()
        const longest = 'x'.repeat(limits.subjectCharacters)
        for (const body of [
          { name },
          { subject: 'News' },
          { name, subject: `${longest}x` },
          { name, subject: 5 },
        ]) {
          expectRefusal(await write.post('/campaigns', body), 400)
        }
        expectStatus(await write.post('/campaigns', { name, subject: longest }), 200)
      },
    },
    {
      number: '2.1',
      says: 'compose builds the list and schedules nothing; nobody is queued twice.',
      check: async ({ write, make }) => {
        const { id } = await make.campaign()
        const built = await write.post('/campaigns/compose', { id })
        expectStatus(built, 200)
        expectFields(built.body.campaign, { status: 'draft', scheduledAt: null }, 'the campaign')
        const again = await write.post('/campaigns/compose', { id })
        const { added, alreadyPresent, recipientsTotal } = again.body
        const wanted = [0, built.body.recipientsTotal, built.body.recipientsTotal]
        expectEqual(
          [added, alreadyPresent, recipientsTotal],
          wanted,
          'added, alreadyPresent and recipientsTotal',
        )
      },
    },
    {
      number: '2.2',
      says: 'An id that this venue has not is 404.',
      check: async ({ write }) => {
        for (const path of paths.slice(1)) expectRefusal(await write.post(path, { id: 999_999_999 }), 404)
      },
    },
    {
      number: '3',
      says: 'A campaign cannot be sent until a test reached the venue: 409 no-test-send, and it stays as it was.',
      check: async ({ write, make }) => {
        const { id } = await make.campaign()
        await write.post('/campaigns/compose', { id })
        expectRefusal(await write.post('/campaigns/send', { id }), 409, 'no-test-send')
        expectEqual((await write.get(`/campaigns/${id}`)).body.status, 'draft', 'the status')
      },
    },
    {
      number: '4.1',
      says: 'test sends to the addresses that the venue saved, never to one of the request.',
      needs: ['loopback'],
      check: async ({ write, make, person }) => {
        const { id } = await make.campaign()
        const { email } = person()
        const reply = await write.post('/campaigns/test', { id, to: email, email, addresses: [email] })
        expectStatus(reply, 200)
        expectEqual(reply.body.ok, true, 'ok')
        expectThat(!reply.text.includes(email), 'no address of the request', reply.body)
        const { body } = await write.get(`/campaigns/${id}`)
        expectEqual(body.testSentAt, reply.body.testSentAt, 'testSentAt of the campaign')
      },
    },
    {
      number: '4.2',
      says: 'confirmCount that differs from the list is 409 count-changed; the campaign stays as it was.',
      needs: ['loopback'],
      check: async (world) => {
        const { id, count } = await readyToSend(world)
        const scheduledAt = await inThirtyDays(world)
        const reply = await world.write.post('/campaigns/send', { id, scheduledAt, confirmCount: count + 1 })
        expectRefusal(reply, 409, 'count-changed')
        const { body } = await world.write.get(`/campaigns/${id}`)
        expectFields(body, { status: 'draft', scheduledAt: null }, 'the campaign')
      },
    },
    {
      number: '4.3',
      says: 'send with scheduledAt: 200, scheduled; cancel stops it and skips everybody; then cancel is 409.',
      needs: ['loopback'],
      check: async (world) => {
        const { write } = world
        const { id, count } = await readyToSend(world)
        const scheduledAt = await inThirtyDays(world)
        world.afterwards(() => write.post('/campaigns/cancel', { id }))
        const sent = await write.post('/campaigns/send', { id, scheduledAt, confirmCount: count })
        expectStatus(sent, 200)
        expectFields(sent.body.campaign, { status: 'scheduled', scheduledAt }, 'the campaign')
        expectFields(sent.body, { ok: true, recipientsTotal: count, pending: count, retried: 0 }, 'the reply')
        const stopped = await write.post('/campaigns/cancel', { id })
        expectStatus(stopped, 200)
        expectEqual(stopped.body.campaign.status, 'cancelled', 'the status')
        expectFields(stopped.body.counts, { sent: 0, failed: 0, skipped: count }, 'counts')
        expectRefusal(await write.post('/campaigns/cancel', { id }), 409)
      },
    },
    {
      number: '4.4',
      says: 'send without a time waits ten minutes, in which cancel stops it with nobody mailed.',
      needs: ['loopback'],
      check: async (world) => {
        const { write } = world
        const { id } = await readyToSend(world)
        world.afterwards(() => write.post('/campaigns/cancel', { id }))
        const sent = await write.post('/campaigns/send', { id })
        expectStatus(sent, 200)
        const waitMs = Date.parse(sent.body.holdUntil) - (await world.now()).getTime()
        const isTenMinutes = Math.abs(waitMs - limits.sendHoldMinutes * 60_000) < 60_000
        expectThat(isTenMinutes, 'holdUntil in ten minutes', `${Math.round(waitMs / 1000)} seconds`)
        const stopped = await write.post('/campaigns/cancel', { id })
        expectEqual([stopped.status, stopped.body.counts.sent], [200, 0], 'status and mails sent')
      },
    },
    {
      number: '5.1',
      says: 'A read-only key gets 403 on every campaign endpoint.',
      needs: ['read key'],
      check: async ({ read }) => {
        for (const path of paths) {
          const reply = await read.post(path, { id: 1 })
          expectRefusal(reply, 403)
          expectThat(
            /read-only/.test(reply.body.error),
            'a sentence that the key is read-only',
            reply.body.error,
          )
        }
      },
    },
    {
      number: '5.2',
      says: 'An automation platform key gets 403 api-key-required.',
      needs: ['automation key'],
      check: async ({ automation }) => {
        for (const path of paths)
          expectRefusal(await automation.post(path, { id: 1 }), 403, 'api-key-required')
      },
    },
  ],
}
