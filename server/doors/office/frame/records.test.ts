import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import type { OfficeVisitor } from '../../../test/office.ts'
import { atWork, furnished, make } from '../../../test/office-forms.ts'
import { countOf, rowsOf } from '../../../test/rows.ts'
import { type TestService, type TestVenue, startService } from '../../../test/service.ts'
import { activityPages } from '../activity/routes.ts'
import { guestPages } from '../guests/routes.ts'
import { leadPages } from '../leads/routes.ts'
import type { VenuePage } from './serve-page.ts'
import { subscriberPages } from '../subscribers/routes.ts'
import { taskPages } from '../tasks/routes.ts'
import { ticketPages } from '../tickets/routes.ts'
import { timed } from '../../../test/run/timed.ts'

const rows: readonly VenuePage[] = [
  ...activityPages,
  ...guestPages,
  ...leadPages,
  ...subscriberPages,
  ...taskPages,
  ...ticketPages({} as never),
]

/** Whose id is in an address, by what comes before it. */
const kinds: Readonly<Record<string, string>> = {
  guests: 'guest',
  leads: 'lead',
  tasks: 'task',
  subscribers: 'subscriber',
  events: 'event',
  dates: 'date',
  orders: 'order',
  refunds: 'refund',
  codes: 'code',
  notes: 'note',
}

/** The address of a row with the ids of somebody's records. */
const addressOf = (path: string, ids: Readonly<Record<string, string>>): string =>
  path.replaceAll(/(\w+)\/:\w+/g, (_, plural: string) => `${plural}/${ids[kinds[plural] ?? ''] ?? '1'}`)

/** Fields that every form could be pleased with. */
const plausible = {
  version: '1',
  otherVersion: '1',
  stage: 'Proposal',
  priority: 'High',
  category: 'Menu',
  kind: 'note',
  text: 'x',
  note: 'x',
  title: 'x',
  name: 'x',
  contactName: 'x',
  date: '2026-12-01',
  capacity: '10',
  price: '5',
  seats: '1',
  method: 'cash',
  shownTotalCents: '9500',
  amount: '1',
  via: 'cash',
  outcome: 'succeeded',
  do: 'dismiss',
  code: 'X1',
  off: '10',
}

describe('the pages of records', () => {
  let service: TestService
  let venue: TestVenue
  let manager: OfficeVisitor
  let host: OfficeVisitor
  let own: Awaited<ReturnType<typeof furnished>>
  let foreign: Awaited<ReturnType<typeof furnished>>
  before(async () => {
    service = await startService()
    const mine = await atWork(service)
    venue = mine.venue
    manager = mine.visitor
    host = (await atWork(service, 'host', venue)).visitor
    own = await furnished(manager)
    foreign = await furnished((await atWork(service)).visitor, 'foreign')
  })
  after(() => service.stop())

  /** What a venue holds, to see that nothing changed. */
  const stateOf = async (id: number) =>
    Promise.all(
      ['activity', 'event', 'guest', 'lead', 'lead_note', 'task', 'subscriber', 'ticket_order', 'refund'].map(
        (table) => countOf(service, table, id),
      ),
    )

  it('answer every page of the own venue', async () => {
    for (const { path } of rows.filter(({ method }) => method === 'GET')) {
      const address = addressOf(path, own)
      const { status, html, headers } = await manager.get(address)
      assert.equal(status, 200, address)
      assert.ok(!/\sstyle=|<style|\son\w+=/.test(html), `${address}: nothing inline`)
      assert.ok(!/<script(?![^>]* src=)/.test(html), `${address}: no inline script`)
      assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'/)
    }
  })

  it('refuse a form that comes from another site', async () => {
    const before = await stateOf(venue.id)
    for (const { path } of rows.filter(({ method }) => method === 'POST')) {
      const address = addressOf(path, own)
      const forged: Record<string, string>[] = [
        { 'sec-fetch-site': 'cross-site' },
        { 'sec-fetch-site': 'same-site', origin: 'https://evil.example.com' },
      ]
      for (const headers of forged) {
        const { status } = await manager.post(address, { ...plausible, token: randomUUID() }, headers)
        assert.equal(status, 403, address)
      }
    }
    assert.deepEqual(await stateOf(venue.id), before)
  })

  it('refuse another role what is for managers', async () => {
    const before = await stateOf(venue.id)
    for (const { method, path, role } of rows) {
      if (role === 'host') continue
      const address = addressOf(path, own)
      const { status } =
        method === 'GET'
          ? await host.get(address)
          : await host.post(address, { ...plausible, token: randomUUID() })
      assert.equal(status, 403, `${method} ${address}`)
    }
    assert.deepEqual(await stateOf(venue.id), before)
  })

  it('find nothing under another venue’s ids, in the address or in a field', async () => {
    const before = await stateOf(venue.id)
    const post = (address: string, more: Record<string, string> = {}) =>
      manager.post(address, {
        ...plausible,
        other: own.other,
        email: 'x@example.com',
        ...(address.includes('/codes') && { kind: 'percent' }),
        ...(address.includes('/refund-requests') && { answer: 'decline' }),
        token: randomUUID(),
        ...more,
      })
    for (const { method, path } of rows.filter((row) => row.path.includes('/:'))) {
      const address = addressOf(path, foreign)
      const { status } = method === 'GET' ? await manager.get(address) : await post(address)
      assert.equal(status, 404, `${method} ${address}`)
    }
    for (const [address, more] of [
      [`/office/guests/${own.guest}/merge`, { other: foreign.other }],
      [`/office/tickets/codes`, { event: foreign.event, code: 'OURS' }],
      [`/office/leads/${own.lead}/notes/${foreign.note}`, {}],
      [`/office/tickets/orders/${own.order}/refunds/${foreign.refund}`, {}],
      [`/office/guests/${own.guest}/merges/1/undo`, {}],
    ] as const) {
      assert.equal((await post(address, more)).status, 404, address)
    }
    for (const bad of ['0', '-1', 'x', '1.5', '99999999999999999999', '%00', "1'--"]) {
      assert.equal((await manager.get(`/office/guests/${bad}`)).status, 404, bad)
    }
    assert.equal((await manager.get(`/office/subscribers?tag=${foreign.subscriber}`)).status, 200)
    assert.deepEqual(await stateOf(venue.id), before)
  })

  it('show script in every text field as text', async () => {
    const { visitor } = await atWork(service)
    const evil = `<script>alert(1)</script>"'><img src=x onerror=alert(1)>`
    const ids = {
      ...(await furnished(visitor)),
    }
    const version = '1'
    await visitor.post(`/office/guests/${ids.guest}/edit`, {
      version,
      name: evil,
      phone: '555 010 0199 <script>',
      seatingPreference: evil,
      referralSource: evil,
      allergies: evil,
      staffNotes: `${evil}\n2026-10-06 public: another name was given: ${evil}`,
    })
    const lead = Object.fromEntries(
      [
        'contactName',
        'eventName',
        'occasion',
        'eventDate',
        'guestCount',
        'budgetPerPerson',
        'diningStyle',
      ].map((name) => [name, evil]),
    )
    await visitor.post(`/office/leads/${ids.lead}/edit`, {
      version,
      ...lead,
      dietaryNeeds: evil,
      concept: evil,
      notes: evil,
    })
    for (const kind of ['note', 'draft'])
      await make(visitor, `/office/leads/${ids.lead}/notes`, { kind, text: evil })
    await visitor.post('/office/leads/pipeline', {
      version: '0',
      stages: `Inquiry\n<script>alert(1)</script>`,
    })
    await visitor.post(`/office/tasks/${ids.task}`, { version, title: evil, client: evil })
    await make(visitor, '/office/subscribers', {
      email: 'evil@example.com',
      firstName: evil,
      tag: '<script>alert(1)</script>',
      where: evil,
      statement: evil,
    })
    await visitor.post(`/office/tickets/events/${ids.event}/name`, { version, name: evil })
    await visitor.post(`/office/tickets/dates/${ids.date}/edit`, {
      version,
      title: evil,
      date: '2026-11-14',
      capacity: '10',
      price: '0',
    })
    await make(visitor, `/office/tickets/dates/${ids.date}/sales`, {
      seats: '1',
      method: 'cash',
      shownTotalCents: '0',
      firstName: evil,
      lastName: evil,
      phone: '<script>alert(1)</script>',
    })
    await visitor.post(`/office/tickets/orders/${ids.order}/refunds`, {
      version: '2',
      amount: '1',
      via: 'cash',
      outcome: 'failed',
      answer: evil,
    })
    const asked = `?q=${encodeURIComponent(evil)}&after=${encodeURIComponent(evil)}&stage=${encodeURIComponent(evil)}&with=${ids.other}`
    let seen = 0
    for (const { path } of rows.filter(({ method }) => method === 'GET')) {
      for (const query of ['', asked]) {
        const { html, status } = await visitor.get(addressOf(path, ids) + query)
        assert.equal(status, 200, path + query)
        assert.ok(!html.includes('<script>') && !html.includes('<img'), path + query)
        if (html.includes('&lt;script&gt;')) seen++
      }
    }
    assert.ok(seen > 20, `shown as text on ${seen} pages`)
    for (const path of ['/office/guests', '/office/tasks', '/office/leads', '/office/subscribers']) {
      const { html, status } = await make(visitor, path, {
        name: evil,
        email: evil,
        contactEmail: evil,
        due: evil,
        title: evil,
      })
      assert.equal(status, 400, path)
      assert.ok(html.includes('&lt;script&gt;') && !html.includes('<script>'), path)
    }
  })

  it('answer U+0000 with a sentence, never a fault', async () => {
    const before = await stateOf(venue.id)
    for (const { method, path } of rows) {
      if (method !== 'POST' || /delete|tick|undo|unsubscribe|paid|cancel/.test(path)) continue
      const fields = Object.fromEntries(
        [
          ...Object.keys(plausible),
          'email',
          'where',
          'address',
          'why',
          'other',
          'stages',
          'contactEmail',
        ].map((name) => [name, 'a\0b']),
      )
      const { status } = await manager.post(addressOf(path, own), { ...fields, token: randomUUID() })
      assert.ok([303, 400, 404, 409].includes(status), `${path}: ${status}`)
    }
    for (const query of ['q', 'after', 'state', 'tag', 'status', 'stage', 'before', 'with', 'show']) {
      for (const { path } of rows.filter(({ method }) => method === 'GET')) {
        const { status } = await manager.get(`${addressOf(path, own)}?${query}=a%00b~1`)
        assert.ok(status < 500, `${path} ${query}: ${status}`)
      }
    }
    assert.deepEqual(await stateOf(venue.id), before)
  })

  describe('with 10,000 rows on each list', () => {
    let visitor: OfficeVisitor
    let full: TestVenue
    before(async () => {
      const at = await atWork(service)
      visitor = at.visitor
      full = at.venue
      const run = (text: string) => rowsOf(service, text, [full.id])
      const series = 'from generate_series(1, 10000) n'
      const at0 = `timestamptz '2026-10-06T00:00:00Z' - n * interval '1 hour'`
      await run(`insert into guest (venue_id, name, email, email_key, staff_notes, created_at, updated_at)
        select $1, 'Guest Number' || n, 'g' || n || '@example.com', 'g' || n || '@example.com', '', ${at0}, ${at0} ${series}`)
      await run(`insert into subscriber (venue_id, email, email_key, status, source, created_at, updated_at)
        select $1, 's' || n || '@example.com', 's' || n || '@example.com', 'subscribed', 'import', ${at0}, ${at0} ${series}`)
      await run(`insert into suppression (venue_id, email_key, reason, created_at)
        select $1, 'x' || n || '@example.com', 'bounced', ${at0} ${series}`)
      await run(`insert into lead (venue_id, contact_name, stage, priority, submitted_via, created_at, updated_at)
        select $1, 'Lead ' || n, (array['Inquiry','Proposal','Contract','Booked'])[1 + n % 4], 'Medium', 'import', ${at0}, ${at0} ${series}`)
      await run(`insert into task (venue_id, title, due, priority, category, done, done_at, created_at, updated_at)
        select $1, 'Task ' || n, date '2026-10-01' + n, 'Medium', 'Other', n % 2 = 0, case when n % 2 = 0 then ${at0} end, ${at0}, ${at0} ${series}`)
      await run(`insert into activity (venue_id, at, actor_kind, action, record_kind, record_id)
        select $1, ${at0}, 'service', 'make', 'task', n ${series}`)
      const { event } = await furnished(visitor, 'full')
      await rowsOf(
        service,
        `insert into occurrence (venue_id, event_id, date, capacity, price_cents)
         select $1, $2, date '2026-10-06' + n % 3000, 20, 1000 ${series}`,
        [full.id, event],
      )
      await run(
        `insert into ticketed_event (venue_id, name, created_at) select $1, 'Event ' || n, ${at0} ${series}`,
      )
      await rowsOf(
        service,
        `insert into ticket_order (venue_id, occurrence_id, order_number, status, channel, payment_method, seats,
           subtotal_cents, discount_cents, fee_cents, tax_cents, total_cents, refunded_cents, paid_at, created_at, updated_at)
         select $1, (select min(id) from occurrence where venue_id = $1), 'ZZ-' || n, 'paid', 'public', 'processor_link', 1,
           1000, 0, 0, 0, 1000, 0, ${at0}, ${at0}, ${at0} ${series}`,
        [full.id],
      )
      await service.db.session((client) => client.query('analyze'))
    })

    it('is paged', async () => {
      const lists = [
        ['/office/guests', 50],
        ['/office/guests?q=guest', 50],
        ['/office/subscribers', 50],
        ['/office/subscribers?state=subscribed', 50],
        ['/office/subscribers/do-not-email', 50],
        ['/office/leads', 48],
        ['/office/leads/stage?stage=Proposal', 50],
        ['/office/tasks', 50],
        ['/office/tasks?show=done', 50],
        ['/office/tickets', 50],
        ['/office/tickets/orders', 50],
        ['/office/tickets/orders?status=paid', 50],
        ['/office/tickets/events', 50],
        ['/office/activity', 50],
      ] as const
      const pageAt = (path: string) => timed(path, 200, () => visitor.get(path))
      const nextOf = (html: string) => /rel="next" href="([^"]+)"/.exec(html)?.[1]?.replaceAll('&amp;', '&')
      for (const [path, count] of lists) {
        const { html, status } = await pageAt(path)
        assert.equal(status, 200)
        // Without what is a list, too: the places beside the page, and what changed with a row.
        const [main = ''] = html.split('</main>')
        const rows = main
          .split('<ul class="trail-changes')
          .map((piece, n) => (n === 0 ? piece : piece.slice(piece.indexOf('</ul>'))))
        const shown = rows.join('').match(/<tr>\s*<td|<li[ >]/g)?.length ?? 0
        assert.ok(shown >= count && shown < count + 60, `${path}: ${shown} rows`)
        let next = nextOf(html)
        assert.ok(next !== undefined || /q=|leads$/.test(path), `${path} has a next page`)
        for (let page = 0; page < 3 && next !== undefined; page++) next = nextOf((await pageAt(next)).html)
      }
    })

    it('shows each row once, from the first page to the last', async () => {
      const seen = new Set<string>()
      let total = 0
      let path: string | undefined = '/office/guests'
      while (path !== undefined) {
        const { html } = await visitor.get(path)
        for (const [, id] of html.matchAll(/\/office\/guests\/(\d+)"/g)) {
          seen.add(id as string)
          total++
        }
        path = /rel="next" href="([^"]+)"/.exec(html)?.[1]?.replaceAll('&amp;', '&')
      }
      assert.equal(seen.size, total)
      assert.equal(total, await countOf(service, 'guest', full.id))
    })
  })
})
