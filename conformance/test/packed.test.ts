import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { installPacked } from '../../packing/install.ts'
import { startBrokenProxy } from './broken-proxy.ts'
import { type TestService, type TestVenue, startService } from '../../server/test/service.ts'

describe('the packed suite, in an empty folder', () => {
  let folder: string
  let service: TestService
  let venue: TestVenue
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'venue-data-conformance-'))
    await installPacked(join(import.meta.dirname, '../..'), ['conformance'], folder)
    service = await startService({ PRACTICE: 'on' })
    venue = await service.venue()
  })
  after(async () => {
    await service.stop()
    await rm(folder, { recursive: true })
  })

  const conformance = (
    args: readonly string[],
    key?: string,
  ): Promise<{ code: number; stdout: string; stderr: string }> =>
    new Promise((resolve) => {
      const command = join(folder, 'node_modules/.bin/conformance')
      const env = { PATH: '/usr/bin:/bin', ...(key !== undefined && { VENUE_DATA_KEY: key }) }
      execFile(process.execPath, [command, ...args], { cwd: folder, env }, (error, stdout, stderr) =>
        resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
      )
    })

  it('tries statements on a service and writes its reports', async () => {
    const files = ['--html', 'a.html', '--junit', 'a.xml', '--badge', 'a.svg']
    const args = ['--base-url', service.url, '--only', 'Tasks', '--only', 'Events 7', ...files]
    const { code, stdout, stderr } = await conformance(args, venue.key)
    assert.equal(code, 0, stdout + stderr)
    assert.match(stdout, /^Tasks\n {2}passed {5}1\.1 {3}POST makes a task/)
    assert.match(stdout, /Events\n {2}not tried {2}7 /)
    assert.match(stdout, /\n4 passed, 0 failed, 1 not tried\n$/)
    for (const file of ['a.html', 'a.xml', 'a.svg']) {
      const text = await readFile(join(folder, file), 'utf8')
      assert.ok(text.length > 300 && !text.includes(venue.key), file)
    }
  })

  it('fails with 1 where a statement does not hold, without showing the key', async () => {
    const proxy = await startBrokenProxy(service.url)
    proxy.become({
      request: async (asked, next) => {
        const answer = await next(asked)
        if (answer.body?.task) answer.body.task.title = asked.headers['x-service-key']
        return answer
      },
    })
    const { code, stdout } = await conformance(['--base-url', proxy.url, '--only', 'Tasks 1.1'], venue.key)
    await proxy.stop()
    assert.equal(code, 1)
    assert.match(
      stdout,
      /FAILED {5}1\.1 .*\n {6}expected {2}title of the task to be Conformance-.*\n {6}seen {6}<API_KEY>\n/,
    )
    assert.match(stdout, /\n {6}after {5}POST \/api\/v1\/tasks, request id [\da-f-]{36}\n/)
    assert.ok(!stdout.includes(venue.key))
  })

  it('ends with 2 where it could not begin', async () => {
    const { code, stderr } = await conformance(['--base-url', `${service.url}/elsewhere`], venue.key)
    assert.equal(code, 2)
    assert.match(stderr, /GET \/api\/v1\/me with the key answers 404/)
    assert.ok(!stderr.includes(venue.key))
  })

  it('runs only against this machine by default', async () => {
    const { code, stderr } = await conformance(['--base-url', 'https://venue.example.com'], venue.key)
    assert.equal(code, 2)
    assert.match(stderr, /not on this machine.*--i-know/)
  })

  it('lists what it would try, and its version', async () => {
    const listed = await conformance(['--list'])
    assert.match(listed.stdout, /Idempotency 5 .*A refusal is not replayed/)
    assert.equal((await conformance(['--version'])).stdout, '0.1.0\n')
  })
})
