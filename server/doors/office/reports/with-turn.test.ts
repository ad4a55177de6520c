import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { withTurn } from './with-turn.ts'

describe('a turn time that is taken over', () => {
  const rows = [
    { upTo: 2, minutes: 90 },
    { upTo: 6, minutes: 120 },
    { upTo: 99, minutes: 150 },
  ]
  const written = (all: readonly { readonly upTo: number; readonly minutes: number }[]) =>
    all.map(({ upTo, minutes }) => `${upTo}:${minutes}`).join(' ')

  it('applies to its sizes alone', () => {
    assert.equal(written(withTurn(rows, '3-4', 105)), '2:90 4:105 6:120 99:150')
    assert.equal(written(withTurn(rows, '5-6', 105)), '2:90 4:120 6:105 99:150')
    assert.equal(written(withTurn(rows, '1-2', 105)), '2:105 6:120 99:150')
    assert.equal(written(withTurn(rows, '7+', 180)), '2:90 6:120 99:180')
  })

  it('leaves one row for sizes that are held equally long', () => {
    assert.equal(written(withTurn(rows, '1-2', 120)), '6:120 99:150')
    assert.equal(written(withTurn([], '3-4', 105)), '2:120 4:105 99:120')
  })
})
