import { existsSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { packPackage } from './pack.ts'
import { packPython } from './pack-python.ts'

/*
 * `npm run pack -- sdk`: makes a package's published file, in the folder that `--to` names, or in the current one. Its
 * test makes it the same way, so users get what was tested.
 */

const { values, positionals } = parseArgs({
  options: { to: { type: 'string', default: '.' } },
  allowPositionals: true,
})

const root = join(import.meta.dirname, '..')

if (positionals.length === 0) {
  console.error('Name the packages to pack, such as: npm run pack -- sdk')
  process.exitCode = 2
}
for (const name of positionals) {
  const packing = { root, name, to: resolve(values.to) }
  const isPython = existsSync(join(root, name, 'pyproject.toml'))
  const files = isPython ? await packPython(packing) : [await packPackage(packing)]
  for (const file of files) console.log(relative('.', file))
}
