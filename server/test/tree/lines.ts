import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/* How much there is to read, and how much of what git keeps was written by a program. */

/** Written by `npm run generate`, a tool, or a recording. */
const isGenerated = (path: string): boolean =>
  /(?:^|\/)_?generated\/|package-lock\.json$|^docs\/(?:openapi\.json|pictures\/)|schema\.sql$|\/walk\/[\w-]+\.txt$|statements\.json$|version-1\/openapi\.json$|^sdk\/cases\/.*\.json$/.test(
    path,
  )
const isCode = (path: string): boolean => /\.(?:ts|js|mjs|cjs|css|sql|py|gs)$/.test(path)
const isTest = (path: string): boolean => /\.(?:test|journey|check)\.ts$|(?:^|\/)tests?\//.test(path)

export type Lines = { readonly product: number; readonly tests: number; readonly generated: number }

/** The lines of code that people wrote, of the product and its tests, and those that programs wrote. */
export const linesInGit = (root: string): Lines => {
  const files = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 })
  const lines = { product: 0, tests: 0, generated: 0 }
  for (const path of files.split('\0').filter((name) => name !== '' && !name.endsWith('.png'))) {
    const count = (): number => readFileSync(join(root, path), 'utf8').split('\n').length - 1
    if (isGenerated(path)) lines.generated += count()
    else if (isCode(path)) lines[isTest(path) ? 'tests' : 'product'] += count()
  }
  return lines
}
