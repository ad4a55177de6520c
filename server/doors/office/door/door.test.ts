import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { actAt } from '../../../test/act.ts'
import { staffOf as actorOf } from '../../../test/desk.ts'
import { atWork } from '../../../test/office-forms.ts'
import { rowsOf } from '../../../test/rows.ts'
import { type TestService, type TestVenue, startService } from '../../../test/service.ts'
import { addOccurrence, makeEvent } from '../../../tickets/events.ts'
import { sellTickets } from '../../../tickets/sell-tickets.ts'
import { ticketsOfOrders } from '../../../tickets/admission/ticket-reads.ts'

const manager = actorOf('manager')

describe('at the door, by plain forms', () => {
  let service: TestService
  let venue: TestVenue
  let host: Awaited<ReturnType<typeof atWork>>['visitor']
  before(async () => {
    service = await startService()
    const working = await atWork(service, 'host')
    venue = working.venue
    host = working.visitor
  })
  after(() => service.stop())

  const aDate = (name: string, date = '2026-10-06') =>
    actAt(service, venue, async (work) => {
      const { id } = await makeEvent(work, manager, name)
      const asked = { title: null, date, startTime: '19:00', capacity: 100, priceCents: 5_000 }
      return (await addOccurrence(work, manager, id, asked)).id
    })
  const sell = async (occurrenceId: number, lastName: string, seats = 2) => {
    const buyer = { firstName: 'Maya', lastName, email: null, phone: null }
    const { order } = await actAt(service, venue, (work) =>
      sellTickets(work, manager, { occurrenceId, seats, method: 'cash', buyer }),
    )
    const tickets = await ticketsOfOrders(service.db, venue.id, [order.id])
    return { order, codes: tickets.map(({ code }) => code), ids: tickets.map(({ id }) => id) }
  }
  const said = (words: string): string => words.replaceAll(/\s+/g, ' ')

  it('opens the dates of tonight and of last night', async () => {
    const [tonight, last, later] = [
      await aDate('Tonight'),
      await aDate('Last night', '2026-10-05'),
      await aDate('Next week', '2026-10-13'),
    ]
    const { html, words } = await host.get('/office/tickets/door')
    assert.match(said(words), /Tonight .*Last night/)
    for (const [id, isThere] of [
      [tonight, true],
      [last, true],
      [later, false],
    ] as const)
      assert.equal(html.includes(`href="/office/tickets/door/${id}"`), isThere)
  })

  it('answers a code in one word: in, already in, void, another date, unknown; and takes an entry back', async () => {
    const [date, other] = [await aDate('Wine dinner'), await aDate('Jazz')]
    const here = `/office/tickets/door/${date}`
    const { codes, order } = await sell(date, 'Okafor')
    const check = async (typed: string, at = here) => host.post(at, { typed, door: 'Door 1' })
    const first = await check(` ${codes[0]?.toLowerCase().replaceAll(/(.{5})/g, '$1-')} `)
    assert.equal(first.status, 200)
    assert.match(
      said(first.words),
      new RegExp(`1 of 2 in .* In Ticket 1 of 2 · Maya Okafor · ${order.orderNumber} Take back`),
    )
    assert.match(first.html, /name="door" type="text" value="Door 1"/)
    assert.match(
      said((await check(codes[0] ?? '')).words),
      /Already in Ticket 1 .* At 3:00 PM, Door 1, let in by /,
    )
    assert.match(
      said((await check(codes[1] ?? '', `/office/tickets/door/${other}`)).words),
      /Another date .* For Wine dinner, Tuesday/,
    )
    assert.match(said((await check('34679CDFGHJKMNPQRTVWXY3467912')).words), /Unknown/)
    const [, ticket = '', at = ''] =
      /name="ticket" value="(\d+)" \/>\s*<input type="hidden" name="at" value="([^"]+)"/.exec(first.html) ??
      []
    assert.match(
      said((await host.post(`${here}/back`, { ticket, at, door: '' })).words),
      /0 of 2 in .*Taken back/,
    )
    assert.match(said((await host.post(`${here}/back`, { ticket, at, door: '' })).words), /Not taken back/)
    await rowsOf(service, 'update ticket set void_at = now() where order_id = $1', [order.id])
    assert.match(said((await check(codes[0] ?? '')).words), /Void .*This seat was returned/)
    for (const code of codes)
      assert.ok(!(await host.get(`/office/tickets/orders/${order.id}`)).html.includes(code))
    assert.ok(!(await host.get('/office/tickets/door')).html.includes(codes[0] ?? '-'))
  })

  it('finds a name, and lets each ticket in with a press; an unpaid order has none', async () => {
    const date = await aDate('Tasting')
    const here = `/office/tickets/door/${date}`
    const { ids } = await sell(date, 'Achterberg', 2)
    const found = await host.post(here, { typed: 'achter', door: '' })
    assert.match(said(found.words), /1 order .*Maya Achterberg .*Let in ticket 1 .*Let in ticket 2/)
    const pressed = await host.post(here, { ticket: String(ids[1]), typed: '', door: '' })
    assert.match(said(pressed.words), /1 of 2 in .* In Ticket 2 of 2/)
    assert.match(
      said((await host.post(here, { typed: 'Achter', door: '' })).words),
      /Let in ticket 1 .*Ticket 2 In At 3:00 PM/,
    )
    await actAt(service, venue, (work) =>
      sellTickets(work, manager, {
        ...{ occurrenceId: date, seats: 1, method: 'external' },
        buyer: { firstName: null, lastName: 'Unpaid', email: null, phone: null },
      }),
    )
    assert.match(
      said((await host.post(here, { typed: 'unpaid', door: '' })).words),
      /Awaiting payment: no tickets/,
    )
    assert.match(said((await host.post(here, { typed: 'Nobody', door: '' })).words), /Unknown/)
    assert.match(said((await host.post(here, { typed: '', door: '' })).words), /Unknown/)
    const long = await host.post(here, { typed: 'achter', door: 'x'.repeat(41) })
    assert.equal(long.status, 400)
  })

  it('gives the script the answer alone, and the counts only when they changed', async () => {
    const date = await aDate('Salsa')
    const here = `/office/tickets/door/${date}`
    const { codes } = await sell(date, 'Okafor', 1)
    const { html } = await host.post(here, { typed: codes[0] ?? '', door: '' }, { 'hx-request': 'true' })
    assert.match(html, /^<section class="door-said good">/)
    const counts = await host.get(`${here}?seen=0-1`, { 'hx-request': 'true' })
    assert.match(counts.words.replaceAll(/\s+/g, ' '), /1 of 1 in/)
    assert.equal((await host.get(`${here}?seen=1-1`, { 'hx-request': 'true' })).status, 204)
  })

  it('is not for servers, nor for another venue', async () => {
    const date = await aDate('Closed')
    const { visitor: server } = await atWork(service, 'server', venue)
    assert.equal((await server.get(`/office/tickets/door/${date}`)).status, 403)
    const { visitor: stranger } = await atWork(service, 'owner')
    assert.equal((await stranger.get(`/office/tickets/door/${date}`)).status, 404)
    assert.equal((await stranger.post(`/office/tickets/door/${date}`, { typed: 'x', door: '' })).status, 404)
  })
})
