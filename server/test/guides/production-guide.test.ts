import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { compiledSources } from '../patience.ts'
import { asShown, samplesOf } from './page-samples.ts'
import { settingsOf } from '../processes/operator.ts'
import { type TestService, startService } from '../service.ts'

/* The first venue on a database of one's own, as docs/production.md makes it. */

const root = join(import.meta.dirname, '../../..')

describe('the guide to production', () => {
  let service: TestService
  let folder: string
  before(async () => {
    service = await startService()
    service.setClock('2026-11-24T15:00:00Z')
    // The commands are relative to the repository, and leave a file with a password.
    folder = await mkdtemp(join(tmpdir(), 'venue-first-'))
    for (const name of ['bin', 'examples', 'package.json'])
      await symlink(join(root, name), join(folder, name))
  })
  after(async () => {
    await service.stop()
    await rm(folder, { recursive: true })
  })

  it('ends with a venue that takes a booking by its page and by its key', async () => {
    const page = await readFile(join(root, 'docs/production.md'), 'utf8')
    const [, commands = ''] = /## A first venue\n[^]*?```\n([^]*?)```/.exec(page) ?? []
    const env = { ...compiledSources, PATH: process.env['PATH'], ...settingsOf(service) }
    const { stdout } = await promisify(execFile)('sh', ['-ec', commands], { cwd: folder, env })
    const [key = ''] = /service_sk_[0-9A-Za-z]{40}/.exec(stdout) ?? []

    const samples = (await samplesOf('production.md')).filter(({ path }) => path !== '/api/v1')
    assert.deepEqual(
      samples.map(({ path }) => path.split('?')[0]),
      ['/api/v1/availability/check', '/api/v1/reservations'],
    )
    for (const { method, path, headers, body, answer } of samples) {
      const { text } = await service.call(method, path, {
        key,
        headers,
        ...(body !== undefined && { body: JSON.parse(body) }),
      })
      assert.match(text, asShown(answer))
    }
    const guests = await fetch(`${service.url}/v/blue-door/book`)
    assert.equal(guests.status, 200)
    assert.match(await guests.text(), /The Blue Door/)
  })
})
