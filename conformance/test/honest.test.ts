import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { pick } from '../src/command-line.ts'
import { conformance, prepare } from '../src/conformance.ts'
import { lines } from '../src/reports/lines.ts'
import { run } from '../src/run.ts'
import { sections } from '../src/statements.ts'
import { type Practice, startPractice } from './practice.ts'

/** What nobody can try from outside, and what needs a key with few requests a minute. */
const untried = [
  'Idempotency 4',
  'Authentication 7.3',
  'Authentication 8',
  'Receiver rules 6',
  'Errors 503',
  'Limits 4',
]

describe('the suite, on this service', () => {
  let practice: Practice
  before(async () => {
    practice = await startPractice()
  })
  after(() => practice.instance.stop())

  it('finds every statement kept', async () => {
    const results = await conformance(practice.options)
    if (process.env['SLOW']) for (const r of results.toSorted((a, b) => b.durationMs - a.durationMs).slice(0, 30)) console.log(r.durationMs, r.id)
    const failed = results.filter(({ outcome }) => outcome === 'failed')
    assert.equal(failed.length, 0, failed.map((one) => `${one.section}\n${lines(one)}`).join('\n'))
    const notTried = results.filter(({ outcome }) => outcome === 'not tried')
    assert.deepEqual(
      notTried.map(({ id, because }) => (untried.includes(id) ? id : `${id}: ${because}`)),
      untried,
    )
  })

  it('finds the limit of requests kept, with a key that may make few', async () => {
    const keys = { ...practice.options.keys, write: await practice.slowKey() }
    // The key has its minute used up afterwards, and this clock stands still: nothing is asked of it before.
    const { setting, close } = await prepare(practice.options)
    const results = await run({ setting: { ...setting, keys }, sections: pick(sections, ['Limits 4']) })
    await close()
    assert.deepEqual(results.map(({ outcome, failure }) => failure ?? outcome), ['passed'])
  })
})
