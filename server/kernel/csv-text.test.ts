import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { csvRow } from './csv-text.ts'

describe('comma-separated values', () => {
  it('quote what needs it and keep the rest', () => {
    assert.equal(csvRow(['a', 1, null, true, 'b, "c"\nd', '']), 'a,1,,true,"b, ""c""\nd",\r\n')
  })
  it('never begin a cell with what a spreadsheet would run', () => {
    for (const text of ['=1+1', '+1', '-1', '@x', '\t=1', ' =1', '\r=1', '＝1']) {
      assert.match(csvRow([text]), /^"?'/, JSON.stringify(text))
    }
    assert.equal(csvRow([-5]), '-5\r\n', 'numbers are numbers')
  })
})
