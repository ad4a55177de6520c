import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { startChild } from './child.ts'
import { eventually, inTime } from './eventually.ts'
import { openPatience } from './patience.ts'

describe('the patience of the tests', () => {
  /** The moment at which a wait began that has lasted so long. */
  const began = (secondsAgo: number): number => performance.now() - secondsAgo * 1000
  const taking = (startSeconds: number) => openPatience(async () => startSeconds * 1000)

  it('is eight seconds on any machine, before it was measured', async () => {
    const patience = taking(0.1)
    assert.equal(await patience.isOver(began(7)), false)
    assert.equal(await patience.isOver(began(9)), true)
    assert.equal(await patience.isOver(began(15), 2), false)
    assert.equal(await patience.isOver(began(17), 2), true)
  })

  it('is measured when it runs out, and goes on if the machine has become slower', async () => {
    let startSeconds = 3
    const patience = openPatience(async () => startSeconds * 1000)
    assert.equal(patience.ms(), 8_000)
    assert.equal(await patience.isOver(began(29)), false, 'ten starts take thirty seconds')
    assert.equal(patience.ms(), 30_000)
    assert.equal(await patience.isOver(began(31)), true)
    startSeconds = 4
    assert.equal(await patience.isOver(began(31)), false)
    startSeconds = 1
    assert.equal(await patience.isOver(began(31)), false, 'it does not shrink')
  })

  it('is that of the run to begin with, and one measurement serves all who wait', async () => {
    let measured = 0
    const patience = openPatience(async () => ++measured * 1000, 20_000)
    assert.equal(patience.ms(), 20_000)
    await Promise.all([patience.isOver(began(21)), patience.isOver(began(22)), patience.measure()])
    assert.equal(measured, 1)
  })
})

describe('waits', () => {
  it('take what throws or is not there yet as not yet', async () => {
    let looks = 0
    const found = await eventually(() => {
      if (++looks === 1) throw new Error('not yet')
      return looks === 3 && 'there'
    })
    assert.deepEqual([found, looks], ['there', 3])
  })

  it('for a promise give what it results in, or its error', async () => {
    assert.equal(await inTime(Promise.resolve(1), 'no one'), 1)
    await assert.rejects(inTime(Promise.reject(new Error('broken')), 'no one'), /broken/)
  })

  const child = (program: string) => startChild(process.execPath, ['-e', program], { env: {} })

  it('for a process end when it does, and say what it wrote', async () => {
    const ended = child(`console.log('begun'); console.error('no such table'); process.exit(3)`)
    await assert.rejects(
      ended.until(() => ended.said().includes('ready')),
      { message: 'It ended with 3: no such table\nbegun\n' },
    )
    const killed = child('setInterval(() => undefined, 1000)')
    killed.signal('SIGKILL')
    await assert.rejects(
      killed.until(() => false),
      /It ended with SIGKILL/,
    )
  })

  it('for a process count what it did before it ended', async () => {
    const quick = child(`console.log('ready')`)
    await quick.ended
    assert.equal(await quick.until(() => quick.said()), 'ready\n')
  })
})
