import type { Ask } from '../caller.ts'
import { expectEqual, expectFields, expectHeader, expectStatus, expectThat } from '../expect.ts'
import type { Section } from '../statement.ts'
import type { World } from '../world.ts'

const accept = { accept: 'application/problem+json' }

/** The same refusal in both forms. */
const both = async ({ write }: World, ask: Ask) => ({
  plain: await write.send(ask),
  problem: await write.send({ ...ask, headers: { ...ask.headers, ...accept } }),
})

const refusals: readonly Ask[] = [
  { method: 'GET', path: '/nothing-here' },
  { method: 'GET', path: '/guests', query: { limit: 'ten' } },
  { method: 'GET', path: '/guests/999999999999' },
  { method: 'PUT', path: '/guests' },
  { method: 'POST', path: '/tasks', body: '{' },
  { method: 'POST', path: '/tasks', body: {} },
  {
    method: 'POST',
    path: '/reservations',
    body: { guestName: 'Ada', partySize: 2, date: '2020-01-07', time: '19:00' },
  },
]

export const problemForm: Section = {
  name: 'Problem form',
  about: 'Refusals as application/problem+json, for callers that ask for it.',
  statements: [
    {
      number: '1',
      says: 'With Accept: application/problem+json a refusal has that form, with the same status and sentence.',
      check: async (world) => {
        for (const ask of refusals) {
          const { plain, problem } = await both(world, ask)
          expectHeader(problem, 'content-type', /^application\/problem\+json/)
          expectStatus(problem, plain.status)
          const wanted = { status: plain.status, error: plain.body.error }
          expectFields(problem.body, wanted, `the problem of ${problem.request}`)
          expectThat(typeof problem.body.reason === 'string', 'a reason', problem.body)
          if (plain.body.reason) expectEqual(problem.body.reason, plain.body.reason, 'the reason')
        }
      },
    },
    {
      number: '2',
      says: 'Nobody else gets it: not for */*, not for application/*, not at q=0.',
      check: async ({ write }) => {
        for (const value of ['*/*', 'application/*', 'application/json', 'application/problem+json;q=0']) {
          const reply = await write.get('/guests', { limit: 'ten' }, { accept: value })
          expectHeader(reply, 'content-type', /^application\/json/)
          expectEqual(Object.keys(reply.body), ['error'], `the fields for Accept: ${value}`)
        }
      },
    },
    {
      number: '3.1',
      says: 'errors names all wrong fields at once, each with a pointer into the body.',
      check: async ({ write }) => {
        const body = { title: 7, due: 'Monday', priority: 'Urgent' }
        const { body: problem } = await write.post('/tasks', body, accept)
        const pointers = problem.errors.map(({ pointer }: { pointer: string }) => pointer)
        expectEqual(pointers.toSorted(), ['#/due', '#/priority', '#/title'], 'the pointers')
        expectEqual(problem.errors[0].detail, problem.detail, 'the first sentence')
      },
    },
    {
      number: '3.2',
      says: 'A wrong word of a query is named as parameter, a wrong header as header.',
      check: async ({ write }) => {
        const query = await write.get('/guests', { limit: 'ten' }, accept)
        expectEqual(query.body.errors[0].parameter, 'limit', 'parameter')
        const header = await write.post('/tasks', {}, { ...accept, 'idempotency-key': 'a b' })
        expectEqual(header.body.errors[0].header.toLowerCase(), 'idempotency-key', 'header')
      },
    },
    {
      number: '3.3',
      says: 'Nothing of a value that was sent is in a refusal.',
      check: async ({ write, unique }) => {
        const value = unique('Value')
        const reply = await write.post('/tasks', { title: 'Call', due: value, priority: value }, accept)
        expectStatus(reply, 400)
        expectThat(!reply.text.includes(value), 'no value in the refusal', reply.text)
      },
    },
  ],
}
