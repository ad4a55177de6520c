import type { Ask } from '../caller.ts'
import { expectRefusal, expectStatus, expectThat } from '../expect.ts'
import { limits } from '../generated/contract.ts'
import type { Section } from '../statement.ts'

const tooLarge = JSON.stringify({ title: 'x'.repeat(limits.bodyBytes) })
const badKey = { 'idempotency-key': 'with a blank' }

export const orderOfChecks: Section = {
  name: 'Order of checks',
  about: 'Of several things that are wrong, the first in this order is reported.',
  statements: [
    {
      number: '1',
      says: 'Address (404) and method (405) come before the key (401).',
      check: async ({ nobody }) => {
        expectRefusal(await nobody.get('/nothing-here'), 404)
        expectRefusal(await nobody.send({ method: 'PUT', path: '/guests' }), 405)
        expectRefusal(await nobody.send({ method: 'DELETE', path: '/reservations/find' }), 405)
      },
    },
    {
      number: '2',
      says: 'The key (401) comes before anything of the body.',
      check: async ({ nobody }) => {
        for (const body of ['{', '{}', tooLarge]) expectRefusal(await nobody.post('/tasks', body), 401)
        expectRefusal(await nobody.post('/tasks', {}, badKey), 401)
        expectRefusal(await nobody.get('/guests', { limit: 'ten' }), 401)
      },
    },
    {
      number: '3',
      says: 'What the key may do (403) comes before anything of the body.',
      needs: ['read key'],
      check: async ({ read }) => {
        for (const body of ['{', '{}', tooLarge]) expectRefusal(await read.post('/tasks', body), 403)
        expectRefusal(await read.post('/tasks', {}, badKey), 403)
      },
    },
    {
      number: '4',
      says: 'The kind of a key comes before its scope on campaigns: an automation key gets api-key-required.',
      needs: ['automation key'],
      check: async ({ automation }) =>
        expectRefusal(await automation.post('/campaigns/send', '{'), 403, 'api-key-required'),
    },
    {
      number: '5',
      says: 'Size comes before JSON, JSON before the Idempotency-Key, and that before the fields.',
      check: async ({ write }) => {
        const sentenceOf = async (ask: Partial<Ask>): Promise<string> => {
          const reply = await write.send({ method: 'POST', path: '/tasks', ...ask })
          expectRefusal(reply, 400)
          return reply.body.error
        }
        const size = await sentenceOf({ body: `{"title":"${'x'.repeat(limits.bodyBytes)}`, headers: badKey })
        expectThat(/too large/.test(size), 'the size to be reported first', size)
        const json = await sentenceOf({ body: '{"title":', headers: badKey })
        expectThat(/JSON/.test(json), 'the JSON to be reported next', json)
        const key = await sentenceOf({ body: {}, headers: badKey })
        expectThat(/Idempotency-Key/.test(key), 'the key to be reported next', key)
        const fields = await sentenceOf({ body: {} })
        expectThat(/title/.test(fields), 'the field to be reported last', fields)
      },
    },
    {
      number: '6',
      says: 'Fields (400) come before a used Idempotency-Key (409), and that before the rules of the venue.',
      check: async ({ write, unique, person, openTime }) => {
        const headers = { 'idempotency-key': unique() }
        const { date, time } = await openTime()
        const body = { guestName: person().name, partySize: 2, date, time }
        expectStatus(await write.post('/reservations', body, headers), 201)
        expectRefusal(await write.post('/reservations', { ...body, partySize: 'two' }, headers), 400)
        const past = await write.post('/reservations', { ...body, date: '2020-01-07' }, headers)
        expectRefusal(past, 409, 'different-body')
      },
    },
  ],
}
