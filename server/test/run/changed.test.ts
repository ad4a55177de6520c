import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempDisposableSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { changedFiles, concernsAll, testsOf } from './changed.ts'

describe('what a check before a commit goes by', () => {
  it('is what changed since the last commit on main, committed or not, with new files and without what is gone', () => {
    using folder = mkdtempDisposableSync(join(tmpdir(), 'changed-'))
    const git = (...words: readonly string[]) =>
      execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...words], {
        cwd: folder.path,
      })
    const write = (path: string, text: string) => writeFileSync(join(folder.path, path), text)
    assert.equal(changedFiles(folder.path), undefined)
    git('init', '-q', '-b', 'main')
    for (const name of ['same', 'committed', 'edited', 'gone']) write(name, 'before')
    write('.gitignore', 'left-out\n')
    git('add', '-A')
    git('commit', '-q', '-m', 'main')
    git('checkout', '-q', '-b', 'branch')
    write('committed', 'after')
    git('commit', '-q', '-a', '-m', 'branch')
    write('edited', 'after')
    git('rm', '-q', 'gone')
    mkdirSync(join(folder.path, 'a folder'))
    for (const name of ['left-out', 'a folder/new']) write(name, 'after')
    assert.deepEqual(changedFiles(folder.path)?.files, ['a folder/new', 'committed', 'edited'])
  })

  const sources = new Map(
    Object.entries({
      'server/a.ts': `import { b } from './b.ts'\nimport type { c } from './c.ts'`,
      'server/b.ts': '',
      'server/c.ts': '',
      'server/test/tree/imports.ts': '',
      'server/a.test.ts': `import { a } from './a.ts'`,
      'server/c.test.ts': `import { c } from './c.ts'\nread('page.css')`,
      'server/tree.test.ts': `import { readSources } from './test/tree/imports.ts'`,
    }),
  )
  const tests = [...sources.keys()].filter((path) => path.endsWith('.test.ts'))

  for (const [file, picked] of [
    ['server/a.test.ts', ['server/a.test.ts']],
    ['server/b.ts', ['server/a.test.ts']],
    ['server/c.ts', ['server/c.test.ts']],
    ['server/assets/page.css', ['server/c.test.ts']],
    ['LICENSE', []],
  ] as const)
    it(`after a change of ${file}: the tests it reaches, and those that read the tree`, () =>
      assert.deepEqual(testsOf(sources, tests, [file]), [...picked, 'server/tree.test.ts']))

  it('is everything after a change of what all checks go by', () => {
    assert.ok(concernsAll(['server/a.ts', 'tsconfig.json']))
    assert.ok(!concernsAll(['server/a.ts', 'cli/package.json']))
  })
})
