import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { feeMostCents, priceMostCents, priceOf, seatsOfOrderMost, taxRateMost } from './price.ts'

const priced = fc.record({
  seats: fc.integer({ min: 1, max: seatsOfOrderMost }),
  priceCents: fc.integer({ min: 0, max: priceMostCents }),
  method: fc.constantFrom('cash', 'comp', 'free', 'external', 'processor_link'),
  channel: fc.constantFrom('public', 'box_office'),
  discount: fc.option(
    fc.oneof(
      fc.record({ percent: fc.integer({ min: 1, max: 100 }) }),
      fc.record({ amountCents: fc.integer({ min: 1, max: 1_000_000_000 }) }),
    ),
  ),
  charges: fc.record({
    feePerSeatCents: fc.integer({ min: 0, max: feeMostCents }),
    feeAtBoxOffice: fc.boolean(),
    taxRate: fc.integer({ min: 0, max: taxRateMost }),
  }),
})

describe('the price of an order', () => {
  it('total = subtotal − discount + fee + tax, in whole cents that a column holds, none of them negative', () => {
    fc.assert(
      fc.property(priced, (order) => {
        const price = priceOf(order)
        const { subtotalCents, discountCents, feeCents, taxCents, totalCents } = price
        assert.equal(totalCents, subtotalCents - discountCents + feeCents + taxCents)
        for (const cents of Object.values(price))
          assert.ok(Number.isInteger(cents) && cents >= 0 && cents < 2 ** 31)
        assert.ok(discountCents <= subtotalCents)
        if (order.method === 'comp') assert.equal(totalCents, 0)
      }),
    )
  })

  it('rounds a share half up, once', () => {
    const charges = { feePerSeatCents: 150, feeAtBoxOffice: false, taxRate: 8_875 }
    assert.deepEqual(
      priceOf({
        seats: 2,
        priceCents: 9_500,
        method: 'processor_link',
        channel: 'public',
        discount: { percent: 10 },
        charges,
      }),
      { subtotalCents: 19_000, discountCents: 1_900, feeCents: 300, taxCents: 1_518, totalCents: 18_918 },
    )
    const half = priceOf({
      seats: 1,
      priceCents: 5,
      method: 'cash',
      channel: 'box_office',
      discount: { percent: 10 },
      charges,
    })
    assert.deepEqual([half.discountCents, half.feeCents], [1, 0])
  })
})
