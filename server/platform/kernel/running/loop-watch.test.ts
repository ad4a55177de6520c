import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { watchLoops } from './loop-watch.ts'

describe('a loop of background work', () => {
  /** Runs that end at these seconds: `x` failed, `.` well. Answers whether it fails at the end. */
  const fails = (runs: readonly (readonly [second: number, how: 'x' | '.'])[], askedAt: number): boolean => {
    let nowMs = 0
    const watch = watchLoops(() => nowMs)
    const loop = watch.loop('sweep')
    for (const [second, how] of runs) {
      nowMs = second * 1000
      if (how === 'x') loop.failed()
      else loop.well()
    }
    nowMs = askedAt * 1000
    return watch.failing().includes('sweep')
  }
  const every = (seconds: number, until: number) =>
    Array.from({ length: until / seconds + 1 }, (_, n) => [n * seconds, 'x'] as const)

  it('fails after a minute and a half of failures without a run that ended well', () => {
    assert.equal(fails(every(1, 89), 89), false)
    assert.equal(fails(every(1, 90), 90), true)
    assert.equal(fails([...every(1, 300), [301, '.']], 301), false, 'well again by itself')
  })

  it('fails at the third failure in a row when it runs every minute', () => {
    assert.equal(fails(every(60, 60), 119), false)
    assert.equal(fails(every(60, 120), 120), true)
  })

  it('does not fail by one failure among runs that end well, as when it meets the work of one venue', () => {
    const runs = Array.from({ length: 600 }, (_, second) => [second, second % 60 === 0 ? 'x' : '.'] as const)
    assert.equal(fails(runs, 600), false)
    assert.equal(fails([...runs, [600, 'x']], 600), false)
  })

  it('does not fail when it runs rarely, or when it failed and then had nothing to do', () => {
    assert.equal(fails(every(600, 6_000), 6_000), false)
    assert.equal(fails(every(1, 100), 249), true)
    assert.equal(fails(every(1, 100), 250), false)
  })
})
