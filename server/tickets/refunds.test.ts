import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import * as fc from 'fast-check'
import { faultsOfOrders } from '../test/money/audit.ts'
import { type Desk, openDesk, refusal, settled, staffOf } from '../test/desk.ts'
import { type TestService, startService } from '../test/service.ts'
import { seatsTaken } from './event-reads.ts'
import { addOccurrence, makeEvent } from './events.ts'
import { statusByCents } from './order-moves.ts'
import { refundsOfOrder, soldOrder } from './order-reads.ts'
import {
  type RefundAsked,
  type RefundOutcome,
  dismissRefund,
  recordRefund,
  retryRefund,
  settleRefund,
} from './refunds.ts'
import { sellTickets } from './sell-tickets.ts'

describe('refunds', () => {
  let service: TestService
  let desk: Desk
  let occurrence: number
  const manager = staffOf('manager')

  const anOrder = async (seats = 2): Promise<number> => {
    const buyer = { firstName: null, lastName: null, email: null, phone: null }
    const sold = await desk.act((work) =>
      sellTickets(work, manager, { occurrenceId: occurrence, seats, method: 'cash', buyer }),
    )
    await desk.told()
    await desk.trail()
    return sold.order.id
  }
  const order = async (id: number) => {
    const row = await soldOrder(service.db, desk.venue.id, id)
    assert.ok(row)
    return row
  }
  const refund = async (
    id: number,
    amountCents: number,
    outcome: RefundOutcome,
    more: Partial<RefundAsked> = {},
  ) => {
    const { version } = await order(id)
    return desk.act((work) =>
      recordRefund(work, manager, {
        order: id,
        seenVersion: version,
        amountCents,
        via: 'external',
        outcome,
        ...more,
      }),
    )
  }
  const taken = () => seatsTaken(service.db, desk.venue.id, occurrence, service.context.clock())

  before(async () => {
    service = await startService()
    desk = await openDesk(service)
    occurrence = await desk.act(async (work) => {
      const event = await makeEvent(work, manager, 'Jazz at the Door')
      const date = {
        title: null,
        date: '2026-11-05',
        startTime: '21:00',
        capacity: 100_000,
        priceCents: 5_000,
      }
      return (await addOccurrence(work, manager, event.id, date)).id
    })
  })
  after(() => service.stop())

  it('partial, then full: ticket_order.refunded each time money really goes back', async () => {
    const id = await anOrder()
    const before = await taken()
    const part = await refund(id, 4_000, 'succeeded')
    assert.deepEqual(
      [part.order.status, part.order.refundedCents, part.order.refunded, part.order.total],
      ['partially_refunded', 4_000, '40.00', '100.00'],
    )
    assert.equal(await taken(), before, 'a partial refund does not say which seats it is for')
    const whole = await refund(id, 6_000, 'succeeded')
    assert.deepEqual([whole.order.status, whole.order.refundedCents], ['refunded', 10_000])
    assert.equal(await taken(), before - 2, 'a full refund frees the seats')
    assert.deepEqual(
      (await desk.told()).map(({ name, data }) => [name, data.refundedCents]),
      [
        ['ticket_order.refunded', 4_000],
        ['ticket_order.refunded', 10_000],
      ],
    )
    assert.deepEqual(
      (await desk.trail()).map(({ action, record_id }) => [action, record_id]),
      [
        ['refund', id],
        ['refund', id],
      ],
    )
    await assert.rejects(refund(id, 1, 'succeeded'), refusal(409, /This order is refunded/))
  })

  it('seats that come back with a partial refund go on sale again', async () => {
    const id = await anOrder(3)
    const before = await taken()
    await refund(id, 4_500, 'succeeded', { seats: 1 })
    assert.equal(await taken(), before - 1)
    await assert.rejects(refund(id, 100, 'succeeded', { seats: 3 }), refusal(400, /number of seats/))
  })

  it('a failed one leaves the cents and emits nothing; a retry or a dismissal ends it', async () => {
    const id = await anOrder()
    const failed = await refund(id, 2_500, 'failed', { answer: 'card expired' })
    assert.deepEqual([failed.order.status, failed.order.refundedCents], ['refund_failed', 0])
    const again = await desk.act((work) =>
      retryRefund(work, manager, {
        refund: failed.refund.id,
        seenVersion: failed.version,
        outcome: 'failed',
      }),
    )
    assert.equal(again.order.status, 'refund_failed')
    assert.deepEqual(await desk.told(), [])
    const third = await desk.act((work) =>
      retryRefund(work, manager, {
        refund: again.refund.id,
        seenVersion: again.version,
        outcome: 'succeeded',
      }),
    )
    assert.deepEqual([third.order.status, third.order.refundedCents], ['partially_refunded', 2_500])
    assert.equal((await desk.told()).length, 1)
    const rows = await refundsOfOrder(service.db, desk.venue.id, id)
    assert.deepEqual(
      rows.map(({ state, answer }) => [state, answer]),
      [
        ['superseded', 'card expired'],
        ['superseded', null],
        ['succeeded', null],
      ],
    )

    const other = await refund(id, 500, 'failed')
    const dismissed = await desk.act((work) =>
      dismissRefund(work, manager, { refund: other.refund.id, seenVersion: other.version }),
    )
    assert.deepEqual([dismissed.order.status, dismissed.refund.state], ['partially_refunded', 'dismissed'])
    const fresh = await anOrder()
    const only = await refund(fresh, 500, 'failed')
    const back = await desk.act((work) =>
      dismissRefund(work, manager, { refund: only.refund.id, seenVersion: only.version }),
    )
    assert.equal(back.order.status, 'paid')
  })

  it('stays open while another refund succeeds, until its own retry, a dismissal, or nothing is left', async () => {
    const id = await anOrder()
    const failed = await refund(id, 2_500, 'failed')
    const other = await refund(id, 1_000, 'succeeded')
    assert.deepEqual([other.order.status, other.order.refundedCents], ['partially_refunded', 1_000])
    const third = await refund(id, 500, 'failed')
    const again = await desk.act((work) =>
      retryRefund(work, manager, {
        refund: failed.refund.id,
        seenVersion: third.version,
        outcome: 'succeeded',
      }),
    )
    assert.equal(again.order.status, 'partially_refunded')
    const states = async () => (await refundsOfOrder(service.db, desk.venue.id, id)).map(({ state }) => state)
    assert.deepEqual(await states(), ['superseded', 'succeeded', 'failed', 'succeeded'])
    const all = await refund(id, 6_500, 'succeeded')
    assert.equal(all.order.status, 'refunded')
    assert.deepEqual((await states())[2], 'superseded')
    await desk.told()

    const next = await anOrder()
    const missing = await refund(next, 2_500, 'failed')
    const { version } = await refund(next, 1_000, 'succeeded')
    const dismissed = await desk.act((work) =>
      dismissRefund(work, manager, { refund: missing.refund.id, seenVersion: version }),
    )
    assert.deepEqual([dismissed.order.status, dismissed.refund.state], ['partially_refunded', 'dismissed'])
    await desk.told()
  })

  it('a pending refund counts as refunded until its outcome is known', async () => {
    const id = await anOrder()
    const begun = await refund(id, 9_000, 'pending')
    assert.deepEqual([begun.order.status, begun.order.refundedCents], ['paid', 0])
    await assert.rejects(refund(id, 1_001, 'succeeded'), refusal(409, /At most \$10\.00 can be refunded/))
    const settleIt = () =>
      desk.act((work) =>
        settleRefund(work, manager, {
          refund: begun.refund.id,
          seenVersion: begun.version,
          outcome: 'succeeded',
        }),
      )
    const { done } = await settled([settleIt(), settleIt()])
    assert.equal(done.length, 1)
    assert.equal(done[0]?.order.refundedCents, 9_000)
    assert.equal((await desk.told()).length, 1)
  })

  it('refunded never exceeds total, and the status follows from the attempts, under parallel refunds', async () => {
    const tries = fc.array(
      fc.record({
        amountCents: fc.integer({ min: 1, max: 11_000 }),
        outcome: fc.constantFrom<RefundOutcome>('pending', 'succeeded', 'succeeded', 'failed'),
      }),
      { minLength: 2, maxLength: 8 },
    )
    await fc.assert(
      fc.asyncProperty(tries, async (all) => {
        const id = await anOrder()
        const until = async (one: (typeof all)[number]): Promise<void> => {
          for (;;) {
            try {
              await refund(id, one.amountCents, one.outcome)
              return
            } catch (error) {
              if (!/just changed by someone else/.test(String(error))) return
            }
          }
        }
        await Promise.all(all.map(until))
        const row = await order(id)
        const rows = await refundsOfOrder(service.db, desk.venue.id, id)
        assert.deepEqual(await faultsOfOrders({ rows: (text) => desk.query(text, [desk.venue.id]) }), [])
        const last = rows.findLast(({ state }) => state !== 'pending')
        const byCents = statusByCents(row.total_cents, row.refunded_cents)
        assert.equal(row.status, last?.state === 'failed' ? 'refund_failed' : byCents)
        const told = await desk.told()
        assert.equal(told.length, rows.filter(({ state }) => state === 'succeeded').length)
      }),
      { numRuns: 15 },
    )
  })

  it('is for managers, and for orders that took money', async () => {
    const id = await anOrder()
    const { version } = await order(id)
    const asked = {
      order: id,
      seenVersion: version,
      amountCents: 1,
      via: 'cash',
      outcome: 'succeeded',
    } as const
    await assert.rejects(
      desk.act((work) => recordRefund(work, staffOf('host'), asked)),
      refusal(403, /Your role cannot/),
    )
    await assert.rejects(refund(id, 0, 'succeeded'), refusal(400, /whole number/))
    await assert.rejects(refund(id, 10_001, 'succeeded'), refusal(409, /At most \$100\.00/))
  })
})
