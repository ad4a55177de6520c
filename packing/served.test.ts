import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { packageFiles, packagePath, packages } from '../server/platform/http/site/packages.ts'
import { type TestService, type TestVenue, startService } from '../server/test/service.ts'
import { installServed } from './install-served.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '..')
const types = {
  'application/gzip': '.tgz',
  'application/zip': '.whl',
  'application/json; charset=utf-8': '.json',
}

describe('the packages that a service has, installed into an empty folder as their pages say, without a registry', () => {
  let service: TestService
  let venue: TestVenue
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'venue-data-served-'))
    service = await startService()
    venue = await service.venue()
    await packages.make()
  })
  after(async () => {
    await service.stop()
    await rm(folder, { recursive: true })
  })

  it('are all there, unpacked by whoever asks, and not sent twice', async () => {
    for (const file of Object.values(packageFiles)) {
      const url = service.url + packagePath(file)
      const answer = await fetch(url)
      assert.equal(answer.status, 200, file)
      assert.equal(answer.headers.get('content-encoding'), null)
      const [type] = Object.entries(types).find(([, end]) => file.endsWith(end)) ?? []
      assert.equal(answer.headers.get('content-type'), type)
      assert.deepEqual(Buffer.from(await answer.arrayBuffer()), await readFile(join(root, 'packed', file)))
      const etag = answer.headers.get('etag') as string
      assert.equal((await fetch(url, { headers: { 'if-none-match': etag } })).status, 304)
    }
  })

  it('the SDK does what the first minute of its README says', async () => {
    const env = await installServed({ ...given(), name: 'sdk' })
    const readme = await readFile(join(folder, 'node_modules/@venue-data/sdk/README.md'), 'utf8')
    const [, program = ''] = /```ts\n([^]*?)```/.exec(readme) ?? []
    const ours = program
      .replaceAll(/service_sk_Practice\w+/g, venue.key)
      .replace('http://127.0.0.1:8080', service.url)
    await writeFile(join(folder, 'first.mjs'), ours)
    const { stdout } = await run('node', ['first.mjs'], { cwd: folder, env })
    assert.match(stdout, /^Connected to The Blue Door in America\/New_York\.\nTask \d+ is on the list\.\n/)
  })

  it('the command line brings the SDK, and calls the service', async () => {
    const env = await installServed({ ...given(), name: 'cli' })
    const settings = { ...env, VENUE_DATA_URL: service.url, VENUE_DATA_KEY: venue.key }
    const { stdout } = await run('venue-data', ['list', 'tasks', '--json'], { cwd: folder, env: settings })
    assert.deepEqual(
      (JSON.parse(stdout) as { title: string }[]).map(({ title }) => title),
      ['Call Maya about the garden room'],
    )
  })

  const given = () => ({
    root,
    url: service.url,
    folder,
    node: process.execPath,
    registry: false,
    env: process.env,
  })
})
