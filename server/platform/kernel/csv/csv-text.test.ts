import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { csvRow, meantCell } from './csv-text.ts'

describe('comma-separated values', () => {
  it('quote what needs it and keep the rest', () => {
    assert.equal(csvRow(['a', 1, null, true, 'b, "c"\nd', '']), 'a,1,,true,"b, ""c""\nd",\r\n')
  })
  it('never begin a cell with what a spreadsheet would run', () => {
    for (const text of ['=1+1', '+1', '-1', '@x', ' =1', '\u00a0=1', '＝1']) {
      assert.match(csvRow([text]), /^"?'/, JSON.stringify(text))
    }
    assert.equal(csvRow([-5]), '-5\r\n', 'numbers are numbers')
  })

  it('are as harmless where cells are split at semicolons, tabs or line breaks', () => {
    const text = fc.array(
      fc.constantFrom(';', '\t', '\r', '\n', ' ', '"', ',', '=', '+', '-', '@', '＝', "'", 'a', '1'),
    )
    fc.assert(
      fc.property(
        fc.array(
          text.map((signs) => signs.join('')),
          { minLength: 1, maxLength: 4 },
        ),
        (values) => {
          // As a spreadsheet does that is set to another separator: our quotes are signs to it, or nothing.
          for (const cell of csvRow(values).split(/[;\t\r\n]/)) {
            assert.doesNotMatch(cell, /^[\s"]*[=+\-@＝＋－＠]/, JSON.stringify(values))
          }
        },
      ),
      { examples: [[['a;=1+1']], [['a\t=1']], [['a\n=1']], [['x', 'b;  @y']]] },
    )
  })
  it('come back as they were meant', () => {
    for (const text of ['=1+1', ' -1', '+1 212 555 0100', 'a;=1', 'a; =1\n+2', "it's", "'quoted'"]) {
      const [cell = ''] = csvRow([text]).slice(0, -2).split(/(?!)/)
      assert.equal(meantCell(cell.replaceAll(/^"|"$/g, '')), text)
    }
  })
})
