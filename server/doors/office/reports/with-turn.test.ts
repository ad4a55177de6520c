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
  const sizes = (first: number, last = Infinity) => ({ first, last })

  it('applies to its sizes alone', () => {
    assert.equal(written(withTurn(rows, sizes(3, 4), 105)), '2:90 4:105 6:120 99:150')
    assert.equal(written(withTurn(rows, sizes(5, 6), 105)), '2:90 4:120 6:105 99:150')
    assert.equal(written(withTurn(rows, sizes(1, 2), 105)), '2:105 6:120 99:150')
    assert.equal(written(withTurn(rows, sizes(3, 3), 105)), '2:90 3:105 6:120 99:150')
    assert.equal(written(withTurn(rows, sizes(7), 180)), '2:90 6:120 99:180')
    assert.equal(written(withTurn(rows, sizes(7, 8), 180)), '2:90 6:120 8:180 99:150')
    const banquets = [...rows.slice(0, 2), { upTo: 200, minutes: 150 }]
    assert.equal(written(withTurn(banquets, sizes(7), 180)), '2:90 6:120 200:180')
  })

  it('leaves one row for sizes that are held equally long', () => {
    assert.equal(written(withTurn(rows, sizes(1, 2), 120)), '6:120 99:150')
    assert.equal(written(withTurn([], sizes(3, 4), 105)), '2:120 4:105 99:120')
  })
})
