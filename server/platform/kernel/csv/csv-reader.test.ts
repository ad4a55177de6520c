import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { csvRow } from './csv-text.ts'
import { plainCell, rowsOfFile } from '../../../data/imports/csv-file.ts'
import { CsvFault, csvReader, guessSeparator, separators } from './csv-reader.ts'

const read = (text: string, separator: (typeof separators)[number] = ',', pieces: readonly number[] = []) => {
  const reader = csvReader(separator)
  const rows = []
  let at = 0
  for (const size of pieces) {
    rows.push(...reader.push(text.slice(at, at + size)))
    at += size
  }
  return [...rows, ...reader.push(text.slice(at)), ...reader.end()]
}
const cells = (text: string, separator?: (typeof separators)[number]) =>
  read(text, separator).map((row) => row.cells)

describe('reading CSV', () => {
  it('accepts quotes, doubled quotes, line ends of every kind, and cells that contain them', () => {
    assert.deepEqual(cells('a,b\r\n"c ""d""","e\r\nf"\n\n,\rg'), [
      ['a', 'b'],
      ['c "d"', 'e\r\nf'],
      ['', ''],
      ['g'],
    ])
    assert.deepEqual(cells('a;"b;c"\n"d"x;e', ';'), [
      ['a', 'b;c'],
      ['dx', 'e'],
    ])
  })

  it('reports the line of the file on which a row begins', () => {
    assert.deepEqual(
      read('a\r\n\r\n"b\nb\rb"\nc').map(({ line }) => line),
      [1, 3, 6],
    )
  })

  it('what is written as CSV is read back, with any separator and split anywhere', () => {
    const cell = fc.string({ unit: fc.constantFrom('a', 'ü', '😀', '"', ',', ';', '\t', '\r', '\n', ' ') })
    fc.assert(
      fc.property(
        fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { maxLength: 6 }),
        fc.constantFrom(...separators),
        fc.constantFrom('\n', '\r\n', '\r'),
        fc.array(fc.integer({ min: 0, max: 9 })),
        (rows, separator, end, pieces) => {
          const text = rows
            .map((row) => row.map((one) => `"${one.replaceAll('"', '""')}"`).join(separator) + end)
            .join('')
          assert.deepEqual(
            read(text, separator, pieces).map((row) => row.cells),
            rows,
          )
        },
      ),
    )
  })

  it('an exported cell is imported as it was, formulas included', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('=', '+', '-', '@', 'a', '1', '"', ',', ' ') }),
        (text) => {
          const [row] = cells(csvRow([text, 1]))
          assert.equal(plainCell(row?.[0] ?? ''), text.trim())
        },
      ),
    )
  })

  it('is fast with a row in pieces, and refuses an endless one', () => {
    const reader = csvReader(',')
    const piece = 'x'.repeat(1024)
    assert.throws(() => {
      for (let i = 0; i < 1_000; i++) reader.push(piece)
    }, CsvFault)
    assert.throws(() => read('a,b\n"c'), /opened in line 2 is never closed/)
    assert.throws(() => read(','.repeat(600)), /more than 500 columns/)
  })

  it('guesses the separator from what is outside quotes', () => {
    assert.equal(guessSeparator('name;email;phone\n'), ';')
    assert.equal(guessSeparator('"a;b;c",d\n'), ',')
    assert.equal(guessSeparator('a\tb\tc\n'), '\t')
    assert.equal(guessSeparator('email\n'), ',')
  })

  it('removes the UTF-8 mark, even when pieces split letters', async () => {
    const bytes = Buffer.from('\uFEFFname\nJürgen 😀\n')
    const parts = async function* () {
      for (const byte of bytes) yield Buffer.from([byte])
    }
    const rows = []
    for await (const some of rowsOfFile(parts(), ',')) rows.push(...some)
    assert.deepEqual(
      rows.map((row) => row.cells),
      [['name'], ['Jürgen 😀']],
    )
  })
})
