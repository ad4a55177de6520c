import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Desk, openDesk, staffOf } from '../../test/desk.ts'
import { rowsOf } from '../../test/rows.ts'
import { type TestService, startService } from '../../test/service.ts'
import { addOccurrence, makeEvent } from '../events.ts'
import { soldOrder } from '../order-reads.ts'
import { recordRefund } from '../refunds.ts'
import { sellTickets } from '../sell-tickets.ts'
import { type TicketShown, admit, codeIn, takeBack } from './admit.ts'
import { countsOfDate, ordersAtDoor } from './door-reads.ts'
import { ticketsOfOrders } from './ticket-reads.ts'

describe('letting people in', () => {
  let service: TestService
  let desk: Desk
  const host = staffOf('host')
  const manager = staffOf('manager')

  const aDate = () =>
    desk.act(async (work) => {
      const { id } = await makeEvent(work, manager, 'Wine dinner')
      const date = { title: null, date: '2026-10-06', startTime: '19:00', capacity: 1_000, priceCents: 5_000 }
      return (await addOccurrence(work, manager, id, date)).id
    })
  const sell = async (occurrenceId: number, seats: number) => {
    const buyer = { firstName: 'Maya', lastName: 'Okafor_1', email: 'maya@example.com', phone: null }
    const { order } = await desk.act((work) =>
      sellTickets(work, manager, { occurrenceId, seats, method: 'cash', buyer }),
    )
    return { order: order.id, tickets: await ticketsOfOrders(service.db, desk.venue.id, [order.id]) }
  }
  const scan = (occurrence: number, shown: TicketShown, door: string | null = null, secondsAgo = 0) =>
    desk.act((work) => admit(work, host, { occurrence, shown, door, secondsAgo }))
  const counts = (occurrence: number) => countsOfDate(service.db, desk.venue.id, occurrence)

  before(async () => {
    service = await startService()
    desk = await openDesk(service)
  })
  after(() => service.stop())

  it('a ticket scanned at three doors at once lets one person in, and the others read at which door', async () => {
    const occurrence = await aDate()
    const { tickets } = await sell(occurrence, 20)
    for (const { code } of tickets) {
      const answers = await Promise.all(
        ['Door 1', 'Door 2', 'Door 3'].map((door) => scan(occurrence, { code }, door)),
      )
      assert.deepEqual(answers.map(({ outcome }) => outcome).toSorted(), ['already-in', 'already-in', 'in'])
      const doors = answers.map((one) => ('ticket' in one ? one.ticket.door : null))
      assert.equal(new Set(doors).size, 1, 'all three say the same door')
    }
    assert.deepEqual(await counts(occurrence), { in: 20, expected: 20 })
  })

  it('says what is wrong with a ticket: its seat went back, its order did, it is for another date, or nobody knows it', async () => {
    const [occurrence, other] = [await aDate(), await aDate()]
    const { order, tickets } = await sell(occurrence, 2)
    const [first, second] = tickets
    assert.ok(first && second)
    assert.equal((await scan(other, { code: first.code })).outcome, 'other-date')
    const give = async (amountCents: number, seats: number) => {
      const seenVersion = (await soldOrder(service.db, desk.venue.id, order))?.version ?? 0
      const asked = { order, seenVersion, amountCents, seats, via: 'cash', outcome: 'succeeded' } as const
      await desk.act((work) => recordRefund(work, manager, asked))
    }
    await give(5_000, 1)
    assert.equal((await scan(occurrence, { code: second.code })).outcome, 'void')
    await give(5_000, 1)
    assert.equal((await scan(occurrence, { code: first.code })).outcome, 'void')
    assert.equal((await scan(occurrence, { code: first.code.toLowerCase() })).outcome, 'unknown')
    const elsewhere = await openDesk(service)
    const answer = await elsewhere.act((work) =>
      admit(work, host, { occurrence, shown: { code: first.code }, door: null }),
    )
    assert.equal(answer.outcome, 'unknown', 'another venue has no such ticket')
    assert.deepEqual(await counts(occurrence), { in: 0, expected: 0 })
  })

  it('lets nobody in whose order was refunded by a process that knew no tickets', async () => {
    const occurrence = await aDate()
    const { order, tickets } = await sell(occurrence, 1)
    await rowsOf(
      service,
      `update ticket_order set status = 'refunded', refunded_cents = total_cents where id = $1`,
      [order],
    )
    assert.equal((await scan(occurrence, { code: tickets[0]?.code ?? '' })).outcome, 'void')
  })

  it('lets in no more people than seats are left, though nothing made the other tickets void', async () => {
    const occurrence = await aDate()
    const { order, tickets } = await sell(occurrence, 3)
    await rowsOf(service, `update ticket_order set seats_returned = 1 where id = $1`, [order])
    const said: string[] = []
    for (const { code } of tickets) said.push((await scan(occurrence, { code })).outcome)
    assert.deepEqual(said, ['in', 'in', 'void'])
    assert.deepEqual(await counts(occurrence), { in: 2, expected: 2 })
  })

  it('keeps the moment of a press that waited for the network, and only so far back', async () => {
    const occurrence = await aDate()
    const { tickets } = await sell(occurrence, 3)
    const at = async (place: number, secondsAgo: number) => {
      const answer = await scan(occurrence, { code: tickets[place]?.code ?? '' }, null, secondsAgo)
      assert.ok(answer.outcome === 'in')
      return answer.ticket.in_at
    }
    assert.equal(await at(0, 90), '2026-10-06T18:58:30.000Z')
    assert.equal(await at(1, 1e9), '2026-10-06T07:00:00.000Z')
    assert.equal(await at(2, -5), '2026-10-06T19:00:00.000Z')
  })

  it('is taken back once, as long as it is still so, and the trail says it without the code', async () => {
    const occurrence = await aDate()
    const { tickets } = await sell(occurrence, 1)
    const [{ code, id }] = tickets as [(typeof tickets)[number]]
    await scan(occurrence, { id }, 'Door 1')
    await desk.trail()
    const back = (inAt: string) => desk.act((work) => takeBack(work, host, { id, inAt }))
    assert.equal(await back('2026-10-06T18:00:00.000Z'), undefined)
    const answers = await Promise.all([0, 1, 2].map(() => back('2026-10-06T19:00:00.000Z')))
    assert.equal(answers.filter((one) => one !== undefined).length, 1)
    const trail = await desk.trail()
    assert.deepEqual(
      trail.map(({ action, record_kind }) => [action, record_kind]),
      [['takeBackEntry', 'ticket_order']],
    )
    assert.ok(!JSON.stringify(trail).includes(code))
    assert.equal((await scan(occurrence, { code })).outcome, 'in')
  })

  it('reads codes as people type them, and nothing else as a code', async () => {
    assert.equal(codeIn(' 34679-cdfgh JKMNP qrtvw xy346 7912'), undefined)
    assert.equal(codeIn('34679 cdfgh-JKMNP qrtvw xy346 79cd'), '34679CDFGHJKMNPQRTVWXY34679CD')
    assert.equal(codeIn('https://data.example.com/o/abcdef'), undefined)
  })

  it('finds orders of the date by any part of a name, by number and by address', async () => {
    const occurrence = await aDate()
    const { order } = await sell(occurrence, 1)
    const number = (await soldOrder(service.db, desk.venue.id, order))?.order_number ?? ''
    const found = async (typed: string) =>
      (await ordersAtDoor(service.db, desk.venue, occurrence, typed)).map(({ id }) => id)
    for (const typed of ['OKA', 'maya okafor', 'maya@example.com', number, number.split('-')[1] ?? '', 'r_1'])
      assert.deepEqual(await found(typed), [order], typed)
    for (const typed of ['%', 'y_o', 'Otto']) assert.deepEqual(await found(typed), [], typed)
    assert.deepEqual(await ordersAtDoor(service.db, desk.venue, await aDate(), 'maya'), [])
  })
})
