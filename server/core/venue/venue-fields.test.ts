import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { venueMistakes } from './venue-fields.ts'

describe('the fields of a venue', () => {
  const fine = (fields: Parameters<typeof venueMistakes>[0]) => venueMistakes(fields).length === 0

  it('slug: 1 to 63 lowercase letters, digits and inner hyphens', () => {
    for (const slug of ['a', '7', 'blue-door', 'a--b', 'x'.repeat(63)]) assert.ok(fine({ slug }), slug)
    for (const slug of ['', '-a', 'a-', 'Blue', 'blue door', 'blüe', 'x'.repeat(64), 'a\n'])
      assert.ok(!fine({ slug }), slug)
  })

  it('timezone: the IANA name of a zone with its own clock changes', () => {
    for (const timezone of ['UTC', 'America/New_York', 'Asia/Kolkata']) assert.ok(fine({ timezone }))
    for (const timezone of ['', 'EST', '+02:00', 'Mars/Phobos', 'america/new_york'])
      assert.ok(!fine({ timezone }))
  })

  it('name: not blank, at most 200 characters, no control characters', () => {
    assert.ok(fine({ name: 'L’Étoile & Söhne 🍋' }))
    for (const name of ['', ' ', 'x'.repeat(201), 'a\u001b[2Jb', 'a\nb']) assert.ok(!fine({ name }))
  })

  it('country: two capital letters; phone: 7 to 20 digits; none is fine', () => {
    assert.ok(fine({ country: 'GB', phone: '+44 20 7946 0958' }))
    assert.ok(fine({ phone: null, mailFrom: null, postalAddress: null }))
    for (const country of ['gb', 'GBR', '']) assert.ok(!fine({ country }))
    for (const phone of ['555', 'call us', '1'.repeat(21)]) assert.ok(!fine({ phone }))
  })

  it('test addresses: at most 10, each once, each an address', () => {
    const addresses = Array.from({ length: 11 }, (_, i) => `t${i}@example.com`)
    assert.ok(fine({ testAddresses: addresses.slice(1) }))
    for (const testAddresses of [addresses, ['a@b.io', 'A@B.IO '], ['Ines <ines@example.com>']])
      assert.ok(!fine({ testAddresses }))
  })

  it('rooms and brands: at most 50, each once, each a line', () => {
    const rooms = Array.from({ length: 51 }, (_, i) => `Room ${i}`)
    assert.ok(fine({ rooms: rooms.slice(1) }))
    for (const wrong of [rooms, ['Cellar', ' cellar'], [' '], ['x'.repeat(201)], ['a\nb']])
      assert.ok(!fine({ rooms: wrong }))
  })

  it('postal address: may have several lines', () => {
    assert.ok(fine({ postalAddress: '1 Mill Lane\nYork\r\nYO1' }))
    assert.ok(!fine({ postalAddress: '1 Mill\u0007Lane' }))
  })
})
