import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, describe, it } from 'node:test'
import { figureNames } from '@venue-data/contract/records/figures.ts'
import { type TestBook, openBook, staff } from '../../book/reservations/test/book.ts'
import { moveReservation } from '../../book/reservations/moves.ts'
import { makeDemo } from '../../demo/make-demo.ts'
import { statementsOf } from '../../platform/db/migrate.ts'
import { openGate } from '../../platform/db/gate.ts'
import { rowsOf } from '../../test/rows.ts'
import { type TestService, startService } from '../../test/service.ts'
import { countFigures } from './count-figures.ts'
import { countedFigures } from './figure-names.ts'
import { type SqlRow, figuresBySql, sorted } from './test/by-sql.ts'

type Row = Omit<SqlRow, 'name'>

describe('figures by key', () => {
  let service: TestService
  let book: TestBook
  before(async () => {
    service = await startService()
    book = await openBook(service)
  })
  after(() => service.stop())

  const ask = (query: Record<string, string>, key = book.venue.key) =>
    service.call('GET', `/api/v1/figures?${new URLSearchParams(query).toString()}`, { key })
  const rows = async (name: string, from: string, to = from, of = book): Promise<Row[]> => {
    const { status, text, body } = await ask({ from, to, names: name }, of.venue.key)
    assert.equal(status, 200, text)
    return body.figures[0].rows
  }
  const shown = async (name: string, from: string, to = from, of = book): Promise<string[]> =>
    (await rows(name, from, to, of)).map(
      ({ key, n, d }) => `${Object.values(key).join(' ')}: ${d === null ? n : `${n}/${d}`}`,
    )
  const seated = async (of: TestBook, date: string, time: string, at: string): Promise<void> => {
    const id = await of.booking('Completed', { date, time, partySize: 2 })
    await of.query(`update reservation set seated_at = $3 where venue_id = $1 and id = $2`, [
      of.venue.id,
      id,
      at,
    ])
  }

  it('a party at half past midnight counts in the service that it is of, on the day before', async () => {
    await seated(book, '2026-09-05', '00:30', '2026-09-05T04:40:00Z')
    assert.deepEqual(await shown('parties', '2026-09-04'), ['2026-09-04 Dinner: 1'])
    assert.deepEqual(await shown('arrivals', '2026-09-04'), ['5 98 booked: 2/1', '5 98 seated: 2/1'])
    assert.deepEqual(await shown('parties', '2026-09-05'), [])
  })

  it('both half past ones of the night that has two are one quarter of an hour, and the spring night has none', async () => {
    const autumn = await openBook(service)
    // The clocks of New York went back on November 2, 2025, at two.
    await seated(autumn, '2025-11-01', '23:00', '2025-11-02T05:30:00Z')
    await seated(autumn, '2025-11-01', '23:00', '2025-11-02T06:30:00Z')
    // And forward on March 8, 2026: half an hour after half past one it is three.
    await seated(autumn, '2026-03-07', '23:00', '2026-03-08T06:30:00Z')
    await seated(autumn, '2026-03-07', '23:00', '2026-03-08T07:00:00Z')
    const quarters = async (date: string) =>
      (await shown('arrivals', date, date, autumn)).filter((row) => row.includes('seated'))
    assert.deepEqual(await quarters('2025-11-01'), ['6 102 seated: 4/1'])
    assert.deepEqual(await quarters('2026-03-07'), ['6 102 seated: 2/1', '6 108 seated: 2/1'])
  })

  it('a moved, deleted or undone booking counts as it stands now, on its new date alone', async () => {
    const other = await openBook(service)
    const id = await other.booking('No-show', { date: '2026-10-05' })
    assert.ok((await shown('no_shows', '2026-10-05', '2026-10-05', other)).includes('parties: 1/1'))
    const undone = await other.act((work) =>
      moveReservation(work, staff('manager'), { id, move: 'undoNoShow' }),
    )
    assert.equal(undone.kind, 'done')
    assert.deepEqual(await shown('open_ends', '2026-10-05', '2026-10-05', other), ['2026-10-05 Confirmed: 1'])
    assert.ok((await shown('no_shows', '2026-10-05', '2026-10-05', other)).includes('parties: 0/0'))
    const confirmed = ['another-day'] as const
    const late = await other.act((work) =>
      moveReservation(work, staff('manager'), { id, move: 'seat', confirmed }),
    )
    assert.equal(late.kind, 'done')
    assert.ok((await shown('no_shows', '2026-10-05', '2026-10-05', other)).includes('parties: 0/1'))
    assert.deepEqual(await shown('parties', '2026-10-05', '2026-10-05', other), ['2026-10-05 Dinner: 1'])
    await other.query('update reservation set service_date = $3, date = $3 where venue_id = $1 and id = $2', [
      other.venue.id,
      id,
      '2026-10-04',
    ])
    assert.deepEqual(await shown('parties', '2026-10-04', '2026-10-05', other), ['2026-10-04 Dinner: 1'])
    await other.query('delete from reservation where venue_id = $1 and id = $2', [other.venue.id, id])
    assert.deepEqual(await shown('parties', '2026-10-04', '2026-10-05', other), [])
  })

  it('the first answer of staff to a request is kept for good, and older ones are found in the trail', async () => {
    const other = await openBook(service)
    const id = await other.booking('Requested', { date: '2026-10-08' })
    const move = (name: 'confirm' | 'cancel' | 'undoCancel') =>
      other.act((work) =>
        moveReservation(work, staff('manager'), {
          id,
          move: name,
          ...(name === 'cancel' && { decidedBy: 'staff' }),
        }),
      )
    const answered = () =>
      other.query('select answered_at::text, status from reservation where id = $1', [id])
    assert.equal((await answered())[0]?.['answered_at'], null)
    await move('cancel')
    const [first] = await answered()
    assert.ok(first?.['answered_at'])
    assert.ok((await shown('answered', '2026-10-08', '2026-10-08', other)).includes('declined: 1/1'))
    await move('undoCancel')
    assert.deepEqual(
      (await shown('answered', '2026-10-08', '2026-10-08', other)).toSorted(),
      ['declined: 0/0', 'unanswered: 1'],
      'taken back, it waits again',
    )
    await other.query(`update reservation set answered_at = answered_at - interval '1 hour' where id = $1`, [
      id,
    ])
    const [earlier] = await answered()
    await move('confirm')
    assert.equal((await answered())[0]?.['answered_at'], earlier?.['answered_at'], 'written once')
    assert.ok((await shown('answered', '2026-10-08', '2026-10-08', other)).includes('declined: 0/1'))

    const byGuest = await other.booking('Requested', { date: '2026-10-08' })
    await other.act((work) => moveReservation(work, { kind: 'guest' }, { id: byGuest, move: 'cancel' }))
    const stamped = await other.query('select answered_at from reservation where id = $1', [byGuest])
    assert.equal(stamped[0]?.['answered_at'], null, 'a guest answers nobody')

    await other.query('update reservation set answered_at = null where venue_id = $1', [other.venue.id])
    const file = new URL('../../platform/db/migrations/0097-requests-answered-before.sql', import.meta.url)
    const [fill = ''] = statementsOf(await readFile(file, 'utf8'))
    await rowsOf(service, fill)
    assert.equal((await answered())[0]?.['answered_at'], first['answered_at'])
    assert.deepEqual(
      await other.query('select answered_at from reservation where id = $1', [byGuest]),
      stamped,
    )
  })

  it('a partly refunded order is money of the date of its event, net of what went back', async () => {
    const { venue, query } = await openBook(service)
    const made = await query(
      `insert into ticketed_event (venue_id, name, created_at) values ($1, 'Wine', now()) returning id`,
      [venue.id],
    )
    const event = Number(made[0]?.['id'])
    const held = await query(
      `insert into occurrence (venue_id, event_id, date, capacity, price_cents) values ($1, $2, '2026-09-20', 50, 5000) returning id`,
      [venue.id, event],
    )
    const order = (number: string, status: string, refunded: number, returned: number, code: string | null) =>
      query(
        `insert into ticket_order (venue_id, occurrence_id, order_number, status, channel, payment_method, seats, subtotal_cents,
           fee_cents, total_cents, refunded_cents, seats_returned, promo_code, created_at, updated_at)
         values ($1, $2, $3, $4, 'box_office', 'cash', 4, 20000, 400, 20400, $5, $6, $7, '2026-08-01', '2026-10-02')`,
        [venue.id, held[0]?.['id'], number, status, refunded, returned, code],
      )
    await order('A1', 'partially_refunded', 5000, 1, 'EARLY')
    await order('A2', 'paid', 0, 0, null)
    await order('A3', 'paid_unconfirmed', 0, 0, 'EARLY')
    await order('A4', 'cancelled', 0, 0, 'EARLY')
    const figures = await service.call(
      'GET',
      '/api/v1/figures?from=2026-09-20&to=2026-09-20&names=ticket_money',
      {
        key: venue.key,
      },
    )
    const rowsFound: Row[] = figures.body.figures[0].rows
    assert.deepEqual(
      Object.fromEntries(rowsFound.map(({ key, n }) => [`${key['code'] ?? ''}${key['measure']}`, n])),
      {
        ...{ EARLYorders: 1, discounts: 0, fees: 800, gross: 40_800, net: 35_800, refunded: 5_000 },
        ...{ seats: 7, taxes: 0, unconfirmed: 20_400 },
      },
    )
    const later = await service.call(
      'GET',
      '/api/v1/figures?from=2026-10-02&to=2026-10-02&names=ticket_money',
      {
        key: venue.key,
      },
    )
    assert.deepEqual(later.body.figures[0].rows, [], 'nothing of the day on which money went back')
  })

  it('a campaign says what it brought with 100 held back, and with 99 that they are too few to tell', async () => {
    const { venue, query } = await openBook(service)
    const campaign = async (held: number): Promise<number> => {
      const [row] = await query(
        `insert into campaign (venue_id, name, subject, status, holdout_pct, started_at, finished_at, row_count, held_count, sent_count,
           created_at, updated_at)
         values ($1, 'News', 'News', 'sent', 50, '2026-09-01T12:00:00Z', '2026-09-01T13:00:00Z', $2, $3, 100, now(), now()) returning id::int`,
        [venue.id, held + 100, held],
      )
      await query(
        `insert into recipient (venue_id, campaign_id, subscriber_id, email_key, state, due_at)
         select $1, $2, n, 'p' || n || '@example.com', case when n <= 100 then 'sent' else 'held' end, now()
           from generate_series(1, 100 + $3::int) n`,
        [venue.id, row?.['id'], held],
      )
      return Number(row?.['id'])
    }
    const [few, enough] = [await campaign(99), await campaign(100)]
    await query(
      `insert into reservation (venue_id, email_key, status, source, created_at, updated_at)
       select $1, 'p' || n || '@example.com', 'Confirmed', 'public', m.at::timestamptz, now()
         from (values (1, '2026-09-01T12:00:00Z'), (2, '2026-09-08T12:00:00Z'), (3, '2026-09-08T12:00:00.001Z'),
                      (4, '2026-09-01T11:59:59Z'), (101, '2026-09-03T12:00:00Z')) as m (n, at)`,
      [venue.id],
    )
    const { body } = await service.call(
      'GET',
      '/api/v1/figures?from=2026-09-01&to=2026-09-01&names=campaigns',
      {
        key: venue.key,
      },
    )
    const of = (id: number): Record<string, unknown> =>
      Object.fromEntries(
        (body.figures[0].rows as Row[])
          .filter(({ key }) => key['campaign'] === id)
          .map(({ key, n, d, value }) => [key['measure'], d === null ? value : `${n}/${d}`]),
      )
    assert.deepEqual(of(few), { complaints: 0, difference: null, failed: 0, left: 0, sent: 100 })
    const told = of(enough)
    assert.deepEqual([told['sent_booked'], told['held_booked'], told['difference']], ['2/100', '1/100', 0.01])
    assert.ok(Number(told['difference_low']) < 0 && Number(told['difference_high']) > 0.01)
  })

  it('compares with the same days before, or with the same weekdays a year earlier', async () => {
    const asked = { from: '2026-09-28', to: '2026-10-04', names: 'parties' }
    const compared = async (compare: string) => {
      const { body } = await ask({ ...asked, compare })
      return [body.compared.from, body.compared.to, body.compared.figures[0].name]
    }
    assert.deepEqual(await compared('before'), ['2026-09-21', '2026-09-27', 'parties'])
    assert.deepEqual(await compared('year'), ['2025-09-29', '2025-10-05', 'parties'])
    assert.equal((await ask(asked)).body.compared, null)
    const first = { from: '0001-01-01', to: '0001-01-02', names: 'parties', compare: 'year' }
    assert.equal((await ask(first)).body.compared, null, 'there is nothing before')
    assert.equal((await ask(asked)).body.currency, 'USD')
  })

  it('says how many bookings of these dates have no service, so that none counts them', async () => {
    const other = await openBook(service)
    const id = await other.booking('Completed', { date: '2026-10-01' })
    await other.query(
      'update reservation set service_date = null, service_minute = null where venue_id = $1 and id = $2',
      [other.venue.id, id],
    )
    const { body } = await ask({ from: '2026-10-01', to: '2026-10-01' }, other.venue.key)
    assert.equal(body.leftOut, 1)
    assert.deepEqual(
      body.figures.map(({ name }: { name: string }) => name),
      figureNames,
    )
  })

  it('a rate of nothing is null, and is there', async () => {
    assert.deepEqual(await rows('no_shows', '2020-01-01'), [
      { key: { measure: 'covers' }, n: 0, d: 0, value: null },
      { key: { measure: 'parties' }, n: 0, d: 0, value: null },
    ])
  })

  it('are of at most 400 days, and what cannot be read is refused with a sentence', async () => {
    assert.equal((await ask({ from: '2025-09-01', to: '2026-10-05', names: 'sizes' })).status, 200)
    for (const query of [
      {},
      { from: '2026-10-01' },
      { from: '2026-10-01', to: '2026-02-30' },
      { from: '2026-10-02', to: '2026-10-01' },
      { from: '2025-09-01', to: '2026-10-06' },
      { from: '2026-10-01', to: '2026-10-02', names: 'weather' },
      { from: '2026-10-01', to: '2026-10-02', names: 'sizes,sizes' },
      { from: '2026-10-01', to: '2026-10-02', names: '' },
      { from: '2026-10-01', to: '2026-10-02', compare: 'decade' },
    ] as Record<string, string>[]) {
      const { status, body } = await ask(query)
      assert.equal(status, 400, JSON.stringify(query))
      assert.match(body.error, /^(?:to|from|names|compare) must /)
    }
  })

  it('needs a scope that no key had before, and says no name, address or number', async () => {
    const { key, id } = await book.venue.makeKey('read_write')
    await rowsOf(service, 'update api_key set scopes = null where id = $1', [id])
    const refused = await ask({ from: '2026-10-01', to: '2026-10-02' }, key)
    assert.deepEqual([refused.status, refused.body.reason], [403, 'scope-missing'])

    const contact = { guestName: 'Zebedee Quill', email: 'zebedee@example.com', phone: '+1 212 555 0188' }
    await book.booking('Completed', { date: '2026-10-01', ...contact })
    await book.booking('No-show', { date: '2026-10-01', ...contact })
    const hiding = await book.venue.makeKey('read', 'api', { scopes: ['reports:read', 'contacts:hidden'] })
    const days = { from: '2026-10-01', to: '2026-10-02' }
    const ofBook = await ask(days, hiding.key)
    const open = await ask(days)
    assert.equal(ofBook.status, 200, ofBook.text)
    const namesOf = (answer: typeof open): string[] =>
      answer.body.figures.map(({ name }: { name: string }) => name)
    const others = ['waits', 'ticket_money', 'list', 'campaigns', 'leads']
    assert.deepEqual(namesOf(open), figureNames)
    assert.deepEqual(
      ofBook.body.figures,
      open.body.figures.filter(({ name }: { name: string }) => !others.includes(name)),
      'there is nothing in it to hide',
    )
    for (const names of others) {
      const closed = await ask({ ...days, names }, hiding.key)
      assert.deepEqual([closed.status, closed.body.reason], [403, 'scope-missing'], names)
    }
    assert.doesNotMatch(open.text, /zebedee|quill|0188/i)
    const elsewhere = await service.venue()
    assert.deepEqual(
      (await ask({ from: '2026-10-01', to: '2026-10-01', names: 'sizes' }, elsewhere.key)).body.figures[0]
        .rows,
      [],
    )
  })
})

/** What the demo has none of, so that every branch of a definition is counted. */
const plantedInDemo = [
  `update reservation set status = 'Confirmed' where id % 97 = 0 and status = 'Completed'`,
  `update reservation set status = 'Requested' where id % 101 = 0 and status = 'Completed'`,
  `update reservation set party_size = null where id % 89 = 0`,
  `update reservation set import_key = id::text, source = 'import' where id % 83 = 0`,
  `update reservation set cancelled_from = null, cancelled_by = null where id % 5 = 0 and status = 'Cancelled'`,
  `update reservation set cancelled_at = starts_at - interval '24 hours' where id % 7 = 0 and status = 'Cancelled'`,
  // A person's import that was erased since, and one of which the file did not say when it was cancelled.
  `update reservation set import_key = null where id % 166 = 0`,
  `update reservation set import_key = id::text, source = 'import', cancelled_by = 'guest', cancelled_at = starts_at + interval '30 days' where id % 13 = 0 and status = 'Cancelled'`,
  `update reservation set answered_at = created_at + interval '5 minutes' where id % 103 = 0 and status = 'Requested'`,
  `update reservation set party_size = 14 where id % 79 = 0`,
  `update guest set imported_visit_count = 2 where id % 11 = 0`,
  `update reservation set duration_minutes = null where id % 6 = 0`,
  `update reservation set completed_at = completed_at - interval '30 seconds' where id % 4 = 0 and completed_at is not null`,
  `update ticket_order set status = 'paid_unconfirmed', refunded_cents = 0 where id % 9 = 0 and status = 'paid'`,
  `update waitlist_entry set quoted_minutes = quoted_minutes + 3 where id % 3 = 0`,
  `update reservation set created_at = seated_at where id % 73 = 0 and status = 'Completed'`,
  // More values than a report names, some of them as often as others, and a test account beside a live one.
  `insert into visit_day (venue_id, day, door, step, dimension, value, n)
   select v.id, date '2026-03-01' + n, 'book', case n % 3 when 0 then 'booked' else 'opened' end, 'from', 'site' || (n * 7 % 80) || '.example', 1 + n % 4
     from venue v, generate_series(1, 200) n where v.slug = 'blue-door'`,
  `insert into visit_day (venue_id, day, door, step, dimension, value, n)
   select v.id, '2026-03-01', 'book', 'opened', 'from', 'other', 9 from venue v where v.slug = 'blue-door'`,
  `insert into refused_request (venue_id, service_date, service_minute, size, reason, door, n)
   select v.id, date '2026-03-01' + n, case n % 5 when 0 then -1 else 1080 + 15 * (n % 9) end, '2',
          (array['pacing-covers-full', 'tables-full', 'closed', 'nothing-open'])[1 + n % 4], (array['api', 'book'])[1 + n % 2], 1 + n % 3
     from venue v, generate_series(1, 200) n where v.slug = 'blue-door'
   on conflict do nothing`,
  `insert into processor_account (venue_id, id, live, key_sealed, made_at, ended_at)
   select v.id, gen_random_uuid(), live, '', now(), case when live then null else now() end
     from venue v, (values (true), (false)) as a (live) where v.slug = 'blue-door'`,
  `update ticket_order set payment_method = 'processor_link' where id % 5 = 0`,
  `insert into payment (venue_id, ref, account_id, order_id, amount_cents, currency, via, state, made_at)
   select t.venue_id, gen_random_uuid(), a.id, t.id, 100, 'USD', 'processor', 'succeeded', now()
     from ticket_order t join processor_account a on a.venue_id = t.venue_id and a.live = (t.id % 10 > 0)
    where t.id % 5 = 0`,
  // Two campaigns that held addresses back: of one enough, some of whom booked in time, and some too late.
  `with sent as (
     insert into campaign (venue_id, name, subject, status, holdout_pct, started_at, finished_at, row_count, held_count, sent_count,
       created_at, updated_at)
     select v.id, 'Held ' || held, 'News', 'sent', 50, '2026-07-01T12:00:00Z', '2026-07-01T13:00:00Z', held + 140, held, 140, now(), now()
       from venue v, (values (110), (99)) as kept (held) where v.slug = 'blue-door' returning venue_id, id, held_count)
   insert into recipient (venue_id, campaign_id, subscriber_id, email_key, state, due_at)
   select venue_id, id, 900000 + n, 'held' || n || '@example.net', case when n <= 140 then 'sent' else 'held' end, now()
     from sent, lateral generate_series(1, 140 + held_count) n`,
  `insert into reservation (venue_id, email_key, status, source, created_at, updated_at)
   select v.id, 'held' || n || '@example.net', 'Cancelled', 'public',
          timestamptz '2026-07-01T12:00:00Z' + (case n % 3 when 0 then 0 when 1 then 168 else 169 end) * interval '1 hour', now()
     from venue v, generate_series(1, 250, 4) n where v.slug = 'blue-door'`,
  `insert into guarantee (venue_id, reservation_id, account_id, kind, status, amount_cents, paid_cents, refunded_cents, currency, free_until,
     sentence, language, agreed_at, taken_off_at)
   select r.venue_id, r.id, a.id, (array['card', 'deposit', 'prepaid'])[1 + r.id % 3], 'paid', 5000, case r.id % 5 when 0 then 0 else 5000 end,
          case r.id % 5 when 1 then 2000 else 0 end, 'USD', now(), '', 'en', now(), case r.id % 4 when 1 then now() end
     from reservation r join processor_account a on a.venue_id = r.venue_id and a.live = (r.id % 3 > 0)
    where r.id % 7 = 0 and r.service_date is not null`,
  `insert into key_usage_day (key_id, day, endpoint, class, count)
   select k.id, date '2026-10-01' + n, case when c.class in ('delivered', 'failed', 'peak') then '' else 'GET /api/v1/me' end, c.class, n + 3
     from api_key k, generate_series(0, 4) n, unnest(array['2xx', '4xx', '429', 'delivered', 'failed', 'peak']) as c (class)
   on conflict do nothing`,
]

describe("figures of the demo's year", () => {
  let service: TestService
  before(async () => {
    service = await startService()
    await makeDemo(service.context, { scale: 0.1 })
    for (const text of plantedInDemo) await rowsOf(service, text)
  })
  after(() => service.stop())

  it('are what a program of its own in SQL counts, each of them', async () => {
    const [venue] = await rowsOf<{ id: number; timezone: string }>(
      service,
      `select id::int, timezone from venue where slug = 'blue-door'`,
    )
    assert.ok(venue)
    const today = '2026-10-06'
    const period = { from: '2025-10-01', to: '2026-10-31' }
    const statements: string[] = []
    const db = service.db.within(venue.id)
    const counting = new Proxy(db, {
      get: (of, name, self) => {
        const value: unknown = Reflect.get(of, name, self)
        if (typeof value !== 'function') return value
        return (statement: { text: string }) => {
          statements.push(statement.text)
          return value.call(of, statement)
        }
      },
    })
    const { figures, leftOut } = await countFigures(
      {
        ...{ db: counting, now: () => service.context.clock() },
        venue: { ...venue, phone: null } as never,
      },
      openGate({ places: 1, waitMs: 60_000 }),
      { ...period, names: countedFigures, compare: undefined },
    )
    const bySql = await figuresBySql(service, { venue: venue.id, zone: venue.timezone, today, ...period })
    assert.deepEqual(Object.keys(bySql).toSorted(), countedFigures.toSorted())
    for (const { name, rows } of figures) {
      assert.ok(rows.length > 0, name)
      assert.deepEqual(sorted(rows), sorted(bySql[name] ?? []), name)
    }
    assert.equal(leftOut, 0)
    const told = bySql['campaigns']?.filter(({ key }) => key['measure'] === 'difference_low') ?? []
    assert.ok(told.length === 1 && told[0]?.value !== null, 'one campaign was told apart from chance or not')
    assert.ok(statements.length <= 21, `${statements.length} statements of a year`)
    // The venue's own row says its currency.
    for (const text of statements) assert.match(text, /venue_id = \$\d| from venue where id = \$1$/)
    // Turn times that change within the classes of sizes.
    await rowsOf(service, `update booking_settings set turn_times = $2::jsonb where venue_id = $1`, [
      venue.id,
      JSON.stringify([1, 3, 7, 8, 10].map((upTo) => ({ upTo, minutes: 80 + 10 * upTo }))),
    ])
    const cut = await countFigures(
      {
        ...{ db, now: () => service.context.clock() },
        venue: { ...venue, phone: null } as never,
      },
      openGate({ places: 1, waitMs: 60_000 }),
      { ...period, names: ['stay_quarters'], compare: undefined },
    )
    const { stay_quarters: quarters = [] } = await figuresBySql(service, {
      ...{ venue: venue.id, zone: venue.timezone, today, ...period },
    })
    assert.deepEqual(sorted(cut.figures[0]?.rows ?? []), sorted(quarters))
    assert.ok(quarters.some(({ key }) => key['sizes'] === '9+' && key['measure'] === 'longer'))
  })
})
