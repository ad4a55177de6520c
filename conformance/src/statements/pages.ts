import type { Reply } from '../caller.ts'
import {
  expectEqual,
  expectHeader,
  expectNumbers,
  expectRefusal,
  expectStatus,
  expectThat,
} from '../expect.ts'
import type { Section } from '../statement.ts'
import type { Json } from '../world.ts'

const idsOf = ({ body }: Reply): number[] => body.map(({ id }: Json) => id)

export const pages: Section = {
  name: 'Pages',
  about: 'A list page by page, filtered and in another order.',
  statements: [
    {
      number: '1.1',
      says: 'An answer that is not the last page has a Link to the next one and its cursor in X-Next-Cursor.',
      check: async ({ make, write, unique }) => {
        const externalId = unique('Ext')
        for (let i = 0; i < 5; i++) await make.lead({ externalId })
        const whole = await write.get('/leads', { externalId, limit: 100 })
        expectThat(whole.headers.get('link') === null, 'no Link on the last page', whole.headers.get('link'))
        const ids: number[] = []
        let page = await write.get('/leads', { externalId, limit: 2 })
        for (;;) {
          ids.push(...idsOf(page))
          const link = page.headers.get('link')
          if (link === null || ids.length > 5) break
          expectThat(/^<.+>; ?rel="next"$/.test(link), 'a Link with rel="next"', link)
          const after = page.headers.get('x-next-cursor') ?? ''
          expectThat(link.includes(encodeURIComponent(after)), 'the cursor in the Link', link)
          page = await write.get('/leads', { externalId, limit: 2, after })
        }
        expectEqual(ids, idsOf(whole), 'the ids of all pages')
      },
    },
    {
      number: '1.2',
      says: 'Records that come in during the walk shift nothing.',
      check: async ({ make, write, unique }) => {
        const externalId = unique('Ext')
        for (let i = 0; i < 4; i++) await make.lead({ externalId })
        const first = await write.get('/leads', { externalId, limit: 2 })
        await make.lead({ externalId })
        const after = first.headers.get('x-next-cursor') ?? ''
        const second = await write.get('/leads', { externalId, limit: 2, after })
        const repeated = idsOf(second).filter((id) => idsOf(first).includes(id))
        expectEqual(repeated, [], 'ids of the second page that were on the first')
      },
    },
    {
      number: '1.3',
      says: 'A cursor is good for one list with the same filters and sort; any other use is 400.',
      check: async ({ make, write }) => {
        for (let i = 0; i < 2; i++) await make.guest()
        const after = (await write.get('/guests', { limit: 1 })).headers.get('x-next-cursor') ?? ''
        expectStatus(await write.get('/guests', { limit: 5, after }), 200)
        expectRefusal(await write.get('/guests', { after, sort: 'createdAt' }), 400)
        expectRefusal(await write.get('/guests', { after, email: 'nobody@example.com' }), 400)
        expectRefusal(await write.get('/leads', { after }), 400)
        expectRefusal(await write.get('/guests', { after: 'l1_nonsense' }), 400)
      },
    },
    {
      number: '2.1',
      says: 'until: created before this moment, the moment itself not included.',
      check: async ({ make, write }) => {
        const { id, createdAt } = await make.guest()
        const before = await write.get('/guests', { until: createdAt, limit: 100 })
        expectThat(!idsOf(before).includes(id), 'a list without the guest of that moment', idsOf(before))
        const later = new Date(Date.parse(createdAt) + 1).toISOString()
        const upTo = await write.get('/guests', { until: later, since: createdAt, limit: 100 })
        expectThat(idsOf(upTo).includes(id), 'the guest of that moment', idsOf(upTo))
      },
    },
    {
      number: '2.2',
      says: 'sort=createdAt is oldest first, -createdAt newest first; another word is 400.',
      check: async ({ make, write, unique }) => {
        const externalId = unique('Ext')
        const [first, second] = [await make.lead({ externalId }), await make.lead({ externalId })]
        const up = await write.get('/leads', { externalId, sort: 'createdAt' })
        const down = await write.get('/leads', { externalId, sort: '-createdAt' })
        expectEqual(idsOf(up), [first.id, second.id], 'the ids, oldest first')
        expectEqual(idsOf(down), [second.id, first.id], 'the ids, newest first')
        expectRefusal(await write.get('/leads', { sort: 'name' }), 400)
      },
    },
    {
      number: '2.3',
      says: 'sort=changed puts what was last changed last; updatedSince means it, and another sort with it is 400.',
      needs: ['clock'],
      check: async ({ make, write, advance }) => {
        const [first, second] = [await make.task(), await make.task()]
        await advance('1m')
        await write.patch(`/tasks/${first.id}`, { priority: 'High' }, { 'if-match': '*' })
        const list = await write.get('/tasks', { updatedSince: second.createdAt, limit: 100 })
        const order = idsOf(list).filter((id) => [first.id, second.id].includes(id))
        expectEqual(order, [second.id, first.id], 'the ids by their last change')
        const query = { updatedSince: second.createdAt, sort: '-createdAt' }
        expectRefusal(await write.get('/tasks', query), 400)
      },
    },
    {
      number: '3.1',
      says: 'status takes words separated by commas, in upper or lower case; an unknown one is 400.',
      check: async ({ make, write }) => {
        const { id } = await make.reservation()
        const list = await write.get('/reservations', { status: 'requested,CONFIRMED', limit: 100 })
        expectThat(idsOf(list).includes(id), 'the request', idsOf(list))
        for (const { status } of list.body) {
          expectThat(['Requested', 'Confirmed'].includes(status), 'Requested or Confirmed', status)
        }
        for (const status of ['Foo', '', 'Requested,Foo']) {
          expectRefusal(await write.get('/reservations', { status }), 400)
        }
      },
    },
    {
      number: '3.2',
      says: 'An unknown word of an open list matches nothing.',
      check: async ({ write }) => {
        expectEqual((await write.get('/leads', { stage: 'Daydream' })).body, [], 'leads at that stage')
        expectEqual((await write.get('/reservations', { source: 'pigeon' })).body, [], 'bookings by pigeon')
      },
    },
    {
      number: '3.3',
      says: 'dateFrom and dateTo are dates at the venue, both included; the wrong way around is 400.',
      check: async ({ make, write }) => {
        const { id, date } = await make.reservation()
        const day = await write.get('/reservations', { dateFrom: date, dateTo: date, limit: 100 })
        expectThat(idsOf(day).includes(id), 'the booking of that day', idsOf(day))
        for (const one of day.body) expectEqual(one.date, date, 'the date of every booking')
        const query = { dateFrom: '2026-12-02', dateTo: '2026-12-01' }
        expectRefusal(await write.get('/reservations', query), 400)
      },
    },
    {
      number: '3.4',
      says: 'email and phone compare as searches do; with both, either is enough.',
      check: async ({ make, write, person }) => {
        const a = await make.lead({ email: person().email })
        const b = await make.lead({ phone: person().phone })
        const query = { email: a.contactEmail.toUpperCase(), phone: b.contactPhone.replaceAll(/\D/g, '') }
        expectNumbers(idsOf(await write.get('/leads', query)), [a.id, b.id], 'the ids')
        expectEqual(idsOf(await write.get('/leads', { email: query.email })), [a.id], 'the ids by address')
      },
    },
    {
      number: '3.5',
      says: 'externalId finds what carries an id of your own, to the letter.',
      check: async ({ make, write, unique }) => {
        const externalId = unique('Ext')
        const { id } = await make.lead({ externalId })
        expectEqual(idsOf(await write.get('/leads', { externalId })), [id], 'the ids')
        const other = await write.get('/leads', { externalId: externalId.toLowerCase() })
        expectEqual(other.body, [], 'what is found in other letters')
      },
    },
    {
      number: '4.1',
      says: 'count=true adds X-Count: how many match in all.',
      check: async ({ make, write, unique }) => {
        const externalId = unique('Ext')
        for (let i = 0; i < 3; i++) await make.task({ externalId })
        const counted = await write.get('/tasks', { externalId, limit: 1, count: 'true' })
        expectHeader(counted, 'x-count', /^3$/)
        const plain = await write.get('/tasks', { externalId })
        expectThat(plain.headers.get('x-count') === null, 'no X-Count unasked', plain.headers.get('x-count'))
      },
    },
    {
      number: '4.2',
      says: 'X-Changes-Cursor is the position in GET /changes from before the rows.',
      check: async ({ make, write }) => {
        const list = await write.get('/tasks', { limit: 1 })
        const after = list.headers.get('x-changes-cursor') ?? ''
        const { id } = await make.task()
        const { body } = await write.get('/changes', { after, kinds: 'task' })
        expectThat(
          body.changes.some((change: Json) => change.id === id),
          'the task that was made after the list',
          body.changes,
        )
      },
    },
  ],
}
