import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isReachedFromOutside } from './reached-from-outside.ts'

describe('whether people who get mail can open PUBLIC_URL', () => {
  for (const [address, isReached] of [
    ['https://data.bluedoor.org', true],
    ['https://data.bluedoor.org:8443/venues', true],
    ['https://data.door.test', true],
    ['https://93.184.216.34', true],
    ['http://data.bluedoor.org', false],
    ['http://127.0.0.1:8080', false],
    ['https://127.0.0.1:8080', false],
    ['https://localhost', false],
    ['https://data.localhost.', false],
    ['https://[::1]:8080', false],
    ['https://10.0.0.7', false],
    ['https://data', false],
    ['https://data.bluedoor.internal', false],
    ['https://data.lan', false],
  ] as const) {
    it(`${address}: ${isReached ? 'yes' : 'no'}`, () =>
      assert.equal(isReachedFromOutside(address), isReached))
  }
})
