import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { currentFingerprint, fingerprints, keyedHash, open, readKeyRing, seal } from './secrets.ts'

const entry = (id: string): string => `${id}:${createHash('sha256').update(id).digest('base64')}`
const ring = readKeyRing(entry('k1'))
const rotated = readKeyRing(`${entry('k2')}, ${entry('k1')}`)
const nonce = Buffer.alloc(12, 7)
const endpoint = '0198c0de-0000-7000-8000-000000000001'

describe('secrets', () => {
  describe('the key ring of SECRETS', () => {
    it('reads entries in order, the first being current', () => {
      assert.deepEqual(
        rotated.map(({ id }) => id),
        ['k2', 'k1'],
      )
      assert.deepEqual(rotated[1], ring[0])
    })
    it('derives another key of 32 bytes for each purpose and entry', () => {
      const keys = rotated.flatMap(({ pepper, seal, link }) => [pepper, seal, link])
      assert.ok(keys.every((key) => key.length === 32))
      assert.equal(new Set(keys.map((key) => key.toString('hex'))).size, 6)
    })
    it('derives the same keys for ever', () => {
      // Written down: if this changes, every stored fingerprint and sealed secret is lost.
      assert.equal(
        ring[0].pepper.toString('hex'),
        'd273e45b4041920a5c0f59625724c44a03ed258a4e7cf603985b84d4e0d70682',
      )
      assert.equal(
        ring[0].seal.toString('hex'),
        'e4a0cf6929b0b5b33bfd05a4c1d84020b888348f8857cb1839ca399066d4768c',
      )
      assert.equal(
        ring[0].link.toString('hex'),
        'fb016136786ca37c797cbb2843421e92e672effe74f68f04b3b3d112bf7b1fb3',
      )
    })

    const bytes = randomBytes(32).toString('base64')
    for (const [what, setting] of [
      ['nothing', ''],
      ['an empty entry', `${entry('k1')},`],
      ['no id', `:${bytes}`],
      ['an id with a dot', `a.b:${bytes}`],
      ['no colon', bytes],
      ['31 bytes', `k1:${randomBytes(31).toString('base64')}`],
      ['33 bytes', `k1:${randomBytes(33).toString('base64')}`],
      ['hexadecimal', `k1:${randomBytes(32).toString('hex')}`],
      ['stray bits at the end', `k1:${'A'.repeat(42)}B=`],
      ['one id twice', `k1:${bytes},k1:${randomBytes(32).toString('base64')}`],
      ['one secret twice', `k1:${bytes},k2:${bytes}`],
      ['nine entries', Array.from({ length: 9 }, (_, place) => entry(`k${place}`)).join(',')],
    ] as const) {
      it(`refuses ${what} and does not repeat it`, () => {
        assert.throws(
          () => readKeyRing(setting),
          (error: Error) => error.message.startsWith('SECRETS') && !error.message.includes(bytes),
        )
      })
    }
  })

  describe('fingerprints', () => {
    it('are HMAC-SHA-256 (RFC 4231, case 2)', () => {
      assert.equal(
        keyedHash('what do ya want for nothing?', Buffer.from('Jefe')).toString('hex'),
        '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
      )
    })
    it('of a key made before a rotation are still found after it', () => {
      const stored = currentFingerprint(ring, 'a key')
      assert.ok(fingerprints(rotated, 'a key').some((candidate) => candidate.equals(stored)))
      assert.ok(!currentFingerprint(rotated, 'a key').equals(stored))
    })
    it('come with the current one first', () => {
      assert.deepEqual(fingerprints(rotated, 'a key')[0], currentFingerprint(rotated, 'a key'))
      assert.equal(fingerprints(rotated, 'a key').length, 2)
    })
  })

  describe('sealing', () => {
    it('opens to what was sealed', () => {
      const texts = fc.string({ unit: 'grapheme' })
      const nonces = fc.uint8Array({ minLength: 12, maxLength: 12 })
      fc.assert(
        fc.property(
          texts,
          texts,
          nonces,
          (text, aad, nonce) => open(ring, seal(ring, text, aad, nonce), aad) === text,
        ),
      )
    })
    it('names the entry, and hides the text', () => {
      const sealed = seal(rotated, 'whsec_secret', endpoint, nonce)
      assert.match(sealed, /^k2\.[\w-]+$/)
      assert.ok(!Buffer.from(sealed.slice(3), 'base64url').includes('whsec'))
    })
    it('gives another text for another nonce', () => {
      assert.notEqual(seal(ring, 'a', '', nonce), seal(ring, 'a', '', Buffer.alloc(12, 8)))
    })
    it('wants a nonce of 12 bytes', () => {
      assert.throws(() => seal(ring, 'a', '', Buffer.alloc(11)), RangeError)
      assert.throws(() => seal(ring, 'a', '', Buffer.alloc(16)), RangeError)
    })
    it('opens after a rotation, and no longer once the entry is gone', () => {
      const sealed = seal(ring, 'whsec_secret', endpoint, nonce)
      assert.equal(open(rotated, sealed, endpoint), 'whsec_secret')
      assert.throws(() => open(readKeyRing(entry('k2')), sealed, endpoint), /SECRETS does not hold/)
    })
    it('does not open for another record', () => {
      const sealed = seal(ring, 'whsec_secret', endpoint, nonce)
      assert.throws(() => open(ring, sealed, endpoint.replace('1', '2')), /does not open/)
      assert.throws(() => open(ring, sealed, ''), /does not open/)
    })
    it('does not open with one character changed, whichever it is', () => {
      const sealed = seal(rotated, 'whsec_secret', endpoint, nonce)
      for (let place = 0; place < sealed.length; place++) {
        for (const other of 'AQgw_-+.=1k') {
          if (other === sealed[place]) continue
          const altered = sealed.slice(0, place) + other + sealed.slice(place + 1)
          assert.throws(() => open(rotated, altered, endpoint), Error, altered)
        }
      }
    })
    it('does not open with one byte flipped, whichever it is', () => {
      const bytes = Buffer.from(seal(ring, 'whsec_secret', endpoint, nonce).slice(3), 'base64url')
      fc.assert(
        fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (place, flip) => {
          const altered = Buffer.from(bytes)
          altered[place] = (altered[place] ?? 0) ^ flip
          assert.throws(() => open(ring, `k1.${altered.toString('base64url')}`, endpoint), /does not open/)
        }),
      )
    })
    it('does not open when cut, empty or padded', () => {
      const sealed = seal(ring, '', endpoint, nonce)
      assert.equal(open(ring, sealed, endpoint), '')
      for (const altered of [
        '',
        '.',
        'k1',
        'k1.',
        sealed.slice(0, -1),
        `${sealed}A`,
        `${sealed}=`,
        ` ${sealed}`,
      ]) {
        assert.throws(() => open(ring, altered, endpoint), Error, altered)
      }
    })
  })
})
