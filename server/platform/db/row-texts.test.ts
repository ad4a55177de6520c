import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { driverParser, packet, packetByDriver } from './row-texts.ts'

/** A row as PostgreSQL sends it, in the middle of other bytes. */
const rowOf = (texts: readonly (string | null)[]): { bytes: Buffer; length: number } => {
  const number = (value: number, size: 2 | 4): Buffer => {
    const bytes = Buffer.alloc(size)
    bytes.writeIntBE(value, 0, size)
    return bytes
  }
  const row = Buffer.concat([
    number(texts.length, 2),
    ...texts.flatMap((text) =>
      text === null ? [number(-1, 4)] : [number(Buffer.byteLength(text), 4), Buffer.from(text)],
    ),
  ])
  return {
    bytes: Buffer.concat([Buffer.from('before é'), row, Buffer.from('behind')]),
    length: row.length + 4,
  }
}
const start = Buffer.byteLength('before é')

const read = (by: typeof packet, texts: readonly (string | null)[]): unknown => {
  const { bytes, length } = rowOf(texts)
  return { ...(by.call(driverParser(), start, 68, length, bytes) as object), length: 0 }
}

describe('a row that is read at once', () => {
  it('is what the driver reads column by column, for thousands of random rows', () => {
    let state = 7
    const below = (limit: number): number => {
      state = (state * 48_271) % 2_147_483_647
      return state % limit
    }
    const letters = [
      'a',
      'Z',
      '0',
      ' ',
      '"',
      '\n',
      '\u0001',
      '\u007f',
      '\u0080',
      'é',
      'ÿ',
      'ß',
      '漢',
      '\uffff',
      '🍷',
    ]
    for (let n = 0; n < 5_000; n++) {
      const kinds = below(2) === 0 ? 8 : letters.length
      const texts = Array.from({ length: below(30) }, () => {
        if (below(4) === 0) return null
        const most = [1, 20, 130, 300, 70_000][below(n % 500 === 0 ? 5 : 4)] as number
        return Array.from({ length: below(most) }, () => letters[below(kinds)]).join('')
      })
      assert.deepEqual(read(packet, texts), read(packetByDriver, texts))
    }
  })

  it('may have no columns, empty texts and nothing but null', () => {
    for (const texts of [[], [''], [null, null], ['', null, 'é', 'plain']])
      assert.deepEqual((read(packet, texts) as { fields: unknown }).fields, texts)
  })
})
