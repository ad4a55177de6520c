import { expectEqual, expectFields, expectRefusal, expectStatus, expectThat } from '../expect.ts'
import { limits } from '../generated/contract.ts'
import type { Section } from '../statement.ts'
import type { Json, World } from '../world.ts'

/** Sends a batch once no other is under way, and waits until it is done. */
const done = async ({ write, until }: World, body: Json, headers = {}): Promise<Json> => {
  const sent = await until(
    () => write.post('/batches', body, headers),
    (reply) => reply.body?.reason !== 'batch-running',
  )
  expectStatus(sent, 202)
  const { id } = sent.body.batch
  const batch = await until(
    () => write.get(`/batches/${id}`),
    (reply) => reply.body.status === 'done',
  )
  const results = await write.get(`/batches/${id}/results`, { limit: 100 })
  return { id, batch: batch.body, results: results.body }
}

export const batches: Section = {
  name: 'Batches',
  about: 'Many records in one request.',
  statements: [
    {
      number: '1.1',
      says: 'Each item is its single POST: made, matched or refused by its ref; one refusal keeps no other.',
      check: async (world) => {
        const known = await world.make.guest()
        const { name, email } = world.person()
        const items = [
          { ref: 'new', body: { name, email } },
          { ref: 'wrong', body: { name } },
          { ref: 'known', body: { email: known.email } },
        ]
        const { batch, results } = await done(world, { kind: 'guest', mode: 'write', items })
        expectFields(batch, { total: 3, done: 3, made: 1, matched: 1, refused: 1 }, 'the batch')
        const byRef = Object.fromEntries(results.map((one: Json) => [one.ref, one]))
        expectFields(byRef['new'], { status: 'made', error: null }, 'the new one')
        expectFields(byRef['wrong'], { status: 'refused', id: null, reason: 'no-contact' }, 'the wrong one')
        expectFields(byRef['known'], { status: 'matched', id: known.id }, 'the known one')
        const found = await world.write.get('/guests/find', { email })
        expectEqual(found.body[0]?.id, byRef['new'].id, 'the guest who was made')
      },
    },
    {
      number: '1.2',
      says: 'mode check writes nothing.',
      check: async (world) => {
        const { name, email } = world.person()
        const items = [{ ref: 'a', body: { name, email } }]
        const { results } = await done(world, { kind: 'guest', mode: 'check', items })
        expectFields(results[0], { ref: 'a', status: 'would-make', id: null }, 'the result')
        expectEqual((await world.write.get('/guests/find', { email })).body, [], 'guests of that address')
      },
    },
    {
      number: '1.3',
      says: 'Repeated with its Idempotency-Key, nothing is written twice.',
      check: async (world) => {
        const headers = { 'idempotency-key': world.unique() }
        const externalId = world.unique('Ext')
        const items = [{ ref: 'a', body: { title: world.unique(), externalId } }]
        const body = { kind: 'task', mode: 'write', items }
        const first = await done(world, body, headers)
        const again = await done(world, body, headers)
        expectEqual(again.id, first.id, 'the id of the batch')
        const tasks = await world.write.get('/tasks', { externalId })
        expectEqual(tasks.body.length, 1, 'the number of tasks')
        world.afterwards(() => world.write.post(`/tasks/${tasks.body[0].id}/complete`))
      },
    },
    {
      number: '2',
      says: `A batch has 1 to ${limits.batchItems} items with different refs, and holds no reservations; else 400.`,
      check: async ({ write }) => {
        const item = (ref: string) => ({ ref, body: { title: 'Call' } })
        const tooMany = Array.from({ length: limits.batchItems + 1 }, (_, at) => item(String(at)))
        for (const body of [
          { kind: 'task', mode: 'write', items: [] },
          { kind: 'task', mode: 'write', items: tooMany },
          { kind: 'task', mode: 'write', items: [item('a'), item('a')] },
          { kind: 'reservation', mode: 'write', items: [item('a')] },
          { kind: 'task', mode: 'later', items: [item('a')] },
        ]) {
          const reply = await write.post('/batches', body)
          expectThat(reply.status === 400, 'status 400', `${reply.status} ${reply.text.slice(0, 200)}`)
        }
        expectRefusal(await write.get('/batches/00000000-0000-4000-8000-000000000000'), 404)
      },
    },
  ],
}
