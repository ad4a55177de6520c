import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { makeOrderNumber, orderNumbersMeant } from './order-number.ts'

describe('the number of an order', () => {
  it('is readable: no character mistaken for another, and found however it is typed', () => {
    for (let i = 0; i < 200; i++) {
      const number = makeOrderNumber('the-bluedoor')
      assert.match(number, /^TB-[34679CDFGHJKMNPQRTVWXY]{6}$/)
      const typed = [
        number,
        number.toLowerCase(),
        ` ${number.replace('-', ' ')} `,
        number.slice(3),
        number.replace('-', ''),
      ]
      for (const text of typed) assert.ok(orderNumbersMeant('the-bluedoor', text).includes(number), text)
    }
  })
})
