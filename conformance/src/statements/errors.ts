import { expectEqual, expectHeader, expectRefusal, expectThat } from '../expect.ts'
import { operations } from '../generated/contract.ts'
import type { Section } from '../statement.ts'

/** The methods that the first version of the contract gives to its addresses. */
const methodsOf: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  [...new Set(operations.map(({ path }) => path))].map((path) => [
    path,
    operations.filter((one) => one.path === path).map(({ method }) => method),
  ]),
)

export const errors: Section = {
  name: 'Errors',
  about: 'Every refusal is JSON with a sentence, and with a reason where a program may act on it.',
  statements: [
    {
      number: '1',
      says: 'Every refusal is {error, reason?}: a plain sentence, and a short stable code.',
      check: async ({ write, nobody, person }) => {
        const past = { guestName: person().name, partySize: 2, date: '2020-01-07', time: '19:00' }
        for (const reply of [
          await nobody.get('/me'),
          await write.get('/nothing-here'),
          await write.send({ method: 'PUT', path: '/me' }),
          await write.get('/guests', { limit: 'ten' }),
          await write.post('/tasks', '{'),
          await write.post('/reservations', past),
        ]) {
          const fields = Object.keys(reply.body).filter((field) => !['error', 'reason'].includes(field))
          expectEqual(fields, [], 'fields besides error and reason')
          expectThat(/^[A-Z`a-z].+\.$/.test(reply.body.error), 'a sentence', reply.body.error)
          const { reason = 'none' } = reply.body
          expectThat(/^[a-z]+(-[a-z]+)*$/.test(reason), 'a short code', reason)
        }
      },
    },
    {
      number: '2',
      says: 'A refusal reveals no internals: no stack, no SQL, no path, no library.',
      check: async ({ write }) => {
        const inside = /\bat .*\.[jt]s|node_modules|fastify|postgres|select |constraint|Error:/i
        for (const reply of [
          await write.post('/tasks', '{'),
          await write.post('/tasks', '[]'),
          await write.post('/guests', { email: '\u0000@example.com' }),
          await write.get('/guests/find', { email: '%' }),
          await write.get('/reservations/9999999999999999999999'),
        ]) {
          expectThat(reply.status < 500, 'a refusal', `${reply.status} ${reply.text}`)
          expectThat(!inside.test(reply.text), 'nothing of the inside', reply.text)
        }
      },
    },
    {
      number: '400.1',
      says: '400: a body that is no JSON object.',
      check: async ({ write }) => {
        for (const body of ['{', 'x', '[]', '"text"', '7', 'null', '']) {
          expectRefusal(await write.post('/tasks', body), 400)
        }
      },
    },
    {
      number: '400.2',
      says: '400: a form, another charset or a compressed body.',
      check: async ({ write, unique }) => {
        const body = JSON.stringify({ title: unique() })
        for (const headers of [
          { 'content-type': 'application/x-www-form-urlencoded' },
          { 'content-type': 'application/json; charset=iso-8859-1' },
          { 'content-encoding': 'gzip' },
        ]) {
          expectRefusal(await write.post('/tasks', body, headers), 400)
        }
      },
    },
    {
      number: '404.1',
      says: '404: no such address, with and without a key.',
      check: async ({ write, nobody }) => {
        for (const path of [
          '/nothing-here',
          '/guests/1/visits',
          '/me/',
          '/ME',
          '/reservations/007',
          '/guests/abc',
        ]) {
          for (const caller of [write, nobody]) expectRefusal(await caller.get(path), 404)
        }
      },
    },
    {
      number: '404.2',
      says: '404: no such record for this venue.',
      check: async ({ write }) => {
        for (const kind of [
          'reservations',
          'guests',
          'subscribers',
          'ticket-orders',
          'waitlist',
          'leads',
          'tasks',
        ]) {
          expectRefusal(await write.get(`/${kind}/999999999999`), 404)
        }
      },
    },
    {
      number: '405.1',
      says: '405: the address does not take that method; Allow names those it takes.',
      check: async ({ nobody }) => {
        for (const [path, allowed] of Object.entries(methodsOf)) {
          const address = path.replaceAll(/\{\w+\}/g, '1')
          const reply = await nobody.send({ method: 'PUT', path: address })
          expectRefusal(reply, 405)
          const allow = reply.headers.get('allow')?.split(/, ?/) ?? []
          const missing = allowed.filter((method) => !allow.includes(method))
          expectEqual(missing, [], `methods missing in Allow of ${address}`)
          expectThat(!allow.includes('PUT'), 'Allow without PUT', allow)
        }
      },
    },
    {
      number: '405.2',
      says: '405: searches and /me take GET alone, campaign moves POST alone.',
      check: async ({ write }) => {
        for (const path of ['/me', '/reservations/find', '/guests/find']) {
          for (const method of ['POST', 'PATCH', 'DELETE', 'OPTIONS']) {
            const reply = await write.send({ method, path })
            expectRefusal(reply, 405)
            expectHeader(reply, 'allow', /^GET$/)
          }
        }
        for (const path of ['compose', 'test', 'send', 'cancel']) {
          const reply = await write.get(`/campaigns/${path}`)
          expectRefusal(reply, 405)
          expectHeader(reply, 'allow', /^POST$/)
        }
      },
    },
    {
      number: '405.3',
      says: '405: HEAD has no body and no success.',
      check: async ({ write }) => {
        const reply = await write.send({ method: 'HEAD', path: '/guests' })
        expectEqual([reply.status, reply.text], [405, ''], 'status and body')
      },
    },
    {
      number: '409',
      says: '409: the venue said no, with its reason.',
      check: async ({ write, person }) => {
        const body = { guestName: person().name, partySize: 2, date: '2020-01-07', time: '19:00' }
        const reply = await write.post('/reservations', body)
        expectRefusal(reply, 409)
        expectThat(typeof reply.body.reason === 'string', 'a reason', reply.body)
      },
    },
    {
      number: '503',
      says: '500 and 503: failures on the service’s side.',
      untried: 'no caller can make the service fail',
    },
  ],
}
