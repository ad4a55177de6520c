import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { type PaidSeats, type RefundOfSeats, centsBackFor, centsToShare } from './return-rules.ts'

/** An order as it changes while its buyer and staff give money back. */
const orderOf = (sold: Pick<PaidSeats, 'seats' | 'total_cents' | 'fee_cents'>, coin = 1) => {
  const refunds: RefundOfSeats[] = []
  const row = (): PaidSeats => ({ ...sold, seats_returned: sold.seats - left() })
  const left = () => sold.seats - refunds.reduce((sum, { seats }) => sum + seats, 0)
  const write = (amount_cents: number, seats: number): void =>
    void refunds.push({
      ...{ state: refunds.length % 2 === 0 ? 'succeeded' : 'pending', amount_cents, seats },
      gone_seats: 0,
    })
  const arrived = (): PaidSeats => ({
    ...row(),
    seats_returned: refunds.reduce((sum, { state, seats }) => sum + (state === 'succeeded' ? seats : 0), 0),
  })
  const quote = (seats: number, keepsFee = true): number =>
    centsBackFor({
      ...{ seats, seatsLeft: left(), centsLeft: centsToShare(arrived(), refunds) },
      ...{ seatsSold: sold.seats, feeCents: sold.fee_cents, keepsFee, coin },
    })
  return {
    ...{ left, quote, write },
    /** The buyer returns so many seats for what the page says. */
    giveBack: (seats: number, keepsFee = true): number => {
      const cents = quote(seats, keepsFee)
      // Seats that bring nothing back are not returned.
      if (cents > 0) write(cents, seats)
      return cents
    },
    centsLeft: () => sold.total_cents - refunds.reduce((sum, { amount_cents }) => sum + amount_cents, 0),
  }
}

describe('the fee of returned seats that the venue keeps', () => {
  it('stays with the venue when the seats come back one at a time', () => {
    const order = { seats: 3, total_cents: 15_991, fee_cents: 525 }
    assert.equal(orderOf(order).quote(3), 15_466)
    const oneByOne = orderOf(order)
    assert.deepEqual(
      [1, 1, 1].map((seats) => oneByOne.giveBack(seats)),
      [5_155, 5_155, 5_156],
    )
    assert.equal(oneByOne.centsLeft(), 525)
  })

  it('is not shared among the seats that are left, whatever staff gave back besides, with seats or without', () => {
    const order = orderOf({ seats: 4, total_cents: 20_000, fee_cents: 800 })
    order.write(1_000, 0)
    assert.equal(order.giveBack(1), 4_550)
    // Staff give back a seat with its fee.
    order.write(4_750, 1)
    assert.equal(order.quote(2), 9_500 - 400)
    assert.equal(order.giveBack(1) + order.giveBack(1), 9_500 - 400)
  })

  it('is as before where the venue gives the fee back, too', () => {
    const order = orderOf({ seats: 3, total_cents: 10_000, fee_cents: 450 })
    assert.deepEqual(
      [1, 1, 1].map((seats) => order.giveBack(seats, false)),
      [3_333, 3_333, 3_334],
    )
  })

  it('no way to return an order’s seats brings back more than all of them at once, nor more than is left', () => {
    const way = fc.record({
      seats: fc.integer({ min: 1, max: 40 }),
      total: fc.integer({ min: 0, max: 1_000_000 }),
      feeShare: fc.integer({ min: 0, max: 100 }),
      coin: fc.constantFrom(1, 100),
      before: fc.array(fc.record({ seats: fc.nat(3), share: fc.integer({ min: 0, max: 100 }) }), {
        maxLength: 3,
      }),
      steps: fc.array(fc.integer({ min: 1, max: 8 }), { minLength: 1, maxLength: 40 }),
    })
    fc.assert(
      fc.property(way, ({ seats, total, feeShare, coin, before, steps }) => {
        const sold = { seats, total_cents: total, fee_cents: Math.floor((total * feeShare) / 400) }
        const order = orderOf(sold, coin)
        // What staff gave back, in any way that they may.
        for (const one of before)
          order.write(Math.floor((order.centsLeft() * one.share) / 100), Math.min(one.seats, order.left()))
        const [atOnce, here] = [order.quote(order.left()), order.centsLeft()]
        let back = 0
        for (const step of steps) if (order.left() > 0) back += order.giveBack(Math.min(step, order.left()))
        for (let cents = 1; order.left() > 0 && cents > 0; back += cents) cents = order.giveBack(1)
        assert.ok(back <= here, `${back} of ${here}`)
        assert.ok(back <= atOnce, `${back} instead of ${atOnce}`)
      }),
      { numRuns: 5_000 },
    )
  })
})
