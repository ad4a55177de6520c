import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { patienceMs } from './eventually.ts'
import { readSources } from './imports.ts'
import { waitsIn } from './waits.ts'

describe('tests never wait for a time', () => {
  it('nor assert how long something took', () => {
    assert.deepEqual(waitsIn(readSources()), [])
  })

  it('and have one limit, generous and the same for all, against a hang', () => {
    const runner = readFileSync(new URL('run.ts', import.meta.url), 'utf8')
    const limitMs = Number(/hangMs = ([\d_]+)/.exec(runner)?.[1]?.replaceAll('_', ''))
    assert.ok(limitMs >= 10 * patienceMs, `${limitMs}`)
  })

  const plants: readonly (readonly [what: string, text: string, said: RegExp])[] = [
    ['a sleep', `import { setTimeout as pause } from 'node:timers/promises'`, /does not sleep/],
    ['a timer', 'await new Promise((resolve) => setTimeout(resolve, 50))', /does not sleep/],
    ['a blocked event loop', 'Atomics.wait(new Int32Array(shared), 0, 0, 150)', /does not sleep/],
    ['a limit over a suite', `describe('x', { timeout: 60_000 }, () => undefined)`, /a limit is/],
    ['a short patience', 'await eventually(isDone, { withinMs: 2_000 })', /a limit is/],
    ['a time that is taken', 'const took = performance.now() - before', /for the bench/],
    ['a time that is asserted', 'assert.ok(Date.now() < most)', /for the bench/],
  ]
  for (const [what, text, said] of plants) {
    it(`the check fires on ${what}`, () => {
      const found = waitsIn(new Map([['server/guests/x.test.ts', `${text}\n`]]))
      assert.ok(found.length === 1 && said.test(found[0] ?? ''), found.join('\n'))
      assert.deepEqual(waitsIn(new Map([['server/guests/x.ts', `${text}\n`]])), [], 'only in tests')
    })
  }
})
