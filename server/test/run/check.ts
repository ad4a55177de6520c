import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { scriptWords } from '../../platform/kernel/script-words.ts'
import { changedFiles, concernsAll, testsOf } from './changed.ts'
import { readSources, sourceFolders } from '../tree/imports.ts'

/*
 * `npm run check`, before a commit: types, lint, format and the tests that need no database. Lint and tests, by far the
 * dearest, judge what changed since the last commit on main; with `--all`, and where git does not say what changed,
 * everything, as `.ci/run` always does.
 */

const { values } = scriptWords('npm run check [-- --all]', {
  options: { all: { type: 'boolean', default: false } },
})
const root = join(import.meta.dirname, '../../..')
const changed = values.all ? undefined : changedFiles(root)

const commands = (): readonly (readonly [string, ...string[]])[] => {
  const types = ['npm', 'run', '--silent', 'typecheck'] as const
  const format = ['npm', 'run', '--silent', 'format:check'] as const
  if (!changed || concernsAll(changed.files)) {
    console.log('Everything is checked.')
    return [types, ['npm', 'run', '--silent', 'lint'], format, ['npm', 'run', '--silent', 'test:unit']]
  }
  const tests = globSync(`${sourceFolders}/**/*.test.ts`, { cwd: root, exclude: ['**/node_modules/**'] })
  const picked = testsOf(readSources(), tests, changed.files)
  const linted = changed.files.filter((file) => isLinted.test(file))
  console.log(
    `Lint and unit tests for ${changed.files.length} files changed since ${changed.since} on main; everything: npm run check -- --all`,
  )
  return [
    types,
    ...(linted.length > 0 ? [['oxlint', ...linted] as const] : []),
    ['knip'],
    format,
    [process.execPath, 'server/test/run/run.ts', '--unit', ...picked],
  ]
}

/** The folders that `npm run lint` names. */
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  scripts: { lint: string }
}
const folders = scripts.lint.split(' && ')[0]?.split(' ').slice(1) ?? []
const isLinted = new RegExp(`^(?:${folders.join('|')})/.*\\.[cm]?[jt]s$`)

for (const [program, ...words] of commands()) {
  const { status, error } = spawnSync(program, words, { cwd: root, stdio: 'inherit' })
  if (error) console.error(error.message)
  if (status !== 0) {
    process.exitCode = 1
    break
  }
}
