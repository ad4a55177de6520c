import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { personsAmong } from './one-person.ts'
import { type Contact, isOf } from './person.ts'

const record = (said: Partial<Contact>): Contact => ({
  ...{ guestId: null, email: null, phone: null, name: null },
  ...said,
})

/** Records by letters, as one text per person; every order of the records must give the same. */
const grouped = (records: Readonly<Record<string, Partial<Contact>>>): string[] => {
  const letters = Object.keys(records).toSorted()
  const read = (order: readonly string[]): string[] =>
    personsAmong(order.map((letter) => record(records[letter] ?? {})))
      .map((person) => letters.filter((letter) => isOf(record(records[letter] ?? {}), person)).join(''))
      .toSorted()
  const found = read(letters)
  assert.deepEqual(read(letters.toReversed()), found, 'in either order')
  return found
}

const [landline, mobile] = ['(212) 555-0147', '+1 917 555 0142']

describe('who is one person', () => {
  it('a guest and everything with the same address', () => {
    assert.deepEqual(
      grouped({
        g: { guestId: 1, email: 'Ada@Example.com', name: 'Ada' },
        s: { email: 'ada@example.com' },
        o: { email: 'ADA@example.com', phone: mobile, name: 'Ada Lovelace' },
        x: { email: 'ada@example.org', name: 'Ada' },
      }),
      ['gos', 'x'],
    )
  })

  it('what has the number and the name, however the number is written; what the address brings along counts too', () => {
    assert.deepEqual(
      grouped({
        g: { guestId: 1, email: 'ada@example.com', phone: landline, name: 'Ada Lovelace' },
        o: { email: 'ada@example.com', phone: mobile, name: 'Ada King' },
        w: { phone: '+1 212 555 0147', name: 'ada  lovelace' },
        v: { phone: '917-555-0142', name: 'Ada King' },
      }),
      ['govw'],
    )
  })

  it('not a family that shares a number, with addresses or without', () => {
    assert.deepEqual(
      grouped({
        a: { guestId: 1, email: 'joe@example.com', phone: landline, name: 'Joe Doe' },
        b: { guestId: 2, email: 'jane@example.com', phone: landline, name: 'Jane Doe' },
        c: { phone: landline, name: 'Jim Doe' },
      }),
      ['a', 'b', 'c'],
    )
    assert.deepEqual(
      grouped({
        a: { guestId: 1, phone: landline, name: 'Joe Doe' },
        b: { email: 'jane@example.com', phone: landline, name: 'Jane Doe' },
        c: { email: 'jim@example.com', phone: landline },
      }),
      ['a', 'b', 'c'],
    )
  })

  it('a number without a name is whose it is alone, and nobody’s where a family shares it', () => {
    const joe = { guestId: 1, email: 'joe@example.com', phone: landline, name: 'Joe Doe' }
    assert.deepEqual(grouped({ a: joe, n: { phone: landline } }), ['an'])
    assert.deepEqual(grouped({ a: joe, b: { phone: landline, name: 'Jane Doe' }, n: { phone: landline } }), [
      'a',
      'b',
      'n',
    ])
    assert.deepEqual(
      grouped({ g: { guestId: 1, phone: landline }, w: { phone: landline, name: 'Joe Doe' } }),
      ['gw'],
    )
    assert.deepEqual(
      grouped({
        g: { guestId: 1, phone: landline },
        w: { phone: landline, name: 'Joe Doe' },
        v: { phone: landline, name: 'Jane Doe' },
      }),
      ['g', 'v', 'w'],
    )
  })

  it('a name alone is whose it is alone: of two who are called so it is neither', () => {
    const one = { guestId: 1, email: 'one@example.com', name: 'Maria Garcia' }
    assert.deepEqual(grouped({ a: one, n: { name: 'maria garcia' } }), ['an'])
    assert.deepEqual(
      grouped({ a: one, b: { phone: mobile, name: 'Maria Garcia' }, n: { name: 'Maria Garcia' } }),
      ['a', 'b', 'n'],
    )
  })

  it('a guest without an address gets the one that comes with number and name; of two none', () => {
    const guest = { guestId: 1, phone: landline, name: 'Joe Doe' }
    const senior = { email: 'senior@example.com', phone: landline, name: 'Joe Doe' }
    assert.deepEqual(grouped({ g: guest, o: senior, s: { email: senior.email } }), ['gos'])
    assert.deepEqual(grouped({ g: guest, o: senior, p: { ...senior, email: 'junior@example.com' } }), [
      'g',
      'o',
      'p',
    ])
    assert.deepEqual(grouped({ g: guest, o: { ...senior, name: null } }), ['g', 'o'])
    assert.deepEqual(grouped({ g: guest, o: { ...senior, phone: mobile } }), ['g', 'o'])
  })

  it('never two guests, nor what both of them could be', () => {
    assert.deepEqual(
      grouped({
        a: { guestId: 1, email: 'joe@example.com', phone: landline, name: 'Joe Doe' },
        b: { guestId: 2, phone: landline, name: 'Joe Doe' },
        w: { phone: landline, name: 'Joe Doe' },
      }),
      ['a', 'b', 'w'],
    )
  })

  it('an address-only subscriber and a number-only guest are two: nothing links them', () => {
    assert.deepEqual(
      grouped({
        g: { guestId: 1, phone: landline, name: 'Ada Lovelace' },
        s: { email: 'ada@example.com' },
        o: { email: 'ada@example.com', name: 'Ada Lovelace' },
      }),
      ['g', 'os'],
    )
  })

  it('a number that is too short for one says nothing', () => {
    assert.deepEqual(
      grouped({
        a: { phone: '12345', name: 'Ada' },
        b: { phone: '54321', name: 'Bo' },
        c: { phone: '12345' },
      }),
      ['a', 'b'],
    )
  })
})
