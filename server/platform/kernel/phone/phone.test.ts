import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { phoneKey, prefixEnd, reversed, samePhone, suffixesOf, type PhoneKey } from './phone.ts'

const national = (digits: string): PhoneKey => ({ digits, international: false })
const international = (digits: string): PhoneKey => ({ digits, international: true })

/** Keys that often end alike, so that equal, suffix and neither all come up. */
const keys = fc
  .tuple(
    fc.constantFrom('', '1', '0', '44', '001', '4420'),
    fc.constantFrom('212', '909', '0', ''),
    fc.constantFrom('5550100', '5550101', '05550100', '79460958'),
    fc.boolean(),
  )
  .map(([country, area, line, international]) => ({ digits: country + area + line, international }))

const match = (a: string, b: string): boolean => {
  const [one, other] = [phoneKey(a), phoneKey(b)]
  return one !== undefined && other !== undefined && samePhone(one, other)
}

/** What the statements find by index, over arrays; text_pattern_ops compares bytes, and these are ASCII. */
const prefilter = (stored: readonly PhoneKey[], { digits }: PhoneKey): PhoneKey[] =>
  stored.filter(
    (row) =>
      (reversed(row.digits) >= reversed(digits) && reversed(row.digits) < prefixEnd(reversed(digits))) ||
      suffixesOf(digits).includes(row.digits),
  )

describe('phone', () => {
  describe('the key of a number as typed', () => {
    const table: [typed: string, key: PhoneKey | undefined][] = [
      ['(212) 555-0100', national('2125550100')],
      ['212.555.0100', national('2125550100')],
      ['020 7946 0958', national('2079460958')],
      ['+1 (212) 555-0100', international('12125550100')],
      ['(+44) 20 7946 0958', international('442079460958')],
      ['tel:+44-20-7946-0958', international('442079460958')],
      ['0044 20 7946 0958', international('442079460958')],
      ['+44 (0)20 7946 0958', international('442079460958')],
      ['+44 ( 0 ) 20 7946 0958', international('442079460958')],
      ['(0)20 7946 0958', national('2079460958')],
      ['+44 020 7946 0958', international('4402079460958')],
      ['＋１ ２１２ ５５５ ０１００', international('12125550100')],
      ['٠٥٠ ١٢٣ ٤٥٦٧', national('501234567')],
      ['०११ २३४५ ६७८९', national('1123456789')],
      ['\u202a+1 212 555 0100\u202c', international('12125550100')],
      ['212 555 0100 x12', national('2125550100')],
      ['212 555 0100 X 12', national('2125550100')],
      ['212-555-0100, ext. 12', national('2125550100')],
      ['212 555 0100 (ext 12)', national('2125550100')],
      ['212 555 0100 extension 12', national('2125550100')],
      ['(212) 555 0100 #12', national('2125550100')],
      ['+1-212-555-0100;ext=12', international('12125550100')],
      ['#2125550100', national('2125550100')],
      ['fax 2125550100', national('2125550100')],
      ['ext 2125550100', national('2125550100')],
    ]
    for (const [typed, key] of table) {
      it(`${JSON.stringify(typed)} is ${key === undefined ? 'unusable' : key.digits}`, () => {
        assert.deepEqual(phoneKey(typed), key)
      })
    }
  })

  describe('lengths', () => {
    it('takes 7 to 20 digits and no others', () => {
      assert.equal(phoneKey('123456'), undefined)
      assert.deepEqual(phoneKey('1234567'), national('1234567'))
      assert.deepEqual(phoneKey('1'.repeat(20)), national('1'.repeat(20)))
      assert.equal(phoneKey('1'.repeat(21)), undefined)
    })
    it('counts after the 00 of an international number is dropped', () => {
      assert.equal(phoneKey('00 123456'), undefined)
      assert.deepEqual(phoneKey(`00${'1'.repeat(20)}`), international('1'.repeat(20)))
    })
    it('does not count an extension', () => {
      assert.equal(phoneKey('555 010 x1234'), undefined)
    })
    it('strips a leading zero only while 7 digits remain', () => {
      assert.deepEqual(phoneKey('0123456'), national('0123456'))
      assert.deepEqual(phoneKey('01234567'), national('1234567'))
    })
    it('finds text without digits unusable', () => {
      for (const text of ['', ' ', '+', '(0)', 'ask at the door', 'x', '00'])
        assert.equal(phoneKey(text), undefined)
    })
  })

  it('a key always passes the check of the database, no matter what was typed', () => {
    const typed = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.constantFrom(...Array.from('0123456789 +()-.x#;ext=٣')), maxLength: 40 }),
    )
    fc.assert(
      fc.property(typed, (text) => {
        const key = phoneKey(text)
        return key === undefined || /^[0-9]{7,20}$/.test(key.digits)
      }),
    )
  })

  it('takes time in proportion to the text', () => {
    for (const text of [
      '0'.repeat(200_000),
      ' '.repeat(200_000),
      '5x'.repeat(100_000),
      '٣'.repeat(100_000),
    ]) {
      assert.equal(phoneKey(text), undefined)
    }
  })

  describe('the same phone', () => {
    it('is the same digits, with or without a country code', () => {
      assert.ok(match('+1 212 555 0100', '(212) 555-0100'))
      assert.ok(match('020 7946 0958', '+44 20 7946 0958'))
      assert.ok(match('555-0100', '+1 212 555 0100'))
      assert.ok(match('12125550100', '+1 212 555 0100'))
    })
    it('is not the last seven digits alone', () => {
      assert.ok(!match('(646) 555-0100', '(212) 555-0100'))
    })
    it('is not two country codes', () => {
      assert.ok(!match('+1 212 555 0100', '+44 1 212 555 0100'))
    })
    it('needs the shorter one to be without a country code', () => {
      assert.ok(!match('+2125550100', '1 212 555 0100'))
    })
    it('is symmetric, and every key is its own', () => {
      fc.assert(fc.property(keys, keys, (a, b) => samePhone(a, b) === samePhone(b, a) && samePhone(a, a)))
    })
  })

  describe('the SQL prefilter', () => {
    it('keeps every row that is the same phone', () => {
      fc.assert(
        fc.property(fc.array(keys), keys, (stored, sought) => {
          const kept = prefilter(stored, sought)
          return stored.every((row) => !samePhone(row, sought) || kept.includes(row))
        }),
        { numRuns: 1_000 },
      )
    })
    it('keeps a longer number for any digit before the sought ones', () => {
      for (const digit of '0123456789') {
        const row = national(`${digit}5550100`)
        assert.deepEqual(prefilter([row], national('5550100')), [row])
      }
    })
    it('keeps only rows of which one ends with the other', () => {
      fc.assert(
        fc.property(fc.array(keys), keys, (stored, sought) =>
          prefilter(stored, sought).every(
            (row) => row.digits.endsWith(sought.digits) || sought.digits.endsWith(row.digits),
          ),
        ),
      )
    })
    it('asks for endings of 7 digits or more, the whole number first', () => {
      assert.deepEqual(suffixesOf('2125550100'), ['2125550100', '125550100', '25550100', '5550100'])
      assert.deepEqual(suffixesOf('555010'), [])
      assert.equal(suffixesOf('1'.repeat(20)).length, 14)
    })
  })

  it('reads the digits of every script by their value', () => {
    for (let code = 0x80; code <= 0x10ffff; code++) {
      const digit = String.fromCodePoint(code)
      if (!/^\p{Nd}$/u.test(digit)) continue
      const ten = Array.from({ length: 10 }, (_, value) => String.fromCodePoint(code + value)).join('')
      if (!/^\p{Nd}{10}$/u.test(ten) || /^\p{Nd}$/u.test(String.fromCodePoint(code - 1))) continue
      assert.deepEqual(phoneKey(`9${ten}`), national('90123456789'), code.toString(16))
    }
  })
})
