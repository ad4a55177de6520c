import { execFileSync } from 'node:child_process'
import { posix } from 'node:path'
import { type Sources, importsOf } from '../tree/imports.ts'

/* What changed since the last commit on main, and which tests that may concern. */

/** The files, and since which commit; undefined where git does not say, as in a folder without it. */
export const changedFiles = (
  root: string,
): { readonly since: string; readonly files: readonly string[] } | undefined => {
  const git = (...words: readonly string[]): string =>
    execFileSync('git', words, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  for (const main of ['main', 'origin/main']) {
    try {
      const since = git('merge-base', 'HEAD', main).trim()
      const lists = [
        git('diff', '--name-only', '--relative', '--diff-filter=d', '-z', since),
        git('ls-files', '--others', '--exclude-standard', '-z'),
      ]
      const files = lists.flatMap((list) => list.split('\0').filter((path) => path !== ''))
      return { since: since.slice(0, 8), files: files.toSorted() }
    } catch {
      // There is no git, or no branch of that name.
    }
  }
  return undefined
}

/** What all checks go by: a change of one of these may concern every file. */
const settings = /^(?:package(?:-lock)?|tsconfig|\.oxlintrc)\.json$/
export const concernsAll = (files: readonly string[]): boolean => files.some((file) => settings.test(file))

/** Tests that import these read the whole tree, so that every change concerns them. */
const treeReaders = ['server/test/tree/imports.ts', 'server/test/tree/references.ts']

/**
 * The tests that a change of these files may concern: they are among them, import one, directly or through others, name
 * one that is no source, or read the whole tree. Not seen is what a test starts as a program of its own.
 */
export const testsOf = (sources: Sources, tests: readonly string[], changed: readonly string[]): string[] => {
  const wanted = new Set([...treeReaders, ...changed])
  const names = changed.filter((file) => !sources.has(file)).map((file) => posix.basename(file))
  return tests.filter(
    (test) =>
      [...reachedFrom(sources, test)].some((file) => wanted.has(file)) ||
      names.some((name) => sources.get(test)?.includes(name)),
  )
}

/** A file, and what it needs when it runs. */
const reachedFrom = (sources: Sources, file: string): ReadonlySet<string> => {
  // A set also goes through what is added meanwhile.
  const reached = new Set([file])
  for (const one of reached)
    for (const { to, isPackage, typesOnly } of importsOf(one, sources.get(one) ?? ''))
      if (!isPackage && !typesOnly) reached.add(to)
  return reached
}
