import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { idOfReference, referenceOf } from './reference.ts'

const [blue, green] = ['0c1f7ad2-6c0e-4d3c-9a55-0f3f6f1b2a10', '5b8d0f3e-91aa-4c1d-8f10-3a7c9e4b6d21']

describe('the number that a guest sees of a booking', () => {
  it('leads back to the booking however it is typed, and is eight signs of which the first is a letter', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 17 * 22 ** 7 - 1 }), (id) => {
        const reference = referenceOf(blue, id)
        assert.match(
          reference,
          /^[CDFGHJKMNPQRTVWXY][34679CDFGHJKMNPQRTVWXY]{3}-[34679CDFGHJKMNPQRTVWXY]{4}$/,
        )
        for (const typed of [
          reference,
          reference.toLowerCase(),
          reference.replace('-', ' '),
          ` ${reference.replace('-', '')} `,
        ])
          assert.equal(idOfReference(blue, typed), id, typed)
      }),
    )
  })

  it('does not count: bookings made one after another have nothing in common, and each its own', () => {
    const made = Array.from({ length: 5_000 }, (_, id) => referenceOf(blue, id))
    assert.equal(new Set(made).size, made.length)
    const rising = made.filter((reference, id) => id > 0 && reference > (made[id - 1] ?? '')).length
    assert.ok(rising > 2_300 && rising < 2_700, `${rising} of 4,999 rise, as by chance`)
    const same = made.filter(
      (reference, id) => id > 0 && reference.slice(0, 2) === made[id - 1]?.slice(0, 2),
    ).length
    assert.ok(same < 40, `${same} begin as the one before`)
  })

  it('means another booking at another venue, and nothing if it is not a reference', () => {
    assert.notEqual(referenceOf(blue, 48_213), referenceOf(green, 48_213))
    assert.notEqual(idOfReference(green, referenceOf(blue, 48_213)), 48_213)
    for (const typed of [
      '',
      '48213',
      'Okafor',
      'K7M3-9Q4',
      'K7M3-9Q4CC',
      '37M3-9Q4C',
      'K7M0-9Q4C',
      'Ⓚ7M3-9Q4\0',
    ])
      assert.equal(idOfReference(blue, typed), undefined, typed)
    for (const id of [-1, 1.5, 17 * 22 ** 7]) assert.throws(() => referenceOf(blue, id), RangeError)
  })
})
