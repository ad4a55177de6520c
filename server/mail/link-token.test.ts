import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { readKeyRing } from '../platform/kernel/secrets.ts'
import type { VenueId } from '../core/venue/venue.ts'
import { linkPurposes, makeLinkToken, readLinkToken } from './link-token.ts'

describe('link tokens', () => {
  const older = `older:${randomBytes(32).toString('base64')}`
  const ring = readKeyRing(`newer:${randomBytes(32).toString('base64')},${older}`)
  const number = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER })
  const facts = fc.record(
    { venue: number.map((id) => id as VenueId), subscriber: number, campaign: number },
    { noNullPrototype: true },
  )
  const purpose = fc.constantFrom(...linkPurposes)

  it('say what was put in, and fit into the local part of an address', () => {
    fc.assert(
      fc.property(purpose, facts, (what, about) => {
        const token = makeLinkToken(ring, what, about)
        assert.deepEqual(readLinkToken(ring, what, token), about)
        assert.match(token, /^[\w-]{25,62}$/)
      }),
    )
  })

  it('are no tokens for another purpose', () => {
    fc.assert(
      fc.property(purpose, purpose, facts, (made, asked, about) => {
        fc.pre(made !== asked)
        assert.equal(readLinkToken(ring, asked, makeLinkToken(ring, made, about)), undefined)
      }),
    )
  })

  it('made under an older entry are still good; under an unknown one not', () => {
    const about = { venue: 3 as VenueId, subscriber: 12, campaign: 5 }
    const token = makeLinkToken(readKeyRing(older), 'unsubscribe', about)
    assert.deepEqual(readLinkToken(ring, 'unsubscribe', token), about)
    const strange = readKeyRing(`older:${randomBytes(32).toString('base64')}`)
    assert.equal(readLinkToken(ring, 'unsubscribe', makeLinkToken(strange, 'unsubscribe', about)), undefined)
  })

  it('with any bit changed, cut or lengthened are no tokens', () => {
    const token = makeLinkToken(ring, 'unsubscribe', { venue: 3 as VenueId, subscriber: 12, campaign: 5 })
    const bytes = Buffer.from(token, 'base64url')
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const changed = Buffer.from(bytes)
      changed[bit >> 3] = (changed[bit >> 3] as number) ^ (1 << (bit & 7))
      assert.equal(readLinkToken(ring, 'unsubscribe', changed.toString('base64url')), undefined)
    }
    for (const other of [
      '',
      token.slice(1),
      token.slice(0, -1),
      `${token}A`,
      `${token}=`,
      ` ${token}`,
      'x'.repeat(9_999),
    ]) {
      assert.equal(readLinkToken(ring, 'unsubscribe', other), undefined)
    }
  })
})
