import { CannotTry, expectHeader, expectRefusal, expectStatus, expectThat } from '../expect.ts'
import { limits } from '../generated/contract.ts'
import type { Section } from '../statement.ts'
import type { Json, World } from '../world.ts'

/** The body padded by a field nobody knows to so many bytes. */
const ofSize = (body: object, bytes: number): string => {
  const bare = JSON.stringify({ ...body, padding: '' })
  return JSON.stringify({ ...body, padding: 'x'.repeat(bytes - bare.length) })
}

const bodies = async ({ person, unique, openTime }: World): Promise<Record<string, Json>> => {
  const { date, time } = await openTime()
  return {
    '/guests': person(),
    '/subscribers': { email: person().email, consent: { source: 'Conformance' } },
    '/reservations': { guestName: person().name, partySize: 2, date, time },
    '/tasks': { title: unique() },
    '/leads': { name: person().name },
  }
}

/** More requests at once than any run should make. */
const burstMost = 400

export const limitStatements: Section = {
  name: 'Limits',
  about: 'How large, how many and how often.',
  statements: [
    {
      number: '1.1',
      says: 'Each answer to a key says how many requests it has in a minute and how many are left.',
      check: async ({ write }) => {
        const reply = await write.get('/me')
        expectHeader(reply, 'ratelimit-limit', /^[1-9]\d*$/)
        expectHeader(reply, 'ratelimit-remaining', /^\d+$/)
        expectHeader(reply, 'ratelimit-reset', /^([1-9]|[1-5]\d|60)$/)
      },
    },
    {
      number: '1.2',
      says: 'Every request counts, a refused one too.',
      check: async ({ write }) => {
        const left = async (path: string): Promise<number> =>
          Number((await write.get(path)).headers.get('ratelimit-remaining'))
        const falls = [await left('/me'), await left('/guests/find'), await left('/me')]
        const [first = 0] = falls
        // Others may use the key as well, and a minute may begin.
        const isCounted = falls.every((one, at) => at === 0 || one < (falls[at - 1] as number) || one > first)
        expectThat(isCounted, 'a number that falls with each request', falls)
      },
    },
    {
      number: '2.1',
      says: 'A body of 64 KB is read; a larger one is 400, and the sentence says that it is too large.',
      check: async (world) => {
        for (const [path, body] of Object.entries(await bodies(world))) {
          const larger = await world.write.post(path, ofSize(body, limits.bodyBytes + 1))
          expectRefusal(larger, 400)
          expectThat(/too large/.test(larger.body.error), 'a sentence about the size', larger.body.error)
          expectStatus(await world.write.post(path, ofSize(body, limits.bodyBytes)), 201)
        }
      },
    },
    {
      number: '2.2',
      says: 'A body over 16 KB to POST /webhooks is 413.',
      check: async ({ write, unique }) => {
        const url = `https://conformance.example.com/${unique()}`
        const body = { url, events: ['ticket_order.refunded'] }
        expectRefusal(await write.post('/webhooks', ofSize(body, limits.webhookBodyBytes + 1)), 413)
        expectStatus(await write.post('/webhooks', ofSize(body, limits.webhookBodyBytes)), 201)
      },
    },
    {
      number: '3',
      says: `A phone number is searched by at least ${limits.phoneDigitsLeast} digits.`,
      check: async ({ write }) => {
        const number = '9998887'
        for (const path of ['/guests/find', '/reservations/find']) {
          expectStatus(await write.get(path, { phone: number }), 200)
          expectRefusal(await write.get(path, { phone: number.slice(1) }), 400)
        }
      },
    },
    {
      number: '4',
      says: 'The request over the limit is 429 with Retry-After in seconds, and does nothing.',
      needs: ['read key'],
      check: async ({ rushed, read, unique }) => {
        let reply = await rushed.get('/me')
        const most = Number(reply.headers.get('ratelimit-limit'))
        if (most > burstMost) throw new CannotTry(`the key may make ${most} requests a minute here`)
        for (let i = 0; i < most && reply.status !== 429; i++) reply = await rushed.get('/me')
        const title = unique()
        for (const over of [reply, await rushed.post('/tasks', { title })]) {
          expectRefusal(over, 429)
          expectHeader(over, 'retry-after', /^([1-9]|[1-5]\d|60)$/)
          expectHeader(over, 'ratelimit-remaining', /^0$/)
        }
        const tasks = await read.get('/tasks', { limit: 100 })
        expectThat(!tasks.text.includes(title), 'no task made by the refused request', title)
      },
    },
  ],
}
