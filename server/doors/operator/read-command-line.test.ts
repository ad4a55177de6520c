import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { allCommands } from './commands.ts'
import { readCommandLine } from './read-command-line.ts'

const commands = await allCommands()

const read = (...args: string[]) => readCommandLine(args, commands)

/** The first line of what is said about a wrong command line. */
const wrong = (...args: string[]): string => {
  const line = read(...args)
  assert.equal(line.kind, 'wrong', args.join(' '))
  return line.kind === 'wrong' ? (line.text.split('\n')[0] ?? '') : ''
}

describe('a command line', () => {
  it('has the commands that scripts rely on', () => {
    const known = [
      ...['venue create', 'venue list', 'venue update', 'rules import', 'rules show'],
      ...['access list', 'access approve', 'access decline', 'access withdraw'],
      ...['key create', 'key list', 'key revoke', 'staff add', 'staff list', 'staff reset', 'demo'],
      ...['trigger', 'clock advance', 'clock show', 'practice snapshot', 'practice reset'],
    ]
    for (const words of known)
      assert.ok(
        commands.some((command) => command.words === words),
        words,
      )
  })

  it('reads a stretch of time in days, hours and minutes, or as ISO 8601 has it', () => {
    const by = (text: string): number => {
      const line = read('clock', 'advance', '--by', text)
      assert.equal(line.kind, 'command', text)
      return line.kind === 'command' ? (line.given as { by: number }).by / 60_000 : 0
    }
    const texts = ['90m', '6h', '2d', '1d12h', '1h30m', 'PT6H', 'P1D', 'PT30S']
    assert.deepEqual(texts.map(by), [90, 360, 2_880, 2_160, 90, 360, 1_440, 0.5])
    for (const text of ['6', '-6h', '0h', 'PT0S', '-PT6H', 'P1M', 'soon', '']) {
      assert.equal(
        wrong('clock', 'advance', `--by=${text}`),
        '--by must be a time such as 90m, 6h or 2d, or PT6H.',
      )
    }
  })

  it('is read into the flags of its command; --json may come anywhere', () => {
    const flags = [
      '--slug',
      'a',
      '--test-address',
      'x@y.org',
      '--test-address',
      'z@y.org',
      '--monthly-emails',
      '5',
    ]
    for (const args of [
      ['venue', 'update', ...flags, '--json'],
      ['--json', 'venue', 'update', ...flags],
      ['venue', 'update', '--json', ...flags],
    ]) {
      const line = read(...args)
      assert.ok(line.kind === 'command' && line.json)
      assert.equal(line.command.words, 'venue update')
      assert.deepEqual(
        { ...(line.given as object) },
        {
          slug: 'a',
          'new-slug': undefined,
          plan: undefined,
          paused: undefined,
          timezone: undefined,
          'postal-address': undefined,
          'mail-from': undefined,
          'test-address': ['x@y.org', 'z@y.org'],
          'monthly-emails': 5,
        },
      )
    }
  })

  it('is wrong when a command or a flag is missing, unknown, given twice or not on its list', () => {
    assert.equal(wrong(), 'The command is missing.')
    assert.equal(wrong('venue'), 'There is no command "venue".')
    assert.equal(wrong('venue', 'delete', '--slug', 'a'), 'There is no command "venue delete".')
    assert.equal(wrong('rules', 'show'), '--venue is missing.')
    assert.equal(wrong('rules', 'show', '--venue'), "Option '--venue <value>' argument missing.")
    assert.equal(wrong('rules', 'show', '--venue', 'a', '--venue', 'b'), '--venue is given twice.')
    assert.equal(wrong('venue', 'list', '--slug', 'a'), "Unknown option '--slug'.")
    assert.equal(wrong('venue', 'update', '--slug', 'a'), 'No change is given.')
    assert.equal(wrong('staff', 'reset', '--codes'), '--email is missing.')
    assert.equal(
      wrong('staff', 'reset', '--email', 'a@b.io', '--codes', '--codes'),
      '--codes is given twice.',
    )
    assert.match(wrong('staff', 'reset', '--email', 'a@b.io', '--codes=yes'), /--codes/)
    const staff = ['staff', 'add', '--email', 'a@b.io', '--password-file', 'f', '--role']
    assert.equal(wrong(...staff, 'host'), '--venue is missing.')
    assert.equal(wrong(...staff, 'reviewer', '--venue', 'a'), 'A reviewer has no --venue.')
    assert.equal(
      wrong('venue', 'update', '--slug', 'a', '--paused', 'yes'),
      '--paused must be true or false.',
    )
    assert.equal(
      wrong('venue', 'update', '--slug', 'a', '--plan', 'gold'),
      '--plan must be free or starter or pro or group or legacy.',
    )

    for (const id of ['x', '1.5', '', '1e3', '9'.repeat(16)])
      assert.equal(wrong('key', 'revoke', '--id', id), '--id must be a whole number.')
  })

  it('never repeats a word that may be a password', () => {
    for (const args of [
      ['staff', 'add', '--password', 'hidden-word'],
      ['staff', 'add', '--password=hidden-word'],
      ['staff', 'add', 'hidden-word'],
    ]) {
      const line = read(...args)
      assert.ok(line.kind === 'wrong' && !line.text.includes('hidden-word'))
    }
  })

  it('takes a flag without a value, which the usage line shows so', () => {
    for (const [args, codes] of [
      [[], false],
      [['--codes'], true],
    ] as const) {
      const line = read('staff', 'reset', '--email', 'a@b.io', ...args)
      assert.ok(line.kind === 'command')
      assert.equal((line.given as { codes: boolean }).codes, codes)
    }
    const help = read('staff', 'reset', '--help')
    assert.ok(help.kind === 'help' && help.text.includes('--email E [--venue S] [--codes] [--json]'))
  })

  it('explains itself', () => {
    const all = read('--help')
    assert.ok(all.kind === 'help')
    for (const { words } of commands) assert.ok(all.text.includes(`\n  ${words} `), words)
    const one = read('key', 'revoke', '--help')
    assert.ok(one.kind === 'help' && one.text.startsWith('Usage: bin/venue key revoke --id I [--json]\n'))
  })
})
