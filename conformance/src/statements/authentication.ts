import { expectEqual, expectFields, expectRefusal, expectStatus, expectThat } from '../expect.ts'
import type { Section } from '../statement.ts'

const lists = ['/reservations', '/guests', '/subscribers', '/ticket-orders', '/waitlist', '/leads']
const writes = [
  '/reservations',
  '/guests',
  '/subscribers',
  '/leads',
  '/tasks',
  '/campaigns',
  '/webhooks',
  '/hooks',
]

export const authentication: Section = {
  name: 'Authentication',
  about: 'Who is asking, and what they may do.',
  statements: [
    {
      number: '1',
      says: 'A key in the header X-Service-Key is known.',
      check: async ({ write }) => expectStatus(await write.get('/me'), 200),
    },
    {
      number: '2.1',
      says: 'A key in the address does not count.',
      check: async ({ nobody, keys }) => {
        for (const word of ['x-service-key', 'X-Service-Key', 'key', 'api_key', 'access_token']) {
          expectRefusal(await nobody.get('/me', { [word]: keys.write }), 401)
        }
      },
    },
    {
      number: '2.2',
      says: 'A key in Authorization does not count.',
      check: async ({ nobody, keys }) => {
        const basic = Buffer.from(`${keys.write}:`).toString('base64')
        for (const authorization of [`Bearer ${keys.write}`, keys.write, `Basic ${basic}`]) {
          expectRefusal(await nobody.get('/me', {}, { authorization }), 401)
        }
      },
    },
    {
      number: '3',
      says: 'A key is service_sk_ and 40 letters and digits; anything else is unknown.',
      check: async ({ keys, withKey }) => {
        expectThat(/^service_sk_[A-Za-z0-9]{40}$/.test(keys.write), 'a key of that form', 'another form')
        const last = keys.write.endsWith('a') ? 'b' : 'a'
        for (const key of [
          `${keys.write.slice(0, -1)}${last}`,
          `service_sk_${'a'.repeat(40)}`,
          'nonsense',
          '',
        ]) {
          expectRefusal(await withKey(key).get('/me'), 401)
        }
      },
    },
    {
      number: '4.1',
      says: 'GET /me returns the venue, the plan and the kind and scope of the key.',
      check: async ({ write, venue }) => {
        const { body } = await write.get('/me')
        expectFields(body.venue, venue, 'the venue')
        expectThat(typeof body.plan === 'string', 'the plan', body.plan)
        expectFields(body.key, { kind: 'api', scope: 'read_write' }, 'the key')
      },
    },
    {
      number: '4.2',
      says: 'Kinds are api and automation, scopes read and read_write.',
      needs: ['read key', 'automation key'],
      check: async ({ read, automation }) => {
        expectFields((await read.get('/me')).body.key, { kind: 'api', scope: 'read' }, 'the read-only key')
        expectEqual((await automation.get('/me')).body.key.kind, 'automation', 'the kind of the other key')
      },
    },
    {
      number: '5.1',
      says: 'A read-only key reads: every list, the searches and /me.',
      needs: ['read key'],
      check: async ({ read }) => {
        for (const path of [...lists, '/me']) expectStatus(await read.get(path), 200)
        const email = 'nobody@example.com'
        for (const path of ['/reservations/find', '/guests/find']) {
          expectStatus(await read.get(path, { email }), 200)
        }
      },
    },
    {
      number: '5.2',
      says: 'Any other method of a read-only key is 403, with a sentence that the key is read-only.',
      needs: ['read key'],
      check: async ({ read }) => {
        for (const path of writes) {
          const reply = await read.post(path, {})
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
      number: '6',
      says: 'A read and write key of either kind creates guests, subscribers, requests, tasks and leads.',
      needs: ['automation key'],
      check: async ({ automation, person, unique }) => {
        expectStatus(await automation.post('/guests', person()), 201)
        expectStatus(await automation.post('/tasks', { title: unique() }), 201)
        expectStatus(await automation.post('/leads', { name: person().name }), 201)
        const body = { email: person().email, consent: { source: 'Conformance' } }
        expectStatus(await automation.post('/subscribers', body), 201)
      },
    },
    {
      number: '7.1',
      says: 'Without a key, or with an unknown one, everything is 401, with one sentence.',
      check: async ({ nobody, withKey }) => {
        const unknown = withKey(`service_sk_${'x'.repeat(40)}`)
        const sentences = new Set<string>()
        for (const caller of [nobody, unknown]) {
          for (const path of [...lists, '/me', '/webhooks', '/changes']) {
            const reply = await caller.get(path)
            expectRefusal(reply, 401)
            sentences.add(reply.body.error)
          }
          for (const path of writes) expectRefusal(await caller.post(path, {}), 401)
        }
        expectEqual(sentences.size, 1, 'the number of different sentences')
      },
    },
    {
      number: '7.2',
      says: 'A revoked key is 401.',
      needs: ['revoked key'],
      check: async ({ revoked }) => expectRefusal(await revoked.get('/me'), 401),
    },
    {
      number: '7.3',
      says: 'A venue that cannot use the API now is 403.',
      untried: 'only the operator can change the plan or pause an account',
    },
    {
      number: '8',
      says: 'The owner revokes a key: it stops at once, and so do the endpoints it created.',
      untried: 'only the owner can revoke a key, and the run would end there',
    },
  ],
}
