import { expectEqual, expectRefusal, expectStatus, expectThat } from '../expect.ts'
import { limits } from '../generated/contract.ts'
import type { Section, Statement } from '../statement.ts'
import type { Json, World } from '../world.ts'

const aBooking = async ({ person, openTime }: World): Promise<object> => {
  const { name, email } = person()
  const { date, time } = await openTime()
  return { guestName: name, email, partySize: 2, date, time }
}

/** The POSTs that take an Idempotency-Key, each with a body that makes something new. */
const posts: Readonly<Record<string, (world: World) => Promise<object>>> = {
  '/reservations': aBooking,
  '/guests': async ({ person }) => person(),
  '/subscribers': async ({ person }) => ({ email: person().email, consent: { source: 'Conformance' } }),
  '/leads': async ({ person }) => ({ name: person().name }),
  '/tasks': async ({ unique }) => ({ title: unique() }),
}

const withKey = (key: string) => ({ 'idempotency-key': key })
const isReplay = ({ headers }: { headers: Headers }): boolean => headers.get('idempotent-replayed') === 'true'

/** How many tasks have this title. */
const tasksOf = async ({ write }: World, title: string): Promise<number> => {
  const { body } = await write.get('/tasks', { limit: 100 })
  return body.filter((task: Json) => task.title === title).length
}

const replays = Object.entries(posts).map(([path, bodyOf], at): Statement => ({
  number: `1.${at + 1}`,
  says: `POST ${path}: the same key and body again give the first answer, marked Idempotent-Replayed.`,
  check: async (world) => {
    const [key, body] = [world.unique(), await bodyOf(world)]
    const first = await world.write.post(path, body, withKey(key))
    expectStatus(first, 201)
    expectThat(!isReplay(first), 'a first answer without Idempotent-Replayed', 'Idempotent-Replayed: true')
    const again = await world.write.post(path, body, withKey(key))
    expectStatus(again, 201)
    expectThat(isReplay(again), 'Idempotent-Replayed: true', again.headers.get('idempotent-replayed'))
    expectEqual(again.body, first.body, 'the answer to the retry')
  },
}))

const clashes = Object.entries(posts).map(([path, bodyOf], at): Statement => ({
  number: `2.${at + 1}`,
  says: `POST ${path}: the same key with a different body is 409, a bug of the caller.`,
  check: async (world) => {
    const key = world.unique()
    expectStatus(await world.write.post(path, await bodyOf(world), withKey(key)), 201)
    const other = await world.write.post(path, await bodyOf(world), withKey(key))
    expectRefusal(other, 409, 'different-body')
  },
}))

export const idempotency: Section = {
  name: 'Idempotency',
  about: 'A POST with an Idempotency-Key is done once, however often it is sent.',
  statements: [
    ...replays,
    {
      number: '1.6',
      says: 'Nothing is done twice.',
      check: async (world) => {
        const [key, title] = [world.unique(), world.unique()]
        for (let i = 0; i < 3; i++) await world.write.post('/tasks', { title }, withKey(key))
        expectEqual(await tasksOf(world, title), 1, 'the number of tasks made by three tries')
      },
    },
    {
      number: '1.7',
      says: 'The same body is the same JSON: order of fields and blanks do not matter.',
      check: async ({ write, unique }) => {
        const [key, title] = [unique(), unique()]
        const first = await write.post('/tasks', `{"title":"${title}","priority":"High"}`, withKey(key))
        expectStatus(first, 201)
        const again = await write.post(
          '/tasks',
          `{ "priority": "High",\n "title": "${title}" }`,
          withKey(key),
        )
        expectStatus(again, 201)
        expectEqual(again.body, first.body, 'the answer to the retry')
      },
    },
    {
      number: '1.8',
      says: 'A key belongs to one endpoint: the same text elsewhere is another key.',
      check: async ({ write, unique, person }) => {
        const key = unique()
        expectStatus(await write.post('/tasks', { title: unique() }, withKey(key)), 201)
        const lead = await write.post('/leads', { name: person().name }, withKey(key))
        expectStatus(lead, 201)
        expectThat(!isReplay(lead), 'a lead of its own', 'Idempotent-Replayed: true')
      },
    },
    ...clashes,
    {
      number: '2.6',
      says: 'What was sent with a used key is not done.',
      check: async (world) => {
        const [key, title] = [world.unique(), world.unique('Second')]
        await world.write.post('/tasks', { title: world.unique('First') }, withKey(key))
        expectRefusal(await world.write.post('/tasks', { title }, withKey(key)), 409)
        expectEqual(await tasksOf(world, title), 0, 'the number of tasks made by the second body')
      },
    },
    {
      number: '3',
      says: 'Of retries that arrive together one is done; the others are replayed, or 409 still-processing.',
      check: async (world) => {
        const [key, title] = [world.unique(), world.unique()]
        const tries = Array.from({ length: 6 }, () => world.write.post('/tasks', { title }, withKey(key)))
        const replies = await Promise.all(tries)
        for (const reply of replies.filter(({ status }) => status !== 201)) {
          expectRefusal(reply, 409, 'still-processing')
        }
        const fresh = replies.filter((reply) => reply.status === 201 && !isReplay(reply))
        expectEqual(fresh.length, 1, 'the number of tries that were done')
        expectEqual(await tasksOf(world, title), 1, 'the number of tasks made')
      },
    },
    {
      number: '4',
      says: 'An earlier try that never finished makes a retry 409 outcome-unknown, of guests and subscribers not.',
      untried: 'no caller can make the service lose a try half-way',
    },
    {
      number: '5',
      says: 'A refusal is not replayed: a later retry is evaluated afresh.',
      check: async ({ write, unique, person, openTime }) => {
        const key = unique()
        const { date, time } = await openTime()
        const booking = { guestName: person().name, partySize: 2, time }
        const past = { ...booking, date: '2020-01-07' }
        for (let i = 0; i < 2; i++) {
          const refused = await write.post('/reservations', past, withKey(key))
          expectStatus(refused, 409)
          expectThat(!isReplay(refused), 'a refusal without Idempotent-Replayed', 'Idempotent-Replayed: true')
        }
        const taken = await write.post('/reservations', { ...booking, date }, withKey(key))
        expectStatus(taken, 201)
        expectThat(!isReplay(taken), 'a booking of its own', 'Idempotent-Replayed: true')
      },
    },
    {
      number: '6.1',
      says: 'A kept reservation that was cancelled since is not replayed: the same details are a new request.',
      check: async (world) => {
        const { write, unique } = world
        const [key, body] = [unique(), await aBooking(world)]
        const first = await write.post('/reservations', body, withKey(key))
        expectStatus(first, 201)
        expectStatus(await write.post(`/reservations/${first.body.reservation.id}/cancel`, {}), 200)
        const second = await write.post('/reservations', body, withKey(key))
        expectStatus(second, 201)
        expectThat(!isReplay(second), 'a new request', 'Idempotent-Replayed: true')
        const ids = [first.body.reservation.id, second.body.reservation.id]
        expectThat(ids[0] !== ids[1], 'a reservation with another id', ids)
      },
    },
    {
      number: '6.2',
      says: 'A kept lead that was deleted since is not replayed.',
      needs: ['trigger'],
      check: async ({ write, unique, person, trigger }) => {
        const [key, body] = [unique(), { name: person().name }]
        const first = await write.post('/leads', body, withKey(key))
        await trigger('lead.deleted', first.body.lead.id)
        const second = await write.post('/leads', body, withKey(key))
        expectStatus(second, 201)
        expectThat(!isReplay(second), 'a new request', 'Idempotent-Replayed: true')
        expectThat(second.body.lead.id !== first.body.lead.id, 'a lead with another id', second.body.lead.id)
      },
    },
    {
      number: '7',
      says: 'Without a key, tasks are not protected against repeats.',
      check: async (world) => {
        const title = world.unique()
        for (let i = 0; i < 2; i++) expectStatus(await world.write.post('/tasks', { title }), 201)
        expectEqual(await tasksOf(world, title), 2, 'the number of tasks made by two tries')
      },
    },
    {
      number: '8.1',
      says: `A key has 1 to ${limits.idempotencyKeyCharacters} visible characters; any other is 400.`,
      check: async ({ write, unique }) => {
        const most = limits.idempotencyKeyCharacters
        const padded = (length: number): string => unique().padEnd(length, 'x')
        expectStatus(await write.post('/tasks', { title: unique() }, withKey(padded(most))), 201)
        for (const key of [padded(most + 1), 'with a blank']) {
          expectRefusal(await write.post('/tasks', { title: unique() }, withKey(key)), 400)
        }
      },
    },
  ],
}
