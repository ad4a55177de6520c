import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { pick } from '../src/command-line.ts'
import { prepare, sections } from '../src/conformance.ts'
import { run } from '../src/run.ts'
import { idOf } from '../src/statement.ts'
import { type BrokenProxy, startBrokenProxy } from './broken-proxy.ts'
import { rateMutants } from './mutants/edge.ts'
import type { Mutant } from './mutants/mutant.ts'
import { type Practice, startPractice } from './practice.ts'

const known = new Set(sections.flatMap((section) => section.statements.map((one) => idOf(section, one))))
/** Deliveries that a mutant withholds never come, so the suite waits no longer than this. */
const patienceMs = 2_000
/** Events of a venue go out at up to 60 a minute, by a clock that does not move here. */
const mutantsOfMinute = 6

/** Puts each mutant in front of a practice service; the statements it names have to fail. */
export const describeCatching = (mutants: readonly Mutant[]): void => {
  void describe('the suite, on a service that breaks the contract', () => {
    let practice: Practice
    let proxy: BrokenProxy
    let prepared: Awaited<ReturnType<typeof prepare>>
    let aboutEvents = 0
    before(async () => {
      practice = await startPractice()
      proxy = await startBrokenProxy(practice.options.baseUrl)
      prepared = await prepare({ ...practice.options, baseUrl: proxy.url, patienceMs })
    })
    after(async () => {
      await prepared.close()
      await proxy.stop()
      await practice.instance.stop()
    })

    for (const mutant of mutants) {
      const { name, caughtBy, make } = mutant
      it(`catches one that ${name} (${caughtBy.join(', ')})`, async () => {
        for (const id of caughtBy) assert.ok(known.has(id), `there is no statement ${id}`)
        const { keys } = prepared.setting
        proxy.become(make(keys.write))
        const isAboutEvents = caughtBy.some((id) =>
          /^(?:Events|Delivery|Signature|Receiver|Endpoint)/.test(id),
        )
        if (isAboutEvents && ++aboutEvents % mutantsOfMinute === 0) await practice.instance.advance('PT2M')
        // A key of its own for each that uses one up.
        const write = rateMutants.includes(mutant) ? await practice.slowKey() : keys.write
        const setting = { ...prepared.setting, keys: { ...keys, write } }
        const results = await run({ setting, sections: pick(sections, caughtBy) })
        assert.deepEqual(proxy.faults, [], 'the mutant itself is broken')
        const unnoticed = results.filter(({ outcome }) => outcome !== 'failed')
        assert.deepEqual(unnoticed, [], 'these statements did not notice')
      })
    }
  })
}
