import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { packPackage } from '../../packing/pack.ts'
import { setRules } from '../../server/test/open-rules.ts'
import { freshDatabase } from '../../server/test/database.ts'
import { type TestService, startService } from '../../server/test/service.ts'
import { sign } from '../../server/integrations/webhooks/sending/signature.ts'
import { examples, moduleOf } from './examples.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')
const secret = `whsec_${'s3cr3t'.repeat(7)}Ab`

describe('the packed SDK, installed into an empty folder', () => {
  let service: TestService
  let folder: string
  let key: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'venue-data-sdk-'))
    service = await startService()
    const venue = await service.venue()
    await setRules(service, venue)
    key = venue.key
    await service.call('POST', '/api/v1/guests', { key, body: { name: 'Ines', email: 'ines@example.com' } })
    const file = await packPackage({ root, name: 'sdk', to: folder })
    await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
    await run('npm', ['install', '--offline', '--no-audit', '--no-fund', file], { cwd: folder })
  })
  after(async () => {
    await service.stop()
    await rm(folder, { recursive: true })
  })

  it('brings nothing but itself', async () => {
    const home = join(folder, 'node_modules')
    assert.deepEqual(
      (await readdir(home)).filter((name) => !name.startsWith('.')),
      ['@venue-data'],
    )
    const manifest = JSON.parse(await readFile(join(home, '@venue-data/sdk/package.json'), 'utf8'))
    assert.equal(manifest.dependencies, undefined)
    const entries = Object.values<{ types: string; default: string }>(manifest.exports)
    for (const path of entries.flatMap((entry) => Object.values(entry))) {
      await readFile(join(home, '@venue-data/sdk', path))
    }
    await readFile(join(home, '@venue-data/sdk/LICENSE'))
  })

  it('calls the service and verifies a delivery under plain Node', async () => {
    const body = JSON.stringify({ id: '1', event: 'ping', data: { message: 'Bonjour, café' } })
    const header = sign(secret, Math.floor(Date.now() / 1000), Buffer.from(body))
    const program = `
      import { VenueData } from '@venue-data/sdk'
      import { verifyWebhook } from '@venue-data/sdk/webhooks'
      const [key, baseUrl, body, header, secret] = process.argv.slice(2)
      const venue = new VenueData({ key, baseUrl })
      const { task } = await venue.tasks.create({ title: 'Call Maya' }, { idempotencyKey: 'once' })
      const again = await venue.tasks.create({ title: 'Call Maya' }, { idempotencyKey: 'once' })
      const titles = []
      for await (const { title } of venue.tasks.list({ limit: 1 })) titles.push(title)
      const { event } = await verifyWebhook({ body, header, secret })
      console.log(JSON.stringify({ once: task.id === again.task.id, titles, event }))
    `
    await writeFile(join(folder, 'program.js'), program)
    const given = [key, service.url, body, header, secret]
    const { stdout } = await run(process.execPath, [join(folder, 'program.js'), ...given])
    assert.deepEqual(JSON.parse(stdout), { once: true, titles: ['Call Maya'], event: 'ping' })
  })

  describe('runs the examples of its README and its comments', () => {
    const all = examples()
    let database: { readonly url: string; readonly drop: () => Promise<void> }
    before(async () => {
      database = await freshDatabase()
      process.env['DATABASE_URL'] = database.url
      // The one package that an example has besides the SDK.
      await mkdir(join(folder, 'node_modules/@types'))
      for (const name of ['pg', '@types/pg'])
        await symlink(join(root, 'node_modules', name), join(folder, 'node_modules', name))
    })
    after(async () => {
      delete process.env['DATABASE_URL']
      await database.drop()
    })

    it('which are typed as its users see them', async () => {
      await cp(join(import.meta.dirname, 'scope.ts'), join(folder, 'scope.ts'))
      for (const [i, example] of all.entries()) {
        await writeFile(join(folder, `example-${i}.ts`), moduleOf(example, { url: service.url, key, secret }))
      }
      const compilerOptions = {
        ...{ target: 'es2023', lib: ['esnext'], module: 'nodenext', strict: true, noEmit: true },
        ...{ exactOptionalPropertyTypes: true, allowImportingTsExtensions: true },
        ...{ types: ['node'], typeRoots: [join(root, 'node_modules/@types')] },
      }
      await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }))
      const compiler = join(root, 'node_modules/typescript/bin/tsc')
      await run(process.execPath, [compiler, '-p', folder]).catch((error: { stdout: string }) =>
        assert.fail(error.stdout),
      )
    })

    for (const [i, { from }] of all.entries()) {
      it(`${from} (${i})`, async (t) => {
        t.mock.method(console, 'log', () => undefined)
        const { VenueData } = await importFrom(folder, 'node_modules/@venue-data/sdk/dist/venue-data.js')
        const { run } = await importFrom(folder, `example-${i}.ts`)
        const rawBody = Buffer.from('{"id":"1","event":"ping","data":{}}')
        const headers = { 'x-service-signature': sign(secret, Math.floor(Date.now() / 1000), rawBody) }
        const served: { close: () => void }[] = []
        const here = process.cwd()
        process.chdir(folder)
        try {
          await (run as (scope: object) => Promise<void>)({
            venue: new (VenueData as new (options: object) => unknown)({ key, baseUrl: service.url }),
            booking: { guestName: 'Maya', partySize: 2, date: '2026-10-09', time: '19:00' },
            idempotencyKey: 'booking-1',
            copy: { upsert: async () => undefined, delete: async () => undefined },
            queue: [],
            rawBody,
            body: rawBody,
            request: new Request('http://venue.test/', { method: 'POST', headers }),
            secret,
            onEvent: () => undefined,
            app: { post: () => undefined, register: async () => undefined },
            keep: (one: { close: () => void }) => served.push(one),
            assert,
          })
        } finally {
          process.chdir(here)
          for (const one of served) one.close()
        }
      })
    }
  })
})

const importFrom = async (folder: string, path: string): Promise<Record<string, unknown>> =>
  (await import(pathToFileURL(join(folder, path)).href)) as Record<string, unknown>
