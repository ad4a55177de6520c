import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What only the owner of the project can fill in, and has not yet; one sentence each. */
export const unknownYet = (root: string): readonly string[] => {
  const read = (file: string): string => readFileSync(join(root, file), 'utf8')
  const manifest = JSON.parse(read('package.json')) as { repository?: unknown }
  return [
    ...(manifest.repository === undefined
      ? ['Where the repository is: `repository` in `package.json` and in those of the packages.']
      : []),
    ...(read('SECURITY.md').includes('**An address for reports is not known yet**')
      ? ['Where to report a vulnerability: the address in [SECURITY.md](../SECURITY.md).']
      : []),
  ]
}
