import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { inspect } from 'node:util'
import { searchGuests } from '../../crm/guests/search-guests.ts'
import { guestsPage } from '../../crm/guests/staff-reads.ts'
import type { ListPage } from '../../platform/kernel/list-page.ts'
import { leadBoard } from '../../crm/leads/board.ts'
import { leadsOfStage, leadsPage } from '../../crm/leads/reads.ts'
import {
  subscriberCounts,
  subscribersPage,
  suppressionsPage,
} from '../../marketing/subscribers/staff-reads.ts'
import { doneTasksPage, openTasksPage } from '../../crm/tasks/reads.ts'
import { eventsPage, occurrencesPage } from '../../tickets/event-reads.ts'
import { findOrders, ordersPage } from '../../tickets/order-reads.ts'
import { type Desk, openDesk } from '../desk.ts'
import { type TestService, startService } from '../service.ts'
import { timed } from '../run/timed.ts'

const rows = 10_000
const mostMs = 20

/*
 * Lists of ten thousand rows as staff read them. Each is walked to its end and compared with what is in the table, so
 * that paging neither repeats nor loses a row; and its first, a middle and its last page are timed for the bench.
 */
describe('staff lists of 10,000 rows', () => {
  let service: TestService
  let desk: Desk

  before(async () => {
    service = await startService()
    desk = await openDesk(service)
    const v = desk.venue.id
    // Ten rows of each moment, so that the id has to tell them apart.
    const at = `timestamptz '2026-01-01' + (g / 10) * interval '1 minute'`
    const fill = [
      `insert into guest (venue_id, name, email, email_key, phone, phone_key, created_at, updated_at)
       select v.id, (array['Maya','Ben','Ana','Émile'])[1 + g % 4] || ' ' || chr(97 + g % 26) || 'okafor' || g,
              'g' || g || '@example.com', 'g' || g || '@example.com', null, (2125550000 + g)::text, ${at}, ${at}
         from generate_series(1, ${rows}) g cross join (values (${v}::bigint), (${v}::bigint + 100000)) v (id)`,
      `insert into subscriber (venue_id, email, email_key, status, source, created_at, updated_at)
       select ${v}, 'g' || g || '@example.com', 'g' || g || '@example.com',
              (array['subscribed','subscribed','unsubscribed','pending'])[1 + g % 4], 'import', ${at}, ${at}
         from generate_series(1, ${rows}) g`,
      `insert into tag (venue_id, name, name_key) values (${v}, 'Wine', 'wine'), (${v}, 'Rare', 'rare')`,
      `insert into subscriber_tag (venue_id, subscriber_id, tag_id)
       select ${v}, s.id, t.id from subscriber s join tag t on t.name = 'Wine' or s.id % 2000 = 7 where s.id % 2 = 1`,
      `insert into suppression (venue_id, email_key, reason, created_at)
       select ${v}, 'g' || g || '@example.com', 'bounced', ${at} from generate_series(1, ${rows}) g`,
      `insert into lead (venue_id, contact_name, stage, priority, submitted_via, created_at, updated_at)
       select ${v}, 'Maya', (array['Inquiry','Proposal','Lost','Odd'])[1 + g % 4], 'Low', 'import', ${at}, ${at}
         from generate_series(1, ${rows}) g`,
      `insert into task (venue_id, title, due, priority, category, done, done_at, created_at, updated_at)
       select ${v}, 'Task', case when g % 3 > 0 then date '2026-01-01' + g / 40 end, 'Low', 'Other', g % 2 = 1,
              case when g % 2 = 1 then ${at} end, ${at}, ${at}
         from generate_series(1, ${2 * rows}) g`,
      `insert into ticketed_event (venue_id, name, created_at)
       select ${v}, 'Event ' || g, ${at} from generate_series(1, ${rows}) g`,
      `insert into occurrence (venue_id, event_id, date, capacity, price_cents)
       select ${v}, id, date '2026-01-01' + (id / 20)::integer, 100, 100 from ticketed_event`,
      `insert into ticket_order (venue_id, occurrence_id, order_number, status, channel, payment_method, seats,
         subtotal_cents, total_cents, buyer_email, buyer_email_key, created_at, updated_at)
       select ${v}, (select min(id) from occurrence) + g % 100, 'BD-' || g,
              (array['paid','refunded','cancelled','paid'])[1 + g % 4], 'box_office', 'cash', 1, 100, 100,
              'g' || g || '@example.com', 'g' || g || '@example.com', ${at}, ${at}
         from generate_series(1, ${rows}) g`,
      'analyze',
    ]
    await service.db.session(async (client) => {
      for (const statement of fill) await client.query(statement)
    })
  })
  after(() => service.stop())

  type Read = (
    db: TestService['db'],
    venue: Desk['venue']['id'],
    limit: number,
    after: string | null,
  ) => Promise<ListPage<object>>
  const lists: [name: string, count: number, read: Read][] = [
    ['guests', rows, (db, venue, limit, after) => guestsPage(db, venue, { limit, after })],
    ['subscribers', rows, (db, venue, limit, after) => subscribersPage(db, venue, {}, { limit, after })],
    [
      'subscribers of a state',
      rows / 2,
      (db, venue, limit, after) => subscribersPage(db, venue, { status: 'subscribed' }, { limit, after }),
    ],
    [
      'subscribers under a tag',
      rows / 2,
      (db, venue, limit, after) => subscribersPage(db, venue, { tag: 1 }, { limit, after }),
    ],
    [
      'subscribers under a rare tag',
      5,
      (db, venue, limit, after) => subscribersPage(db, venue, { tag: 2 }, { limit, after }),
    ],
    [
      'the do-not-email list',
      rows,
      (db, venue, limit, after) => suppressionsPage(db, venue, { limit, after }),
    ],
    ['leads', rows, (db, venue, limit, after) => leadsPage(db, venue, { limit, after })],
    [
      'leads of a stage',
      rows / 4,
      (db, venue, limit, after) => leadsOfStage(db, venue, 'Lost', { limit, after }),
    ],
    ['open tasks', rows, (db, venue, limit, after) => openTasksPage(db, venue, {}, { limit, after })],
    ['done tasks', rows, (db, venue, limit, after) => doneTasksPage(db, venue, { limit, after })],
    ['events', rows, (db, venue, limit, after) => eventsPage(db, venue, { limit, after })],
    [
      'dates on sale',
      rows,
      (db, venue, limit, after) =>
        occurrencesPage(db, venue, { from: '2026-01-01', now: service.context.clock() }, { limit, after }),
    ],
    ['orders', rows, (db, venue, limit, after) => ordersPage(db, venue, {}, { limit, after })],
    [
      'orders of a status',
      rows / 4,
      (db, venue, limit, after) => ordersPage(db, venue, { status: 'cancelled' }, { limit, after }),
    ],
    [
      'orders of a date',
      rows / 100,
      (db, venue, limit, after) => ordersPage(db, venue, { occurrence: 1 }, { limit, after }),
    ],
  ]
  for (const [name, count, read] of lists) {
    it(`${name}: no row twice, none lost`, async () => {
      const ids: unknown[] = []
      const starts: (string | null)[] = []
      for (let after: string | null = null; ;) {
        starts.push(after)
        const page = await read(service.db, desk.venue.id, 1_000, after)
        ids.push(
          ...page.rows.map((row) => ('id' in row ? row.id : 'email_key' in row ? row.email_key : undefined)),
        )
        if (page.next === null) break
        after = page.next
      }
      assert.deepEqual([ids.length, new Set(ids).size], [count, count])
      const pages = [null, starts[Math.floor(starts.length / 2)] ?? null, starts.at(-1) ?? null]
      for (const after of pages) {
        const page = await timed(name, mostMs, () => read(service.db, desk.venue.id, 50, after))
        assert.ok(page.rows.length > 0 && page.rows.length <= 50, `${page.rows.length} rows after ${after}`)
      }
    })
  }

  const finds: [name: string, read: (db: TestService['db'], venue: Desk['venue']) => Promise<unknown>][] = [
    ['guests by a letter', (db, { id }) => searchGuests(db, id, 'm')],
    ['guests by a name', (db, { id }) => searchGuests(db, id, 'aokafor26')],
    ['guests by a first and a last name', (db, { id }) => searchGuests(db, id, 'ana cokafor')],
    ['guests by the beginning of an address', (db, { id }) => searchGuests(db, id, 'g12@')],
    [
      'guests by the beginning of an address that stops before its @',
      (db, { id }) => searchGuests(db, id, 'g12'),
    ],
    ['guests by a number', (db, { id }) => searchGuests(db, id, '+1 212 555 9999')],
    ['guests by the last digits', (db, { id }) => searchGuests(db, id, '5999')],
    ['the board of leads', (db, { id }) => leadBoard(db, id, 50)],
    ['subscribers counted', (db, { id }) => subscriberCounts(db, id)],
    ['an order by its number', (db, venue) => findOrders(db, venue, 'bd-4711')],
    ['orders by an address', (db, venue) => findOrders(db, venue, 'g4711@example.com')],
  ]
  for (const [name, read] of finds) {
    it(`${name}: found among them`, async () => {
      const found = await timed(name, mostMs, () => read(service.db, desk.venue))
      assert.match(inspect(found), /\d/)
    })
  }

  it('a place in a list that cannot be read is its first page', async () => {
    const first = await guestsPage(service.db, desk.venue.id, { limit: 2, after: null })
    for (const after of [
      '',
      '~',
      'x~1',
      '2026-01-01T00:00:00Z',
      "2026-01-01T00:00:00Z~1'",
      `2026-01-01T00:00:00Z~${'9'.repeat(30)}`,
      '\u0000~\u0000',
    ]) {
      assert.deepEqual(await guestsPage(service.db, desk.venue.id, { limit: 2, after }), first, after)
    }
  })
})
