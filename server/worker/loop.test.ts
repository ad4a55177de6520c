import assert from 'node:assert/strict'
import { setImmediate as turn } from 'node:timers/promises'
import { describe, it } from 'node:test'
import { pino } from 'pino'
import { makeBell } from '../platform/kernel/running/bell.ts'
import { watchLoops } from '../platform/kernel/running/loop-watch.ts'
import { eventually } from '../test/eventually.ts'
import { type Job, startJobs } from './loop.ts'

describe('background work after the clock was moved', () => {
  it('leaves nothing undone that one job hands to a later one', async () => {
    const handed: string[] = []
    const done: string[] = []
    const jobs: Job[] = [
      {
        name: 'complete parties',
        everyMs: 60_000,
        run: async () => {
          await turn()
          handed.push('a table came free')
        },
      },
      { name: 'give tables', everyMs: 1_000, run: async () => done.push(...handed.splice(0)) },
    ]
    const { runDue, stop } = startJobs(jobs, {
      log: pino({ level: 'silent' }),
      clock: () => Temporal.Instant.from('2026-10-06T19:00:00Z'),
      watch: watchLoops(),
    })
    for (let round = 1; round <= 3; round++) {
      await runDue()
      assert.deepEqual(handed, [])
      assert.ok(done.length >= round)
    }
    await stop()
  })

  it('runs a job at once when its bell rings, and stops while it rests', async () => {
    const bell = makeBell()
    let runs = 0
    const { stop } = startJobs(
      [{ name: 'look at checkouts', everyMs: 3_600_000, bell, run: async () => ++runs }],
      {
        log: pino({ level: 'silent' }),
        clock: () => Temporal.Instant.from('2026-10-06T19:00:00Z'),
        watch: watchLoops(),
      },
    )
    await eventually(() => runs === 1)
    bell.ring()
    await eventually(() => runs === 2)
    await stop()
    assert.equal(runs, 2)
  })

  it('begins no other job once it is stopping', async () => {
    const began: string[] = []
    const jobs: Job[] = ['first', 'second', 'third'].map((name) => ({
      name,
      everyMs: 60_000,
      run: async () => {
        began.push(name)
        await turn()
      },
    }))
    const { runDue, stop } = startJobs(jobs, {
      log: pino({ level: 'silent' }),
      clock: () => Temporal.Instant.from('2026-10-06T19:00:00Z'),
      watch: watchLoops(),
    })
    await runDue()
    const running = runDue()
    await turn()
    const before = began.length
    await stop()
    const after = began.length
    await running
    assert.ok(after <= before + 1, 'the one under way was waited for')
    assert.equal(began.length, after)
  })
})
