import { posix } from 'node:path'

/** The tests that a path asks for: itself, or what lies under it; a file that is not there, from the folders below. */
export const testsAt = (path: string, tests: readonly string[]): readonly string[] => {
  const asked = posix.normalize(path).replace(/\/$/, '')
  const there = tests.filter((file) => file === asked || file.startsWith(`${asked}/`))
  if (there.length > 0) return there
  const folder = posix.dirname(asked)
  return tests.filter(
    (file) =>
      posix.basename(file) === posix.basename(asked) && (folder === '.' || file.startsWith(`${folder}/`)),
  )
}
