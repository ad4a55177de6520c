import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { readSources } from './imports.ts'
import { waitsIn } from './waits.ts'

const root = new URL('../../../', import.meta.url)
const pythonTests = (): [string, string][] =>
  globSync('sdk-python/test/**/*.py', { cwd: root }).map((path) => [
    path,
    readFileSync(new URL(path, root), 'utf8'),
  ])

describe('tests never wait for a time', () => {
  it('nor assert how long something took', () => {
    assert.deepEqual(waitsIn(new Map([...readSources(), ...pythonTests()])), [])
  })

  const plants: readonly (readonly [what: string, text: string, said: RegExp])[] = [
    ['a sleep', `import { setTimeout as pause } from 'node:timers/promises'`, /does not sleep/],
    ['a timer', 'await new Promise((resolve) => setTimeout(resolve, 50))', /does not sleep/],
    ['a blocked event loop', 'Atomics.wait(new Int32Array(shared), 0, 0, 150)', /does not sleep/],
    ['a limit over a suite', `describe('x', { timeout: 60_000 }, () => undefined)`, /a limit follows/],
    ['a patience of its own', 'await eventually(isDone, { withinMs: 2_000 })', /a limit follows/],
    ['one that has a name', 'const answerTimeoutMs = 2_000', /a limit follows/],
    ['a limit by a signal', 'await fetch(url, { signal: AbortSignal.timeout(most) })', /a limit follows/],
    ['a limit of a socket', 'socket.setTimeout(most, give)', /a limit follows/],
    ['a loop until a time', 'while (performance.now() < end) await look()', /for the bench/],
    ['a process whose end is not heard', 'const child = spawn(process.execPath, [file])', /startChild/],
    ['a wait for its first word', `await once(child.stdout, 'data')`, /startChild/],
    ['a time that is taken', 'const took = performance.now() - before', /for the bench/],
    ['a database that gives up early', 'const db = openDatabase({ url, size: 1 })', /openPatiently/],
    [
      'a program that gives up early',
      "const { close } = await openProgram(config, 'command', log)",
      /openPatient/,
    ],
    ['a time that is asserted', 'assert.ok(Date.now() < most)', /for the bench/],
  ]
  it('the check fires in Python, too', () => {
    const path = 'sdk-python/test/test_x.py'
    for (const text of ['time.sleep(0.5)', 'await asyncio.sleep(1)', 'client = Client(timeout=2)'])
      assert.equal(waitsIn(new Map([[path, text]])).length, 1, text)
    assert.deepEqual(
      waitsIn(new Map([[path, 'await asyncio.sleep(0)']])),
      [],
      'gives way, and waits for nothing',
    )
  })

  for (const [what, text, said] of plants) {
    it(`the check fires on ${what}`, () => {
      const found = waitsIn(new Map([['server/crm/guests/x.test.ts', `${text}\n`]]))
      assert.ok(found.length === 1 && said.test(found[0] ?? ''), found.join('\n'))
      assert.deepEqual(waitsIn(new Map([['server/crm/guests/x.ts', `${text}\n`]])), [], 'only in tests')
    })
  }
})
