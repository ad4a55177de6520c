import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { lastStep, planOf, planStyles } from './plan.ts'

const at = (id: number, x: number, y: number, most = 2) => ({ id, x, y, most })
const wall = (x: number, y: number, wide: number, high: number) => ({ what: 'wall', x, y, wide, high })

describe('the drawing of a room', () => {
  it('puts each table at its step, as wide and high as its nearest neighbor allows', () => {
    assert.deepEqual(
      planOf([at(1, 10, 5), at(2, 13, 5), at(3, 10, 7)])?.tables,
      new Map([
        [1, 'x0 y0 w3 h2'],
        [2, 'x3 y0 w3 h2'],
        [3, 'x0 y2 w3 h2'],
      ]),
    )
    assert.deepEqual(planOf([at(1, 0, 0)])?.tables, new Map([[1, 'x0 y0 w4 h3']]))
  })

  it('draws a large table wider, up to twice, as far as nothing is in its way', () => {
    const tables = [at(1, 0, 0, 8), at(2, 12, 0), at(3, 0, 3, 8), at(4, 4, 3)]
    assert.deepEqual(
      [...(planOf(tables)?.tables.values() ?? [])],
      ['x0 y0 w8 h3', 'x12 y0 w4 h3', 'x0 y3 w4 h3', 'x4 y3 w4 h3'],
    )
    assert.equal(planOf(tables, [wall(6, 0, 1, 3)])?.tables.get(1), 'x0 y0 w6 h3')
  })

  it('puts walls, doors and bars where they were drawn, and the room begins with the first of all', () => {
    const parts = [wall(2, 1, 12, 1), { what: 'door', x: 5, y: 1, wide: 2, high: 1 }]
    const plan = planOf([at(1, 4, 2)], parts)
    assert.deepEqual(
      plan?.drawn.map(({ part, at: place }) => `${part.what} ${place}`),
      ['wall x0 y0 w12 h1', 'door x3 y0 w2 h1'],
    )
    assert.equal(plan?.tables.get(1), 'x2 y1 w4 h3')
  })

  it('is a list of tiles if tables overlap, or are further apart than there are classes', () => {
    assert.equal(planOf([at(1, 0, 0), at(2, 0, 0)]), undefined)
    assert.equal(planOf([at(1, 0, 0), at(2, lastStep + 1, 0)]), undefined)
    assert.equal(planOf([at(1, 0, 0)], [wall(lastStep + 1, 0, 1, 1)]), undefined)
    assert.equal(planOf([]), undefined)
  })

  it('has a class for every place it uses', () => {
    const styles = planStyles()
    const drawn = planOf([at(1, 0, 0), at(2, lastStep, lastStep)], [wall(0, 0, lastStep, 1)])
    const classes = [...(drawn?.tables.values() ?? []), ...(drawn?.drawn.map(({ at: one }) => one) ?? [])]
    for (const name of classes.join(' ').split(' ')) assert.ok(styles.includes(`.${name}{`), name)
  })
})
