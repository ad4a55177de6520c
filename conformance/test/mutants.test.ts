import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { pick } from '../src/command-line.ts'
import { prepare } from '../src/conformance.ts'
import type { Setting } from '../src/open-world.ts'
import { type Result, run } from '../src/run.ts'
import { idOf } from '../src/statement.ts'
import { sections } from '../src/statements.ts'
import { type BrokenProxy, startBrokenProxy } from './broken-proxy.ts'
import { mutants } from './mutants/all.ts'
import { rateMutants } from './mutants/edge.ts'
import type { Mutant } from './mutants/mutant.ts'
import { type Practice, startPractice } from './practice.ts'

const known = new Set(sections.flatMap((section) => section.statements.map((one) => idOf(section, one))))

describe('the suite, on a service that breaks the contract', () => {
  let practice: Practice
  let proxy: BrokenProxy
  let prepared: Awaited<ReturnType<typeof prepare>>
  before(async () => {
    practice = await startPractice()
    proxy = await startBrokenProxy(practice.options.baseUrl)
    prepared = await prepare({ ...practice.options, baseUrl: proxy.url })
  })
  after(async () => {
    await prepared.close()
    await proxy.stop()
    await practice.instance.stop()
  })

  let aboutEvents = 0
  /** The statements that are to catch a mutant, tried on it. */
  const tried = async ({ caughtBy, make }: Mutant, setting: Setting): Promise<readonly Result[]> => {
    for (const id of caughtBy) assert.ok(known.has(id), `there is no statement ${id}`)
    proxy.become(make(setting.keys.write))
    // Events of a venue go out at up to 60 a minute, and this clock stands still.
    if (caughtBy.some((id) => /^(?:Events|Delivery|Signature|Receiver|Endpoint)/.test(id))) {
      if (++aboutEvents % 8 === 0) await practice.instance.advance('PT2M')
    }
    return run({ setting, sections: pick(sections, caughtBy) })
  }
  const assertCaught = (results: readonly Result[]): void => {
    assert.deepEqual(proxy.faults, [])
    if (process.env['SHOW']) console.log(JSON.stringify(results.map(({ id, failure }) => [id, failure])))
    assert.ok(
      results.some(({ outcome }) => outcome === 'failed'),
      JSON.stringify(results),
    )
  }

  for (const mutant of mutants) {
    it(`catches one that ${mutant.name}: ${mutant.caughtBy.join(', ')}`, async () =>
      assertCaught(await tried(mutant, prepared.setting)))
  }

  for (const mutant of rateMutants) {
    it(`catches one that ${mutant.name}: ${mutant.caughtBy.join(', ')}`, async () => {
      // A key of its own for each, since it is used up.
      const write = await practice.slowKey()
      const { setting } = prepared
      assertCaught(await tried(mutant, { ...setting, keys: { ...setting.keys, write } }))
    })
  }
})
