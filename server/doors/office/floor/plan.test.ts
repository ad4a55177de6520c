import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { lastStep, planOf, planStyles } from './plan.ts'

const at = (id: number, x: number, y: number) => ({ id, x, y })

describe('the drawing of a room', () => {
  it('puts each table at its step, as wide and high as its nearest neighbor allows', () => {
    assert.deepEqual(
      planOf([at(1, 10, 5), at(2, 13, 5), at(3, 10, 7)]),
      new Map([
        [1, 'x0 y0 w3 h2'],
        [2, 'x3 y0 w3 h2'],
        [3, 'x0 y2 w3 h2'],
      ]),
    )
    assert.deepEqual(planOf([at(1, 0, 0)]), new Map([[1, 'x0 y0 w4 h3']]))
  })

  it('is a list of tiles if tables overlap, or are further apart than there are classes', () => {
    assert.equal(planOf([at(1, 0, 0), at(2, 0, 0)]), undefined)
    assert.equal(planOf([at(1, 0, 0), at(2, lastStep + 1, 0)]), undefined)
    assert.equal(planOf([]), undefined)
  })

  it('has a class for every place it uses', () => {
    const styles = planStyles()
    const drawn = planOf([at(1, 0, 0), at(2, lastStep, lastStep)])
    for (const name of [...(drawn?.values() ?? [])].join(' ').split(' '))
      assert.ok(styles.includes(`.${name}{`), name)
  })
})
