import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Desk, openDesk, staffOf } from '../test/desk.ts'
import { notedChanges } from '../test/every-door/noted-changes.ts'
import { type TestService, startService } from '../test/service.ts'
import { addOccurrence, editEvent, editOccurrence, makeEvent } from './events.ts'
import { cancelOrder, confirmPayment } from './order-moves.ts'
import { soldOrder } from './order-reads.ts'
import { type RefundOutcome, dismissRefund, recordRefund, retryRefund, settleRefund } from './refunds.ts'
import { type BoxOfficeMethod, sellTickets } from './sell-tickets.ts'

describe('changes of ticket orders', () => {
  let service: TestService
  let desk: Desk
  let event: number
  let occurrence: number
  const manager = staffOf('manager')
  const date = {
    ...{ title: 'Late seating', date: '2026-11-14', startTime: '20:30' },
    ...{ capacity: 10, priceCents: 9_500 },
  }
  const at = (time: string) => service.setClock(`2026-10-06T${time}:00Z`)
  const changes = () => notedChanges(desk, 'ticket_order')
  const sell = async (method: BoxOfficeMethod = 'cash', occurrenceId = occurrence) => {
    const buyer = { firstName: 'Maya', lastName: null, email: null, phone: null }
    const sale = { occurrenceId, seats: 1, method, buyer }
    const { order } = await desk.act((work) => sellTickets(work, manager, sale))
    assert.equal(order.revision, 1)
    return order.id
  }
  const seen = async (id: number) => {
    const row = await soldOrder(service.db, desk.venue.id, id)
    assert.ok(row)
    return { order: id, seenVersion: row.version }
  }
  const refund = async (id: number, outcome: RefundOutcome) => {
    const asked = { ...(await seen(id)), amountCents: 1_000, via: 'external', outcome } as const
    return desk.act((work) => recordRefund(work, manager, asked))
  }

  before(async () => {
    service = await startService()
  })
  after(() => service.stop())
  const fresh = async () => {
    at('10:00')
    desk = await openDesk(service)
    event = (await desk.act((work) => makeEvent(work, manager, 'Burgundy Night'))).id
    occurrence = (await desk.act((work) => addOccurrence(work, manager, event, date))).id
  }

  it('are noted when one is sold, and its payment confirmed', async () => {
    await fresh()
    const id = await sell('external')
    assert.deepEqual(await changes(), { [id]: 'upsert 1 at 10:00' })
    at('11:00')
    const unconfirmed = await seen(id)
    await desk.act((work) => confirmPayment(work, manager, unconfirmed))
    assert.deepEqual(await changes(), { [id]: 'upsert 2 at 11:00' })
    assert.equal((await desk.told()).at(-1)?.data['revision'], 2)
    at('12:00')
    await assert.rejects(desk.act((work) => confirmPayment(work, manager, unconfirmed)))
    assert.deepEqual(await changes(), { [id]: 'upsert 2 at 11:00' })
  })

  it('are noted when one is cancelled', async () => {
    await fresh()
    const id = await sell('external')
    at('11:00')
    const asked = await seen(id)
    await desk.act((work) => cancelOrder(work, manager, asked))
    assert.deepEqual(await changes(), { [id]: 'upsert 2 at 11:00' })
  })

  it('are noted of a refund when its outcome is known, and not while it is pending', async () => {
    await fresh()
    const id = await sell()
    at('11:00')
    const pending = await refund(id, 'pending')
    const { version, revision } = (await soldOrder(service.db, desk.venue.id, id)) ?? {}
    assert.deepEqual([version, revision], [2, 1])
    assert.deepEqual(await changes(), { [id]: 'upsert 1 at 10:00' })
    const of = { refund: pending.refund.id, seenVersion: 2 }
    await desk.act((work) => settleRefund(work, manager, { ...of, outcome: 'failed' }))
    assert.deepEqual(await changes(), { [id]: 'upsert 2 at 11:00' })
    at('12:00')
    const again = await desk.act((work) =>
      retryRefund(work, manager, { ...of, seenVersion: 3, outcome: 'succeeded' }),
    )
    assert.equal(again.order.revision, 3)
    assert.deepEqual(await changes(), { [id]: 'upsert 3 at 12:00' })
    at('13:00')
    const failed = await refund(id, 'failed')
    const seenVersion = failed.version
    await desk.act((work) => dismissRefund(work, manager, { refund: failed.refund.id, seenVersion }))
    assert.deepEqual(await changes(), { [id]: 'upsert 5 at 13:00' })
  })

  it('are noted of the orders that show an event or a date when it has another name, day or time', async () => {
    await fresh()
    const other = await sell('cash', (await desk.act((work) => addOccurrence(work, manager, event, date))).id)
    const id = await sell()
    const sold = 'upsert 1 at 10:00'
    at('11:00')
    const edits = [{ title: 'Early seating' }, { date: '2026-11-15' }, { startTime: '18:00' }]
    let to = date
    for (const [i, more] of edits.entries()) {
      to = { ...to, ...more }
      await desk.act((work) => editOccurrence(work, manager, { id: occurrence, seenVersion: i + 1, ...to }))
      assert.deepEqual(
        await changes(),
        { [other]: sold, [id]: `upsert ${i + 2} at 11:00` },
        JSON.stringify(more),
      )
    }
    const rename = (seenVersion: number, name: string) =>
      desk.act((work) =>
        editEvent(work, manager, {
          ...{ id: event, seenVersion, name, text: null },
          ...{ orderMost: null, returnHours: null, returnKeepsFee: false },
        }),
      )
    at('12:00')
    await rename(1, 'Bordeaux Night')
    const renamed = { [other]: 'upsert 2 at 12:00', [id]: 'upsert 5 at 12:00' }
    assert.deepEqual(await changes(), renamed)
    at('13:00')
    await rename(2, 'Bordeaux Night')
    const unseen = { ...to, capacity: 20, priceCents: 5_000 }
    await desk.act((work) => editOccurrence(work, manager, { id: occurrence, seenVersion: 4, ...unseen }))
    assert.deepEqual(await changes(), renamed, 'the capacity and the price of new orders')
  })
})
