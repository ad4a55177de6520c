import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { keepCounts } from './counts.ts'

describe('what is counted in memory', () => {
  it('is written ten seconds after the first of it at the latest, however much more comes, so that a crash loses no more', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const written: string[] = []
    const counts = keepCounts<{ readonly what: string }>({
      most: 10,
      write: async (all) => {
        written.push(...all.map(({ what, count }) => `${what}: ${count}`))
        return []
      },
    })
    const pass = async (ms: number): Promise<void> => {
      t.mock.timers.tick(ms)
      await Promise.resolve()
      await Promise.resolve()
    }
    for (let second = 0; second < 10; second++) {
      counts.add('page', { what: 'page' }, 1)
      await pass(999)
    }
    assert.deepEqual(written, [])
    await pass(10)
    assert.deepEqual(written, ['page: 10'])
    // The next ones have ten seconds of their own.
    await pass(60_000)
    counts.add('page', { what: 'page' }, 1)
    await pass(9_999)
    assert.deepEqual(written, ['page: 10'])
    await pass(1)
    assert.deepEqual(written, ['page: 10', 'page: 1'])
  })
})
