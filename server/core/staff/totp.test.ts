import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import { codeAt, makeTotpSecret, stepOfCode } from './totp.ts'

/** The secret of RFC 6238, appendix B, `12345678901234567890`, in base32. */
const published = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

describe('codes of an authenticator app', () => {
  it('gives the codes RFC 6238 publishes, cut to six digits', () => {
    for (const [seconds, code] of [
      [59, '287082'],
      [1_111_111_109, '081804'],
      [1_111_111_111, '050471'],
      [1_234_567_890, '005924'],
      [2_000_000_000, '279037'],
      [20_000_000_000, '353130'],
    ] as const) {
      assert.equal(codeAt(published, Math.floor(seconds / 30)), code)
    }
  })

  it('takes a code within one step of the clock, and each code once', () => {
    const now = Temporal.Instant.from('2026-10-06T19:00:00Z')
    const step = now.epochMilliseconds / 30_000
    const code = codeAt(published, step)
    assert.equal(stepOfCode(published, code, now, null), step)
    assert.equal(stepOfCode(published, ` ${code.slice(0, 3)} ${code.slice(3)}`, now, null), step)
    assert.equal(stepOfCode(published, code, now, step), undefined, 'used before')
    assert.equal(stepOfCode(published, code, now.add({ seconds: 59 }), null), step)
    assert.equal(stepOfCode(published, code, now.add({ seconds: 60 }), null), undefined)
    assert.equal(stepOfCode(published, code, now.subtract({ seconds: 30 }), null), step)
    assert.equal(stepOfCode(published, '12345', now, null), undefined)
  })

  it('makes secrets of 32 base32 letters', () => {
    assert.match(makeTotpSecret(randomBytes), /^[A-Z2-7]{32}$/)
  })
})
