import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { limits } from '@venue-data/contract/limits.ts'
import { readBy } from '../time/in-words.ts'
import { phoneForGuests, phoneForStaff, phoneIn, phoneInWords } from './shown-phone.ts'

describe('a phone number as people read it', () => {
  it('is written as the country of the venue writes its own, however it was typed', () => {
    const own: [country: string, words: string, call: string, typed: string[]][] = [
      [
        'US',
        '(503) 555-0123',
        'tel:+15035550123',
        [
          '+15035550123',
          '503.555.0123',
          '(503) 555 0123',
          '1-503-555-0123',
          '5035550123',
          '＋１ ５０３ ５５５ ０１２３',
        ],
      ],
      [
        'GB',
        '020 7946 0958',
        'tel:+442079460958',
        ['02079460958', '+44 (0)20 7946 0958', '0044 20 7946 0958', '+44 020 7946 0958', '2079460958'],
      ],
      ['FR', '01 23 45 67 89', 'tel:+33123456789', ['0123456789', '+33 1 23456789']],
      ['IT', '06 1234 5678', 'tel:+390612345678', ['0612345678', '+39 06 12345678']],
      ['DE', '030 1234567', 'tel:+49301234567', ['030/1234567', '+49 30 1234567']],
      ['JP', '090-1234-5678', 'tel:+819012345678', ['09012345678', '+81 90-1234-5678']],
      ['RU', '8 (912) 345-67-89', 'tel:+79123456789', ['89123456789', '+7 912 3456789']],
      ['ES', '912 34 56 78', 'tel:+34912345678', ['912345678', '+34 912345678']],
    ]
    for (const [country, words, call, typed] of own)
      for (const one of typed) assert.deepEqual(phoneIn(country, one), { words, call }, one)
  })

  it('of another country has its code', () => {
    assert.deepEqual(phoneIn('US', '+442079460958'), {
      words: '+44 20 7946 0958',
      call: 'tel:+442079460958',
    })
    assert.equal(phoneIn('US', '011 44 20 7946 0958').words, '+44 20 7946 0958')
    assert.equal(phoneIn('GB', '+15035550123').words, '+1 503 555 0123')
    assert.equal(phoneIn('FR', '+819012345678').words, '+81 90 1234 5678')
  })

  it('of the same numbering plan is dialed, and written, like an own one', () => {
    assert.equal(phoneIn('US', '+14165550123').words, '(416) 555-0123')
    assert.equal(phoneIn('CA', '8005550123').words, '(800) 555-0123')
  })

  it('keeps an extension, which no phone dials by itself', () => {
    for (const typed of ['503-555-0123 x12', '503-555-0123, ext. 12', '(503) 555 0123 #12'])
      assert.deepEqual(phoneIn('US', typed), { words: '(503) 555-0123 ext. 12', call: 'tel:+15035550123' })
  })

  it('stays as typed where it may not be one', () => {
    const typed: [country: string, typed: string, call: string | undefined][] = [
      ['US', '555-0123', 'tel:5550123'],
      // Seven digits of a town, not the number of North America that begins so.
      ['US', '310 5550', 'tel:3105550'],
      // A number without its town.
      ['DE', '2345678', 'tel:2345678'],
      ['US', '112-555-0100', 'tel:1125550100'],
      ['US', '+999 123456', 'tel:+999123456'],
      ['US', '1'.repeat(20), `tel:${'1'.repeat(20)}`],
      ['US', '503 555 0123 / 503 555 0124', 'tel:50355501235035550124'],
      ['US', '503 555 0123 (Ana)', 'tel:5035550123'],
      ['JP', '携帯 090-1234-5678', 'tel:09012345678'],
      ['US', '503 555 0123?', 'tel:5035550123'],
      ['US', '123456', undefined],
      ['US', 'ask at the door', undefined],
      ['US', '', undefined],
      ['XX', '503 555 0123', 'tel:5035550123'],
    ]
    for (const [country, one, call] of typed)
      assert.deepEqual(phoneIn(country, one), { words: one, call }, one)
  })

  it('of a country that nobody knows of still has its code', () => {
    assert.equal(phoneIn('XX', '+15035550123').words, '+1 503 555 0123')
  })

  it('longer than any that can be stored is not read', () => {
    const long = `+1503555${' '.repeat(limits.phoneCharacters)}0123`
    assert.deepEqual(phoneIn('US', long), { words: long, call: undefined })
  })

  it('of whatever text is never a mistake, and never less than its digits', () => {
    const unit = fc.constantFrom(...Array.from('0123456789 +()-.x#/;ext=٣٠'))
    fc.assert(
      fc.property(
        fc.string({ unit, maxLength: 40 }),
        fc.constantFrom('US', 'GB', 'DE', 'IT'),
        (text, country) => {
          const { words, call } = phoneIn(country, text)
          assert.ok(words === text || /\d{2}/.test(words))
          assert.ok(call === undefined || /^tel:\+?\d+$/.test(call))
        },
      ),
    )
  })

  it('is read by staff in their country, and by a program as typed', () => {
    assert.equal(phoneInWords('+15035550123'), '+15035550123')
    readBy({ country: 'US', clockHours: null }, () => {
      assert.equal(phoneInWords('+15035550123'), '(503) 555-0123')
      assert.equal(phoneInWords(null), null)
      assert.equal(phoneForStaff('+15035550123').call, 'tel:+15035550123')
    })
    readBy({ country: 'GB', clockHours: null }, () =>
      assert.equal(phoneInWords('+15035550123'), '+1 503 555 0123'),
    )
  })

  it('of a venue keeps the code of its country where the venue wrote it for its guests', () => {
    const shown = (phone: string | null) => phoneForGuests({ country: 'US', phone })
    assert.deepEqual(shown('+15035550123'), { words: '+1 503 555 0123', call: 'tel:+15035550123' })
    assert.deepEqual(shown('503.555.0123'), { words: '(503) 555-0123', call: 'tel:+15035550123' })
    assert.equal(shown(null), undefined)
  })

  it('takes a list of 300 less time than anybody notices', () => {
    const typed = Array.from({ length: 300 }, (_, n) => `+1503555${String(n).padStart(4, '0')}`)
    const read = () => typed.map((one) => phoneIn('US', one))
    // The quickest of a few: what else this process does meanwhile, such as compiling, counts too.
    const spentMs = [1, 2, 3, 4, 5].map(() => {
      const before = process.cpuUsage()
      read()
      const { user, system } = process.cpuUsage(before)
      return (user + system) / 1_000
    })
    assert.ok(Math.min(...spentMs) < 100, spentMs.join(' ms, '))
  })
})
