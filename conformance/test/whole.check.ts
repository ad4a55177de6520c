import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { conformance } from '../src/conformance.ts'
import { lines } from '../src/reports/lines.ts'
import { type BrokenProxy, startBrokenProxy } from './broken-proxy.ts'
import { describeCatching } from './catching.ts'
import { mutants } from './mutants/all.ts'
import { type Practice, startPractice } from './practice.ts'

/*
 * `npm run check:conformance`: every statement on a service as it is, also the one that takes two days of its clock,
 * through a proxy that breaks nothing; and every mutant. It takes minutes, so `npm test` tries less of it.
 */

describe('the suite, through a proxy that breaks nothing', () => {
  let practice: Practice
  let proxy: BrokenProxy
  before(async () => {
    practice = await startPractice()
    proxy = await startBrokenProxy(practice.options.baseUrl)
    // Deliveries go through it as well.
    proxy.become({ delivery: (sent, post) => post(sent) })
  })
  after(async () => {
    await proxy.stop()
    await practice.instance.stop()
  })

  it('finds every statement kept', async () => {
    const results = await conformance({ ...practice.options, baseUrl: proxy.url })
    assert.deepEqual(proxy.faults, [])
    const failed = results.filter(({ outcome }) => outcome === 'failed')
    assert.equal(failed.length, 0, failed.map((one) => `${one.section}\n${lines(one)}`).join('\n'))
  })
})

describeCatching(mutants)
