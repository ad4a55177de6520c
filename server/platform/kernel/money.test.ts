import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { isTest, readSources } from '../../test/tree/imports.ts'
import { dollars, moneyOf } from './money.ts'

/** Reads a dollar string back without floating point. */
const centsOf = (text: string): number => Number(BigInt(text.replace('.', '')))

describe('money', () => {
  it('writes dollars with two decimals', () => {
    const table: [cents: number, text: string][] = [
      [0, '0.00'],
      [-0, '0.00'],
      [1, '0.01'],
      [99, '0.99'],
      [100, '1.00'],
      [110, '1.10'],
      [123_450, '1234.50'],
      [-5, '-0.05'],
      [-100, '-1.00'],
      [Number.MAX_SAFE_INTEGER, '90071992547409.91'],
      [Number.MIN_SAFE_INTEGER, '-90071992547409.91'],
    ]
    for (const [cents, text] of table) assert.equal(dollars(cents), text)
  })
  it('gives null for null', () => {
    assert.equal(dollars(null), null)
  })
  it('gives a string that parses back to the same cents, over all safe integers', () => {
    const cents = fc.oneof(fc.maxSafeInteger(), fc.integer({ min: -200, max: 200 }))
    fc.assert(
      fc.property(cents, (cents) => {
        const text = dollars(cents)
        assert.match(text, /^-?(?:0|[1-9][0-9]*)\.[0-9]{2}$/)
        assert.equal(centsOf(text), cents)
      }),
    )
  })
  it('throws for what are no cents', () => {
    for (const cents of [0.5, NaN, Infinity, 2 ** 53]) assert.throws(() => dollars(cents), RangeError)
  })
  it('writes a sum in its currency, as the reader’s language does', () => {
    const table: [cents: number, currency: string, locale: string | undefined, text: string][] = [
      [4_000, 'USD', undefined, '$40.00'],
      [-500, 'USD', undefined, '−$5.00'],
      [125_000, 'EUR', undefined, '€1,250.00'],
      [300_000, 'JPY', undefined, '¥3,000'],
      [125_000, 'EUR', 'de-DE', '1.250,00 €'],
    ]
    for (const [cents, currency, locale, text] of table)
      assert.equal(moneyOf(cents, currency, locale).replaceAll('\u{a0}', ' '), text)
  })
  it('is written without its currency only where a program or a field reads it', () => {
    const bare = [...readSources()]
      .filter(([path, text]) => path.startsWith('server/') && !isTest(path) && /\bdollars\(/.test(text))
      .map(([path]) => path)
    assert.deepEqual(bare.toSorted(), [
      // Cells of files, the value of a field, the contract's decimal strings, and what search engines read.
      'server/core/money/currency.ts',
      'server/doors/guest-pages/doors/tickets-facts.ts',
      'server/doors/office/parts/money.ts',
      'server/platform/kernel/money.ts',
      'server/tickets/order.ts',
    ])
  })
})
