import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { gatherer } from './gatherer.ts'

describe('a gatherer', () => {
  /** Runs that end when the test ends them; each question is answered on its own, doubled. */
  const scene = (bounds: { readonly atOnce: number; readonly most: number }) => {
    const runs: { readonly asked: readonly number[]; readonly end: PromiseWithResolvers<void> }[] = []
    const ask = gatherer({
      ...bounds,
      run: async (asked: readonly number[]) => {
        const end = Promise.withResolvers<void>()
        runs.push({ asked, end })
        await end.promise
        return asked.map((one) => one * 2)
      },
      isForAll: (error) => (error as Error).message === 'down',
    })
    const asked = () => runs.map((run) => run.asked)
    return { ask, runs, asked }
  }

  it('asks together what arrives in one turn, and what arrives while as many runs are under way as may be', async () => {
    const { ask, runs, asked } = scene({ atOnce: 1, most: 10 })
    const first = [ask(1), ask(2)]
    await turn()
    const next = [ask(3), ask(4), ask(5)]
    await turn()
    assert.deepEqual(asked(), [[1, 2]], 'none starts alongside it')
    runs[0]?.end.resolve()
    assert.deepEqual(await Promise.all(first), [2, 4])
    await turn()
    assert.deepEqual(asked(), [
      [1, 2],
      [3, 4, 5],
    ])
    runs[1]?.end.resolve()
    assert.deepEqual(await Promise.all(next), [6, 8, 10])
    const last = ask(6)
    await turn()
    assert.deepEqual(asked()[2], [6], 'a quiet one begins at once')
    runs[2]?.end.resolve()
    assert.equal(await last, 12)
  })

  it('keeps its bounds: so many runs at once, so many questions in one', async () => {
    const { ask, runs, asked } = scene({ atOnce: 2, most: 2 })
    const answers = [ask(1), ask(2), ask(3)]
    await turn()
    answers.push(ask(4), ask(5))
    await turn()
    answers.push(ask(6))
    await turn()
    assert.deepEqual(asked(), [
      [1, 2],
      [3, 4],
    ])
    for (let n = 0; n < 4; n++) {
      runs[n]?.end.resolve()
      await turn()
    }
    assert.deepEqual(asked().slice(2), [[5, 6]])
    assert.deepEqual(await Promise.all(answers), [2, 4, 6, 8, 10, 12])
  })

  it('a run that fails fails its own questions, and those behind only where the error would meet them too', async () => {
    const { ask, runs, asked } = scene({ atOnce: 1, most: 1 })
    const outcomes = Promise.allSettled([ask(1), ask(2), ask(3), ask(4)])
    await turn()
    runs[0]?.end.reject(new Error('mine'))
    await turn()
    runs[1]?.end.reject(new Error('down'))
    const told = (await outcomes).map((one) =>
      one.status === 'rejected' ? (one.reason as Error).message : 'answered',
    )
    assert.deepEqual(
      [told, asked()],
      [
        ['mine', 'down', 'down', 'down'],
        [[1], [2]],
      ],
    )
    const after = ask(7)
    await turn()
    runs[2]?.end.resolve()
    assert.equal(await after, 14, 'and the next is asked as ever')
  })
})
