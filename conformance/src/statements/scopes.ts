import type { Reply } from '../caller.ts'
import { CannotTry, expectEqual, expectHeader, expectRefusal, expectStatus, expectThat } from '../expect.ts'
import type { Section } from '../statement.ts'
import type { Json } from '../world.ts'

/** Counts are written down every ten seconds. */
const patience = { atLeastMs: 15_000, everyMs: 500 }

const requestsOf = ({ days }: Json): number =>
  days.reduce((sum: number, { requests }: Json) => sum + requests, 0)

export const scopes: Section = {
  name: 'Scopes',
  about: 'What a key may do, and how much it is used.',
  statements: [
    {
      number: '1.1',
      says: 'GET /me lists the scopes of the key; scope is read_write when one of them changes anything.',
      needs: ['read key'],
      check: async ({ write, read }) => {
        const [full, reading] = [(await write.get('/me')).body.key, (await read.get('/me')).body.key]
        expectThat(full.scopes.includes('guests:create'), 'guests:create', full.scopes)
        const verbs = reading.scopes.filter((scope: string) => !/:read$|^contacts:hidden$/.test(scope))
        expectEqual([reading.scope, verbs], ['read', []], 'scope, and scopes that are not for reading')
      },
    },
    {
      number: '1.2',
      says: 'What a key may not read is 403, in lists, single records and the feed.',
      needs: ['automation key'],
      check: async ({ automation }) => {
        const { scopes } = (await automation.get('/me')).body.key
        if (scopes.includes('campaigns:read')) throw new CannotTry('the automation key may read campaigns')
        for (const path of ['/campaigns', '/campaigns/1']) expectRefusal(await automation.get(path), 403)
        expectRefusal(await automation.get('/changes', { kinds: 'campaign' }), 403, 'scope-missing')
      },
    },
    {
      number: '1.3',
      says: 'A read-only key writes nothing at the newer addresses either.',
      needs: ['read key'],
      check: async ({ read }) => {
        for (const path of [
          '/waitlist',
          '/ticket-orders',
          '/batches',
          '/tasks/1/complete',
          '/leads/1/notes',
        ]) {
          expectRefusal(await read.post(path, {}), 403)
        }
        for (const kind of ['reservations', 'guests', 'leads', 'tasks', 'waitlist', 'subscribers']) {
          expectRefusal(await read.patch(`/${kind}/1`, {}, { 'if-match': '*' }), 403)
        }
      },
    },
    {
      number: '2.1',
      says: 'RateLimit and RateLimit-Policy say the same as the three headers.',
      check: async ({ write }) => {
        const reply = await write.get('/me')
        const limit = reply.headers.get('ratelimit-limit')
        expectHeader(reply, 'ratelimit-policy', new RegExp(`^"[^"]+";q=${limit};w=60$`))
        const left = reply.headers.get('ratelimit-remaining')
        const seconds = reply.headers.get('ratelimit-reset')
        expectHeader(reply, 'ratelimit', new RegExp(`^"[^"]+";r=${left};t=${seconds}$`))
      },
    },
    {
      number: '2.2',
      says: 'Without a known key no answer has rate headers.',
      check: async ({ nobody }) => {
        const reply = await nobody.get('/me')
        expectEqual(reply.headers.get('ratelimit-limit'), null, 'RateLimit-Limit of a 401')
      },
    },
    {
      number: '2.3',
      says: 'GET /usage counts the requests of the key by day; days is 1 to 90.',
      check: async ({ write, until }) => {
        // Two, since the day may end meanwhile.
        const counted = (): Promise<Reply> => write.get('/usage', { days: 2 })
        const before = await counted()
        expectStatus(before, 200)
        await write.get('/me')
        await until(counted, ({ body }) => requestsOf(body) > requestsOf(before.body), patience)
        for (const days of [0, 91, 'many']) expectRefusal(await write.get('/usage', { days }), 400)
      },
    },
    {
      number: '3',
      says: 'A key replaces itself only where its owner allowed it: else 403 rotation-off.',
      check: async ({ write }) => {
        if ((await write.get('/me')).body.key.mayRotate)
          throw new CannotTry('the owner lets this key replace itself')
        expectRefusal(await write.post('/key/rotate', { overlapHours: 1 }), 403, 'rotation-off')
      },
    },
  ],
}
