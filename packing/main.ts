import { createHash } from 'node:crypto'
import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { packageFiles, packedFolder } from '../server/platform/http/site/packages.ts'
import { misused, scriptWords } from '../server/platform/kernel/script-words.ts'
import { packConnectors } from './pack-connectors.ts'
import { type Packing, packPackage, put } from './pack.ts'
import { packPython } from './pack-python.ts'

/*
 * `npm run pack`: makes the files that npm and pip install and what is generated of the connectors, all of it or what is
 * named, in the folder that `--to` names or in `packed`, from which a running service serves them. With `--unless-current` it makes nothing
 * where the files are those of the sources as they are.
 */

const usage = `npm run pack [-- [${Object.keys(packageFiles).join('|')}]… [--to FOLDER]]`
const { values, positionals } = scriptWords(usage, {
  options: { to: { type: 'string' }, 'unless-current': { type: 'boolean', default: false } },
  allowPositionals: true,
})
const unknown = positionals.find((name) => !Object.hasOwn(packageFiles, name))
if (unknown !== undefined) misused(usage, `There is no package "${unknown}".`)

const root = join(import.meta.dirname, '..')

/** What the files are made from, in short. */
const sources = async (): Promise<string> => {
  const hash = createHash('sha256')
  const files = [
    '{sdk,cli,mcp,conformance,sdk-python}/{*.*,src/**/*.*}',
    '{packing/**/*.ts,LICENSE,package-lock.json}',
    '{contract,server/platform/http/openapi}/**/*.ts',
  ]
  for (const path of globSync(files, { cwd: root }).toSorted())
    if (!/\.pyc$|\.test\.ts$/.test(path)) hash.update(path).update(await readFile(join(root, path)))
  return hash.digest('hex')
}

/** Those that are no package of npm. */
const packers: Readonly<Record<string, (packing: Packing) => Promise<string | string[]>>> = {
  'sdk-python': packPython,
  connectors: packConnectors,
}

const pack = async (): Promise<void> => {
  const to = values.to === undefined ? join(root, packedFolder) : resolve(values.to)
  const madeFrom = join(to, 'made-from')
  const current = await sources()
  if (values['unless-current'] && (await readFile(madeFrom, 'utf8').catch(() => '')) === current) return
  const names = positionals.length > 0 ? positionals : Object.keys(packageFiles)
  for (const name of names) {
    const made = await (packers[name] ?? packPackage)({ root, name, to })
    for (const one of [made].flat()) console.log(relative('.', one))
  }
  if (positionals.length === 0) await put(Buffer.from(current), madeFrom)
}

await pack().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
})
