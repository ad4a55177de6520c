import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

/* What users of a connector find in its folder. */

const root = new URL('../../', import.meta.url)
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8')

const connectors = globSync('connectors/*/README.md', { cwd: root }).map((path) => path.split('/')[1] ?? '')

/** Those that leave this repository by themselves: to npm, and to Zapier. */
const packages = ['n8n', 'zapier']

describe('the folder of each connector', () => {
  it('is one of five', () =>
    assert.deepEqual(connectors.toSorted(), ['bruno', 'google-sheets', 'n8n', 'postman', 'zapier']))

  for (const name of connectors) {
    it(`${name}: has a first minute, and says what its version brought`, () => {
      assert.match(read(`connectors/${name}/README.md`), /^## A first minute$/m)
      const manifest = packages.includes(name) ? read(`connectors/${name}/package.json`) : undefined
      const version = manifest ? (JSON.parse(manifest) as { version: string }).version : '0.1.0'
      assert.ok(read(`connectors/${name}/CHANGELOG.md`).startsWith(`# Changelog\n\n## ${version}\n\n`))
    })
  }

  for (const name of packages) {
    it(`${name}: is packed with its license, README and CHANGELOG`, async () => {
      assert.equal(read(`connectors/${name}/LICENSE`), read('LICENSE'))
      const cwd = fileURLToPath(new URL(`connectors/${name}`, root))
      const { stdout } = await promisify(execFile)('npm', ['pack', '--dry-run', '--json'], { cwd })
      const [packed] = JSON.parse(stdout) as [{ files: readonly { path: string }[] }]
      const paths = new Set(packed.files.map(({ path }) => path))
      for (const path of ['LICENSE', 'README.md', 'CHANGELOG.md']) assert.ok(paths.has(path), path)
    })
  }
})
