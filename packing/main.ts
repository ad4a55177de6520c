import { join, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { packPackage } from './pack.ts'

/*
 * `npm run pack -- sdk`: makes the file that is published of a package, in the folder that `--to` names, else here. It
 * is made the same way for its test, so what was tested is what a user gets.
 */

const { values, positionals } = parseArgs({
  options: { to: { type: 'string', default: '.' } },
  allowPositionals: true,
})

if (positionals.length === 0) {
  console.error('Name the packages to pack, such as: npm run pack -- sdk')
  process.exitCode = 2
}
for (const name of positionals) {
  const file = await packPackage({ root: join(import.meta.dirname, '..'), name, to: resolve(values.to) })
  console.log(relative('.', file))
}
