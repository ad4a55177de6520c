import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { pages } from './pages.ts'

describe('rows page by page', () => {
  const readIn = async (rows: readonly number[], full?: number) => {
    const asked: (number | undefined)[] = []
    const read = (last?: number) => {
      asked.push(last)
      return Promise.resolve(rows.filter((row) => row > (last ?? 0)).slice(0, 2))
    }
    return { read: await Array.fromAsync(pages(read, full)), asked }
  }

  it('are each read once, and no more is asked for after a page that is not full', async () => {
    assert.deepEqual(await readIn([1, 2, 3], 2), { read: [[1, 2], [3]], asked: [undefined, 2] })
    assert.deepEqual(await readIn([1, 2], 2), { read: [[1, 2]], asked: [undefined, 2] })
    assert.deepEqual(await readIn([], 2), { read: [], asked: [undefined] })
  })

  it('end with an empty page where nobody says how many a full one has', async () => {
    assert.deepEqual(await readIn([1, 2, 3]), { read: [[1, 2], [3]], asked: [undefined, 2, 3] })
  })
})
