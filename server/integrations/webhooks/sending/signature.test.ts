import assert from 'node:assert/strict'
import { createHmac, randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import { publishedVector } from '@venue-data/contract/webhooks/delivery.ts'
import * as fc from 'fast-check'
import { isStandardSecret, makeSecret, sign, standardSignature, verify } from './signature.ts'

const secret = makeSecret(randomBytes)
const seconds = fc.integer({ min: 1, max: 4_000_000_000 })
const bytes = fc.uint8Array({ maxLength: 2_000 })

describe('signature', () => {
  it('any signed body verifies', () => {
    fc.assert(
      fc.property(seconds, bytes, (t, body) =>
        assert.equal(verify(secret, sign(secret, t, body), body, t), 'ok'),
      ),
    )
  })

  it('any flipped bit of the body does not', () => {
    fc.assert(
      fc.property(
        seconds,
        fc.uint8Array({ minLength: 1, maxLength: 500 }),
        fc.nat(),
        fc.nat(7),
        (t, body, place, bit) => {
          const flipped = Uint8Array.from(body)
          const index = place % body.length
          flipped[index] = (flipped[index] ?? 0) ^ (1 << bit)
          assert.equal(verify(secret, sign(secret, t, body), flipped, t), 'wrong signature')
        },
      ),
    )
  })

  it('any changed character of the header does not', () => {
    fc.assert(
      fc.property(
        seconds,
        bytes,
        fc.nat(),
        fc.string({ minLength: 1, maxLength: 1, unit: 'binary-ascii' }),
        (t, body, place, character) => {
          const header = sign(secret, t, body)
          const index = place % header.length
          fc.pre(header[index] !== character)
          const changed = header.slice(0, index) + character + header.slice(index + 1)
          assert.notEqual(verify(secret, changed, body, t), 'ok')
        },
      ),
    )
  })

  it('neither a longer body, nor another secret, nor another second verifies', () => {
    const body = Buffer.from('{"a":1}')
    const header = sign(secret, 1_000, body)
    assert.equal(verify(secret, header, Buffer.concat([body, Buffer.from(' ')]), 1_000), 'wrong signature')
    assert.equal(verify(makeSecret(randomBytes), header, body, 1_000), 'wrong signature')
    assert.equal(verify(secret, header.replace('t=1000', 't=1001'), body, 1_000), 'wrong signature')
    assert.equal(verify(secret.replace('whsec_', ''), header, body, 1_000), 'wrong signature')
  })

  it('is refused when t is more than five minutes from the clock, in either direction', () => {
    const body = Buffer.from('{}')
    const header = sign(secret, 10_000, body)
    for (const now of [9_700, 10_000, 10_300]) assert.equal(verify(secret, header, body, now), 'ok')
    for (const now of [9_699, 10_301]) assert.equal(verify(secret, header, body, now), 'too old or too new')
  })

  it('has the contract’s form: t, a comma without a space, 64 lowercase hexadecimal digits', () => {
    const body = Buffer.from('{"é":1}')
    const expected = createHmac('sha256', secret).update('1791226800.{"é":1}').digest('hex')
    assert.equal(sign(secret, 1_791_226_800, body), `t=1791226800,v1=${expected}`)
  })

  it('a receiver ignores further parts and accepts any valid v1', () => {
    const body = Buffer.from('{}')
    const v1 = sign(secret, 5, body).split(',')[1]
    assert.equal(verify(secret, `t=5, v1=${'0'.repeat(64)}, ${v1}, v2=later`, body, 5), 'ok')
  })

  for (const header of [
    undefined,
    '',
    't=5',
    'v1=00',
    't=5,v1=',
    't=,v1=00',
    `v1=${'a'.repeat(64)}`,
    `t=x,v1=${'a'.repeat(64)}`,
    `t=-5,v1=${'a'.repeat(64)}`,
    `t=5,v1=${'A'.repeat(64)}`,
    `t=5,v1=${'a'.repeat(63)}`,
    `t=5;v1=${'a'.repeat(64)}`,
  ]) {
    it(`cannot be read from ${JSON.stringify(header)}`, () => {
      assert.equal(verify(secret, header, Buffer.from('{}'), 5), 'unreadable signature')
    })
  }

  it('the published test vector verifies', () => {
    const { t, body, v1 } = publishedVector
    assert.equal(sign(publishedVector.secret, t, Buffer.from(body)), `t=${t},v1=${v1}`)
    assert.equal(verify(publishedVector.secret, `t=${t},v1=${v1}`, Buffer.from(body), t), 'ok')
  })

  it('secrets begin with whsec_, are 33 bytes in either alphabet of base64 and do not repeat', () => {
    const secrets = Array.from({ length: 1_000 }, () => makeSecret(randomBytes))
    assert.equal(new Set(secrets).size, 1_000)
    for (const made of secrets) {
      assert.match(made, /^whsec_[A-Za-z0-9]{44}$/)
      assert.ok(isStandardSecret(made))
      const [, text = ''] = made.split('_')
      for (const alphabet of ['base64', 'base64url'] as const) {
        const bytes = Buffer.from(text, alphabet)
        assert.deepEqual([bytes.length, bytes.toString(alphabet)], [33, text])
      }
    }
    assert.equal(isStandardSecret(publishedVector.secret), false)
    assert.equal(
      makeSecret((size) => new Uint8Array(size)),
      `whsec_${'0'.repeat(44)}`,
    )
  })

  it('while two secrets are valid there is a v1 for each', () => {
    const body = Buffer.from('{"a":1}')
    const [newer, older] = [makeSecret(randomBytes), makeSecret(randomBytes)]
    const header = sign(newer, 1_000, body, [older])
    assert.match(header, /^t=1000,v1=[0-9a-f]{64},v1=[0-9a-f]{64}$/)
    assert.ok(header.startsWith(sign(newer, 1_000, body)))
    for (const one of [newer, older]) assert.equal(verify(one, header, body, 1_000), 'ok')
    assert.equal(verify(secret, header, body, 1_000), 'wrong signature')
    assert.match(standardSignature([newer, older], 'x', 1_000, body), /^v1,\S{44} v1,\S{44}$/)
    assert.match(standardSignature([newer, publishedVector.secret], 'x', 1_000, body), /^v1,\S{44}$/)
  })
})
