import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { Refusal } from '../../kernel/refusal.ts'
import { readListWindow } from './list-window.ts'
import type { QueryValue } from '../query-words.ts'

const refuses = (query: { limit?: QueryValue; since?: QueryValue }, sentence: RegExp): void => {
  assert.throws(
    () => readListWindow(query),
    (error) => error instanceof Refusal && error.status === 400 && sentence.test(error.message),
    JSON.stringify(query),
  )
}

const sinceOf = (since: string): string | undefined => readListWindow({ since }).since?.toString()

describe('list window', () => {
  it('is the newest 25 by default', () => {
    assert.deepEqual(readListWindow({}), { limit: 25, since: undefined })
  })

  describe('limit', () => {
    it('is read as decimal digits, with or without leading zeros', () => {
      for (const [text, limit] of [
        ['1', 1],
        ['25', 25],
        ['007', 7],
        ['99', 99],
        ['100', 100],
        ['0000000100', 100],
      ] as const) {
        assert.equal(readListWindow({ limit: text }).limit, limit)
      }
    })
    it('is 100 for any larger number, however long', () => {
      for (const text of ['101', '1000', '9007199254740993', '9'.repeat(400), `${'0'.repeat(400)}101`]) {
        assert.equal(readListWindow({ limit: text }).limit, 100)
      }
    })
    it('is refused when it is anything else', () => {
      const wrong = [
        '',
        '0',
        '000',
        '-1',
        '+5',
        ' 5',
        '5 ',
        '5\n',
        '5.0',
        '1e1',
        '0x10',
        'ten',
        '5,000',
        '٥',
        'NaN',
      ]
      for (const text of wrong) refuses({ limit: text }, /^limit must be a whole number from 1 to 100\.$/)
    })
    it('is refused when it is repeated, even with one value', () => {
      refuses({ limit: ['5', '5'] }, /^limit can be given only once\.$/)
      refuses({ limit: ['5'] }, /^limit can be given only once\.$/)
    })
    it('is always 1 to 100 for digits that are not all zero', () => {
      const text = fc.string({ unit: fc.constantFrom('0', '1', '9'), minLength: 1, maxLength: 30 })
      fc.assert(
        fc.property(text, (limit) => {
          const number = BigInt(limit)
          if (number === 0n) refuses({ limit }, /whole number/)
          else assert.equal(readListWindow({ limit }).limit, Number(number < 100n ? number : 100n))
        }),
      )
    })
  })

  describe('since', () => {
    it('is a date and time with a zone', () => {
      for (const text of [
        '2026-10-05T17:00:00Z',
        '2026-10-05T17:00Z',
        '2026-10-05t17:00:00.000z',
        '2026-10-05 17:00:00Z',
        '2026-10-05T19:00:00+02:00',
        '2026-10-05T19:00:00+02',
        '2026-10-05T13:00:00-04:00[America/New_York]',
      ]) {
        assert.equal(sinceOf(text), '2026-10-05T17:00:00Z', text)
      }
    })
    it('takes a plus sign that arrived as a space', () => {
      for (const text of [
        '2026-10-05T19:00:00 02:00',
        '2026-10-05 19:00 02:00',
        '2026-10-05T19:00:00.000 02',
        '2026-10-05T19:00 02:00[Europe/Paris]',
      ]) {
        assert.equal(sinceOf(text), '2026-10-05T17:00:00Z', text)
      }
    })
    it('is refused without a zone, in a sentence that asks for one', () => {
      for (const text of [
        '',
        ' ',
        ' 2026-10-05T17:00:00Z',
        '2026-10-05T17:00:00Z ',
        '2026-10-05T17:00:00Z\n',
        '2026-10-05',
        '2026-10-05T17:00:00',
        '2026-10-05 17:00',
        '2026-02-30T17:00:00Z',
        '2026-10-05T25:00:00Z',
        '1791219600',
        'yesterday',
        'Mon, 05 Oct 2026 17:00:00 GMT',
        '2026-10-05T17:00:00 EST',
        '0000-01-01T00:00:00Z',
      ]) {
        refuses({ since: text }, /^since must be a date and time with a zone, such as /)
      }
    })
    it('is refused when it is repeated', () => {
      refuses({ since: ['2026-10-05T17:00:00Z', '2026-10-05T17:00:00Z'] }, /^since can be given only once\.$/)
    })
    it('is rounded up to whole milliseconds', () => {
      assert.equal(sinceOf('2026-10-05T17:00:00.123Z'), '2026-10-05T17:00:00.123Z')
      assert.equal(sinceOf('2026-10-05T17:00:00.1230001Z'), '2026-10-05T17:00:00.124Z')
      assert.equal(sinceOf('9999-12-31T23:59:59.9999Z'), '9999-12-31T23:59:59.999Z')
    })
    it('reads back every moment the service prints', () => {
      const milliseconds = fc.integer({ min: 0, max: 4_102_444_800_000 })
      fc.assert(
        fc.property(milliseconds, (epoch) => {
          const moment = Temporal.Instant.fromEpochMilliseconds(epoch)
          const since = moment.toString({ smallestUnit: 'millisecond' })
          assert.equal(readListWindow({ since }).since?.epochMilliseconds, epoch)
        }),
      )
    })
  })

  it('reports a wrong limit first', () => {
    refuses({ limit: 'x', since: 'x' }, /^limit/)
  })
})
