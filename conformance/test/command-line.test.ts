import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Misuse, help, pick, readCommandLine } from '../src/command-line.ts'
import { isLoopback, sections } from '../src/conformance.ts'
import { idOf } from '../src/statement.ts'

const base = ['--base-url', 'http://127.0.0.1:8080']

describe('the command line', () => {
  it('takes keys from the environment, and from itself first', () => {
    const environment = { VENUE_DATA_KEY: 'a', VENUE_DATA_READ_KEY: 'b' }
    const asked = readCommandLine([...base, '--key', 'c', '--only', 'Lists', '--only', 'Tasks'], environment)
    assert.ok(typeof asked === 'object')
    assert.deepEqual([asked.keys.write, asked.keys.read, asked.keys.other], ['c', 'b', undefined])
    assert.deepEqual([asked.only, asked.patienceMs, asked.json], [['Lists', 'Tasks'], 15_000, false])
  })

  it('says what is missing or wrong', () => {
    for (const [args, sentence] of [
      [[], /--base-url http/],
      [['--base-url', 'nowhere'], /--base-url http/],
      [base, /--key, or VENUE_DATA_KEY/],
      [[...base, '--key', 'a', '--patience', 'long'], /--patience must be a whole number/],
      [[...base, '--kee', 'a'], /--kee/],
      [[...base, 'more'], /more/],
    ] as const) {
      assert.throws(
        () => readCommandLine(args, {}),
        (error) => error instanceof Misuse && sentence.test(error.message),
        args.join(' '),
      )
    }
  })

  it('explains every option under --help', () => {
    assert.equal(readCommandLine(['--help'], {}), 'help')
    for (const option of [
      'base-url',
      'key',
      'trigger',
      'clock',
      'receiver',
      'only',
      'i-know',
      'html',
      'junit',
      'badge',
    ]) {
      assert.ok(help.includes(`--${option}`), option)
    }
  })

  it('picks sections and statements by name, ignoring letter case', () => {
    const names = pick(sections, ['idempotency 6.1', 'Tasks']).flatMap((section) =>
      section.statements.map((one) => idOf(section, one)),
    )
    assert.deepEqual(names, ['Idempotency 6.1', 'Tasks 1.1', 'Tasks 1.2', 'Tasks 1.3', 'Tasks 2'])
    assert.equal(pick(sections, []), sections)
    assert.throws(
      () => pick(sections, ['Tasks', 'Idempotency 99']),
      /no section or statement "Idempotency 99"/,
    )
  })

  it('knows which addresses are of this machine', () => {
    for (const url of [
      'http://localhost:8080',
      'http://127.1.2.3',
      'http://[::1]:1',
      'http://app.localhost',
    ]) {
      assert.ok(isLoopback(url), url)
    }
    for (const url of ['https://localhost.example.com', 'http://10.0.0.1', 'http://128.0.0.1']) {
      assert.ok(!isLoopback(url), url)
    }
  })
})

describe('the statements', () => {
  it('have numbers of their own, in their order, and say something', () => {
    for (const section of sections) {
      const numbers = section.statements.map(({ number }) => number.split('.').map(Number))
      const ordered = numbers.toSorted(([a = 0, b = 0], [c = 0, d = 0]) => a - c || b - d)
      assert.deepEqual(numbers, ordered, section.name)
      assert.equal(new Set(numbers.map(String)).size, numbers.length, section.name)
      for (const { says } of section.statements) assert.match(says, /^\S.*\.$/, says)
    }
    assert.equal(new Set(sections.map(({ name }) => name)).size, sections.length)
  })
})
