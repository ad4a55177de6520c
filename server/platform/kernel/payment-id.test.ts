import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isPaymentId } from './payment-id.ts'

describe('what identifies a card or a payment', () => {
  /** Test numbers of each network, as processors publish them. */
  const cards = [
    ['Visa', '4242424242424242', '4111111111111111', '4222222222222', '4000000000000000006'],
    ['Mastercard', '5555555555554444', '5105105105105100', '2223003122003222', '2720992720992729'],
    ['American Express', '378282246310005', '371449635398431'],
    ['Discover', '6011111111111117', '6011000990139424', '6445644564456445'],
    ['Diners Club', '3056930009020004'.slice(0, 14), '36227206271667', '38520000023237'],
    ['JCB', '3566002020360505', '3530111333300000'],
    ['UnionPay', '6200000000000005', '6205500000000000004'],
    ['Maestro', '6304000000000000', '6759649826438453'],
    ['Mir', '2200000000000053'],
  ] as const

  it('is the number of a card of any network', () => {
    for (const [network, ...numbers] of cards)
      for (const number of numbers.filter(fitsItsCheckDigit))
        assert.ok(isPaymentId(number), `${network} ${number}`)
    const all = cards.flatMap(([, ...numbers]) => numbers)
    assert.ok(all.filter(fitsItsCheckDigit).length >= all.length - 2)
  })

  it('is one in groups, in wide digits, and in the middle of a text', () => {
    for (const text of [
      '4242-4242-4242-4242',
      '4242--4242--4242--4242',
      '4242 - 4242 - 4242 - 4242',
      '4242.4242.4242.4242',
      '4242--4242--4242--4242',
      '4242 - 4242 - 4242 - 4242',
      '17-4242-4242-4242-4242',
      'card:4242424242424242',
      'x4242424242424242y',
      '3782-822463-10005',
      '４２４２４２４２４２４２４２４２',
    ])
      assert.ok(isPaymentId(text), text)
  })

  it('is a processor’s id of a payment, a charge, a checkout, a customer, a method, a setup or a refund', () => {
    for (const prefix of ['pi', 'ch', 'cs', 'cus', 'pm', 'seti', 're'])
      for (const text of [
        `${prefix}_3MtwBwLkdIwHu7`,
        `${prefix}_3MtwBwLkdIwHu7ix28a3tqPa`,
        `order-${prefix}_3MtwBwLkdIwHu7`,
      ])
        assert.ok(isPaymentId(text), text)
    assert.ok(isPaymentId('cs_test_a1B2c3D4e5F6g7H8'))
  })

  it('is nothing else: order numbers, phones, dates, UUIDs, ids too short', () => {
    for (const text of [
      'shop-20114',
      '2026-11-24-000123',
      '+12125550147',
      '4242424242424241',
      '42424242424242424242',
      '0b9e3c1e-6a35-4f0e-8a53-1c8f4b8f2d70',
      'pi_3MtwBwLkdIwHu',
      'store_12345678901234',
      'pipe_12345678901234',
      '1234567890123452',
      'crm-90117',
      '',
    ])
      assert.ok(!isPaymentId(text), text)
  })

  it('of a thousand order numbers of 16 digits that fit a check digit, few are refused', () => {
    const numbers = Array.from({ length: 1_000 }, (_, n) =>
      withCheckDigit(`10${String(n * 7919).padStart(13, '0')}`),
    )
    assert.equal(numbers.filter(isPaymentId).length, 0)
  })
})

const fitsItsCheckDigit = (number: string): boolean => withCheckDigit(number.slice(0, -1)) === number

/** An independent implementation, from the other end. */
const withCheckDigit = (digits: string): string => {
  let sum = 0
  for (let i = digits.length - 1, twice = true; i >= 0; i--, twice = !twice) {
    const value = Number(digits[i]) * (twice ? 2 : 1)
    sum += Math.floor(value / 10) + (value % 10)
  }
  return digits + String((10 - (sum % 10)) % 10)
}
