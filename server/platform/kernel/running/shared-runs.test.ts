import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sharedRuns } from './shared-runs.ts'

describe('shared runs', () => {
  /** Work that ends when the test ends it, and returns which run it was. */
  const scene = () => {
    const share = sharedRuns<number>()
    const open: PromiseWithResolvers<number>[] = []
    const ask = (key: string) =>
      share(key, () => {
        const run = Promise.withResolvers<number>()
        open.push(run)
        return run.promise
      })
    return { ask, open }
  }
  const settled = async (): Promise<void> => {
    for (let i = 0; i < 10; i++) await Promise.resolve()
  }

  it('who asks while one runs shares the next, which starts after they asked', async () => {
    const { ask, open } = scene()
    const first = ask('a')
    const others = [ask('a'), ask('a'), ask('a')]
    assert.equal(open.length, 1)
    open[0]?.resolve(1)
    assert.equal(await first, 1)
    await settled()
    assert.equal(open.length, 2)
    const late = ask('a')
    open[1]?.resolve(2)
    assert.deepEqual(await Promise.all(others), [2, 2, 2])
    await settled()
    open[2]?.resolve(3)
    assert.equal(await late, 3)
    const after = ask('a')
    assert.equal(open.length, 4)
    open[3]?.resolve(4)
    assert.equal(await after, 4)
  })

  it('keys know nothing of each other, and a run that fails does not stop the next', async () => {
    const { ask, open } = scene()
    const a = ask('a')
    const next = ask('a')
    const b = ask('b')
    assert.equal(open.length, 2)
    open[1]?.resolve(9)
    assert.equal(await b, 9)
    open[0]?.reject(new Error('no'))
    await assert.rejects(a, /no/)
    await settled()
    open[2]?.resolve(5)
    assert.equal(await next, 5)
  })
})
