import type { Caller } from '../caller.ts'
import { expectEqual, expectRefusal, expectStatus, expectThat } from '../expect.ts'
import { limits } from '../generated/contract.ts'
import type { Section } from '../statement.ts'
import type { Json } from '../world.ts'

const lists = ['/reservations', '/guests', '/subscribers', '/ticket-orders', '/waitlist', '/leads']

/** Every list with a query, one after the other. */
const each = async (caller: Caller, query: Record<string, string | number>) => {
  const replies = []
  for (const path of lists) replies.push(await caller.get(path, query))
  return replies
}

const idsOf = (records: readonly Json[]): number[] => records.map(({ id }) => id)

export const listConventions: Section = {
  name: 'Lists',
  about: 'What all lists have in common.',
  statements: [
    {
      number: '1',
      says: 'The response is an array, newest first by creation time.',
      check: async ({ make, write }) => {
        await make.guest()
        await make.lead()
        for (const { request, body } of await each(write, { limit: limits.listMost })) {
          expectThat(Array.isArray(body), `an array from ${request}`, body)
          const moments: string[] = body.map(({ createdAt }: Json) => createdAt).filter(Boolean)
          const falls = moments.every((moment, at) => at === 0 || moment <= (moments[at - 1] as string))
          expectThat(falls, `createdAt never to rise down the list of ${request}`, moments.slice(0, 10))
        }
      },
    },
    {
      number: '2.1',
      says: `limit: at most so many, ${limits.listDefault} when left out.`,
      check: async ({ make, write }) => {
        for (let i = 0; i < 3; i++) await make.guest()
        const all = await each(write, { limit: limits.listMost })
        const some = await each(write, {})
        const two = await each(write, { limit: 2 })
        all.forEach(({ body, request }, at) => {
          const there = body.length
          expectEqual(some[at]?.body.length, Math.min(there, limits.listDefault), `how many ${request} gives`)
          expectEqual(two[at]?.body.length, Math.min(there, 2), `how many ${request} gives by limit=2`)
        })
      },
    },
    {
      number: '2.2',
      says: `limit: a number larger than ${limits.listMost} is treated as ${limits.listMost}.`,
      check: async ({ write }) => {
        for (const path of lists) {
          const most = await write.get(path, { limit: limits.listMost })
          for (const limit of ['101', '5000', '99999999999999999999']) {
            const more = await write.get(path, { limit })
            expectStatus(more, 200)
            expectThat(more.body.length <= limits.listMost, 'no more than 100 records', more.body.length)
            expectEqual(more.body.length, most.body.length, `how many ${path} gives by limit=${limit}`)
          }
        }
      },
    },
    {
      number: '3.1',
      says: 'since: records created at or after this moment, the moment itself included.',
      check: async ({ make, write }) => {
        const { id, createdAt } = await make.guest()
        const at = await write.get('/guests', { since: createdAt, limit: 100 })
        expectThat(idsOf(at.body).includes(id), 'the guest created at that very moment', idsOf(at.body))
        const later = new Date(Date.parse(createdAt) + 1).toISOString()
        const after = await write.get('/guests', { since: later, limit: 100 })
        expectThat(!idsOf(after.body).includes(id), 'no guest created before', idsOf(after.body))
      },
    },
    {
      number: '3.2',
      says: 'since: any time zone offset is understood.',
      check: async ({ make, write }) => {
        const { id, createdAt } = await make.guest()
        const local = new Date(Date.parse(createdAt) + 5 * 3_600_000).toISOString().replace('Z', '+05:00')
        const list = await write.get('/guests', { since: local, limit: 100 })
        expectThat(idsOf(list.body).includes(id), 'the guest created at that very moment', list.body.length)
      },
    },
    {
      number: '4.1',
      says: 'An unreadable limit is 400.',
      check: async ({ write }) => {
        for (const limit of ['0', '-1', 'ten', '2.5', '1e1', '']) {
          for (const reply of await each(write, { limit })) expectRefusal(reply, 400)
        }
      },
    },
    {
      number: '4.2',
      says: 'An unreadable since is 400, and the sentence says that it must be a date and time with a zone.',
      check: async ({ write }) => {
        for (const since of ['yesterday', '2026-10-06', '2026-10-06T15:00:00', '1760000000', '']) {
          for (const reply of await each(write, { since })) {
            expectRefusal(reply, 400)
            expectThat(/date and time.*zone/i.test(reply.body.error), 'what since must be', reply.body.error)
          }
        }
      },
    },
    {
      number: '5',
      says: 'To keep a copy: since a few minutes before the newest createdAt held brings every new record.',
      check: async ({ make, write, now }) => {
        const since = new Date((await now()).getTime() - 5 * 60_000).toISOString()
        const made = [await make.guest(), await make.guest(), await make.guest()]
        const list = await write.get('/guests', { since, limit: 100 })
        for (const { id } of made) expectThat(idsOf(list.body).includes(id), `guest ${id}`, idsOf(list.body))
      },
    },
  ],
}
