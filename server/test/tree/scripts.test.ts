import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { globSync, mkdtempDisposableSync, readFileSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'

const root = join(import.meta.dirname, '../../..')

/** The programs that `npm run` starts. Those that install something of their own first are no part of this tree. */
const run = Object.values(
  (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> })
    .scripts,
)
  .filter((script) => !script.includes('npm ci'))
  .flatMap((script) => script.match(/[\w-]+(?:\/[\w-]+)*\.(?:ts|sh)\b/g) ?? [])

/** The measurements that are also started by themselves. */
const measured = globSync('bench/*.ts', { cwd: root }).filter((path) =>
  /\bscriptWords\(|\bparseArgs\(/.test(readFileSync(join(root, path), 'utf8')),
)

const programs = new Set([
  ...run,
  ...measured,
  ...globSync('bin/*', { cwd: root }),
  ...['cli', 'mcp', 'conformance'].map((name) => `${name}/src/main.ts`),
])
// No test calls this one: `npm run test:browser` runs it before the tests.
programs.delete('server/test/browser/find-chromium.ts')

describe('a program that is started with words it does not take says so in a sentence, does nothing, and fails', () => {
  it('each of them is tried', () => assert.ok(programs.size > 15, [...programs].join(' ')))

  for (const path of programs) {
    it(path, () => {
      const words = [join(root, path), '--no-such-word']
      const [command = '', ...others] = path.endsWith('.ts') ? [process.execPath, ...words] : words
      const { status, stdout, stderr } = spawnSync(command, others, {
        cwd: root,
        encoding: 'utf8',
        env: { PATH: process.env['PATH'] },
      })
      assert.equal(stdout, '')
      assert.ok(status === 1 || status === 2, String(status))
      assert.match(stderr, /^[A-Z][^\n]+[.?]\n|^There is [^\n]+; see --help\.\n|^Unknown option [^\n]+\n/)
      assert.doesNotMatch(stderr, /^ {4}at |node:internal|Error \[/m)
    })
  }
})

it('bin/venue is also run by a link to it', () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'linked-'))
  const link = join(folder.path, 'venue')
  symlinkSync(join(root, 'bin/venue'), link)
  const { stdout, stderr, status } = spawnSync(link, ['--help'], { cwd: folder.path, encoding: 'utf8' })
  assert.equal(status, 0, stderr)
  assert.match(stdout, /^Usage: bin\/venue /)
})
