import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { emailKey, isEmailAddress } from './email.ts'

describe('email', () => {
  describe('the key', () => {
    it('is trimmed, composed and in lower case', () => {
      assert.equal(emailKey('  Maya.Okafor@Example.COM\n'), 'maya.okafor@example.com')
      assert.equal(emailKey('Jose\u0301@example.com'), 'jos\u00e9@example.com')
    })
    it('keeps plus tags and dots: exact means exact', () => {
      assert.notEqual(emailKey('maya+news@example.com'), emailKey('maya@example.com'))
      assert.notEqual(emailKey('m.aya@example.com'), emailKey('maya@example.com'))
    })
    it('is one for a letter whose capital has no composed form', () => {
      assert.equal(emailKey('J\u030c@example.com'), emailKey('\u01f0@example.com'))
    })
    it('is its own key', () => {
      fc.assert(
        fc.property(fc.string({ unit: 'binary' }), (text) => emailKey(emailKey(text)) === emailKey(text)),
      )
    })
    it('does not change with letter case or composition in ASCII and Latin letters', () => {
      const text = fc.string({ unit: fc.constantFrom(...Array.from('aBcé\u0301ñÖ@.+-')) })
      fc.assert(
        fc.property(
          text,
          (typed) =>
            emailKey(typed.toUpperCase()) === emailKey(typed) &&
            emailKey(typed.normalize('NFD')) === emailKey(typed),
        ),
      )
    })
  })

  describe('an address the service takes', () => {
    const label = 'a'.repeat(63)
    for (const address of [
      'maya@example.com',
      ' maya@example.com ',
      'maya.okafor+news@mail.example.co.uk',
      "o'brien@example.com",
      'josé@exämple.com',
      'почта@пример.рф',
      '用户@例子.广告',
      'a@b.c',
      'maya@xn--exmple-cua.com',
      `${'a'.repeat(64)}@example.com`,
      `${'a'.repeat(60)}@${label}.${label}.${label}.a`,
    ]) {
      it(`takes ${JSON.stringify(address)}`, () => assert.ok(isEmailAddress(address)))
    }
  })

  describe('what is no address', () => {
    const label = 'a'.repeat(63)
    for (const address of [
      '',
      ' ',
      'maya',
      'maya@',
      '@example.com',
      'a@b',
      'a@b@c.de',
      'maya@.example.com',
      'maya@example.com.',
      'maya@example..com',
      'maya@-example.com',
      'maya@example-.com',
      'maya@exa_mple.com',
      'maya@192.0.2.1',
      'maya@[192.0.2.1]',
      'ma ya@example.com',
      'maya@exam\u00a0ple.com',
      'maya\u0000@example.com',
      'maya\r\nbcc:x@example.com',
      'ma\u200bya@example.com',
      'maya\u202e@example.com',
      'maya\ud800@example.com',
      'a@example.com,b',
      'a,b@example.com',
      'Maya<maya@example.com>',
      '"maya"@example.com',
      `${'a'.repeat(65)}@example.com`,
      `maya@${'a'.repeat(64)}.com`,
      `${'a'.repeat(61)}@${label}.${label}.${label}.a`,
    ]) {
      it(`refuses ${JSON.stringify(address)}`, () => assert.ok(!isEmailAddress(address)))
    }
  })

  it('an address that is taken has a key that is taken too', () => {
    const text = fc.string({ unit: fc.constantFrom(...Array.from('aB9é\u0301İẞ@.-+_,')), maxLength: 12 })
    fc.assert(fc.property(text, (typed) => !isEmailAddress(typed) || isEmailAddress(emailKey(typed))))
  })

  it('measures the key too, which lower-casing can make longer', () => {
    const address = `${'İ'.repeat(60)}@${'İ'.repeat(60)}.${'İ'.repeat(60)}.${'İ'.repeat(60)}`
    assert.ok(Array.from(address).length <= 254)
    assert.ok(!isEmailAddress(address))
  })
})
