import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { fingerprints, readKeyRing } from '../../platform/kernel/secrets.ts'
import { fingerprintKey, hasKeyForm, lastFour, makeKeyText } from './key-text.ts'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const keys = fc
  .uint8Array({ minLength: 64, maxLength: 64, max: 247 })
  .map((bytes) => makeKeyText(() => bytes))

/** The first random letter of a key drawn from this byte and then from others. */
const firstLetter = (byte: number, rest: number): string =>
  makeKeyText((size) => Buffer.alloc(size, rest).fill(byte, 0, 1)).charAt(11)

describe('key text', () => {
  describe('the text of an API key', () => {
    it('is service_sk_ and 40 letters and digits', () => {
      fc.assert(fc.property(keys, (key) => /^service_sk_[0-9A-Za-z]{40}$/.test(key) && hasKeyForm(key)))
      assert.ok(hasKeyForm(makeKeyText(randomBytes)))
    })
    it('is always the same for the same random bytes', () => {
      // Fixed values: if the checksum changed, keys in use would be refused.
      assert.equal(
        makeKeyText((size) => Buffer.alloc(size, 1)),
        'service_sk_11111111111111111111111111111111112kMkR1',
      )
    })
    it('fails with any one character changed', () => {
      fc.assert(
        fc.property(
          keys,
          fc.nat(50),
          fc.constantFrom(...Array.from(alphabet), '_', ' ', 'é'),
          (key, place, other) => {
            fc.pre(key[place] !== other)
            return !hasKeyForm(key.slice(0, place) + other + key.slice(place + 1))
          },
        ),
        { numRuns: 5_000 },
      )
    })
    it('fails with two neighboring characters swapped', () => {
      fc.assert(
        fc.property(keys, fc.integer({ min: 11, max: 43 }), (key, place) => {
          const [one = '', other = ''] = key.slice(place, place + 2)
          fc.pre(one !== other)
          return !hasKeyForm(key.slice(0, place) + other + one + key.slice(place + 2))
        }),
      )
    })
    it('fails for random letters and digits', () => {
      const made = fc.string({ unit: fc.constantFrom(...Array.from(alphabet)), minLength: 40, maxLength: 40 })
      fc.assert(fc.property(made, (text) => !hasKeyForm(`service_sk_${text}`)))
    })
    it('fails for other lengths, prefixes and spaces', () => {
      const key = makeKeyText(randomBytes)
      for (const text of [
        '',
        key.slice(1),
        key.slice(0, -1),
        `${key}0`,
        ` ${key}`,
        `${key}\n`,
        key.toUpperCase(),
        `${key},${key}`,
      ]) {
        assert.ok(!hasKeyForm(text), JSON.stringify(text))
      }
    })
  })

  describe('the randomness of a key', () => {
    it('gives every letter and digit an equal share of the byte values', () => {
      const counts = new Map<string, number>()
      for (let byte = 0; byte < 256; byte++) {
        const letter = firstLetter(byte, 0)
        // If the byte was discarded, the letter comes from the following bytes.
        if (letter === firstLetter(byte, 1)) counts.set(letter, (counts.get(letter) ?? 0) + 1)
      }
      assert.equal(counts.size, 62)
      assert.deepEqual(new Set(counts.values()), new Set([4]))
    })
    it('draws again when bytes were discarded', () => {
      let draws = 0
      const key = makeKeyText((size) => Buffer.alloc(size, draws++ === 0 ? 255 : 9))
      assert.equal(draws, 2)
      assert.ok(hasKeyForm(key))
    })
    it('fails when the source of randomness is broken', () => {
      assert.throws(() => makeKeyText((size) => Buffer.alloc(size, 255)), /random source/)
      assert.throws(() => makeKeyText(() => Buffer.alloc(0)), /random source/)
    })
  })

  describe('what is stored of a key', () => {
    it('is a fingerprint that the key ring finds again', () => {
      const ring = readKeyRing(`k1:${Buffer.alloc(32, 5).toString('base64')}`)
      const key = makeKeyText(randomBytes)
      assert.deepEqual(fingerprintKey(key, ring[0].pepper), fingerprints(ring, key)[0])
      assert.equal(fingerprintKey(key, ring[0].pepper).length, 32)
    })
    it('differs with the pepper and with the key', () => {
      const pepper = Buffer.alloc(32, 1)
      assert.notDeepEqual(fingerprintKey('a', pepper), fingerprintKey('b', pepper))
      assert.notDeepEqual(fingerprintKey('a', pepper), fingerprintKey('a', Buffer.alloc(32, 2)))
    })
    it('is the last 4 characters for the owner', () => {
      assert.equal(lastFour('service_sk_abcdWXYZ'), 'WXYZ')
    })
  })
})
