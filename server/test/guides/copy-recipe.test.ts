import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { walkChanges } from '../../integrations/changes/test/follow.ts'
import { renewEpochs } from '../../platform/db/renew-epochs.ts'
import { type Child, startChild } from '../child.ts'
import { rowsOf } from '../rows.ts'
import { type TestService, type TestVenue, startService } from '../service.ts'

/*
 * The program of docs/keep-a-copy.md that keeps a copy, exactly as printed, with a real service: a first copy, what follows it,
 * an outage, and a cursor that is too old.
 */

describe('the program that keeps a copy', () => {
  let service: TestService
  let venue: TestVenue
  let folder: string
  let program: Child | undefined

  const begin = (): void => {
    // In the reader's own Node, which may be older than the service's.
    program = startChild('node', ['follow.mjs'], {
      cwd: folder,
      env: { PATH: process.env['PATH'], API: `${service.url}/api/v1`, KEY: venue.key },
    })
  }
  const end = async (): Promise<void> => {
    program?.signal('SIGKILL')
    await program?.ended
  }
  const guest = async (name: string): Promise<number> => {
    const body = { email: `${name}@example.com`, name }
    const answer = await service.call('POST', '/api/v1/guests', { key: venue.key, body })
    return answer.body.guest.id
  }
  const truth = async (): Promise<Record<string, unknown>> => {
    const ask = (query: string) => service.call('GET', `/api/v1/changes?${query}`, { key: venue.key })
    const { items } = await walkChanges(ask)
    return Object.fromEntries(items.map(({ kind, id, data }) => [`${kind} ${id}`, data]))
  }
  const endsAsTheTruth = async (): Promise<void> => {
    const expected = await truth()
    await program?.until(async () => {
      const { records, seen } = JSON.parse(await readFile(join(folder, 'copy.json'), 'utf8'))
      assert.equal(seen, undefined)
      assert.deepEqual(records, expected)
      return true
    })
  }

  before(async () => {
    service = await startService()
    venue = await service.venue()
    folder = await mkdtemp(join(tmpdir(), 'venue-data-copy-'))
    const page = await readFile(new URL('../../../docs/keep-a-copy.md', import.meta.url), 'utf8')
    const [, code = ''] = /^```js\n([^]*?)^```$/m.exec(page) ?? []
    assert.match(code, /copy\.json/)
    await writeFile(join(folder, 'follow.mjs'), code)
  })
  after(async () => {
    await end()
    await service.stop()
    await rm(folder, { recursive: true })
  })

  it('has everything from the beginning, and what comes and changes while it runs', async () => {
    await guest('ada')
    begin()
    await endsAsTheTruth()
    await guest('otto')
    await service.call('POST', '/api/v1/guests', {
      key: venue.key,
      body: { email: 'ada@example.com', phone: '212 555 0100' },
    })
    await endsAsTheTruth()
  })

  it('goes on after an outage where it was', async () => {
    await end()
    await guest('ines')
    begin()
    await endsAsTheTruth()
  })

  it('has the older records of a kind that its key may read only now', async () => {
    await end()
    const { id, key } = await venue.makeKey('read', 'api', { scopes: ['guests:read'] })
    const [all, other] = [venue, { ...venue, key }]
    await service.call('POST', '/api/v1/tasks', { key: all.key, body: { title: 'Call the florist' } })
    venue = other
    await rm(join(folder, 'copy.json'))
    begin()
    await endsAsTheTruth()
    await rowsOf(service, `update api_key set scopes = '{guests:read,tasks:read}' where id = $1`, [id])
    assert.ok(Object.keys(await truth()).some((name) => name.startsWith('task ')))
    venue = all
    await guest('nora')
    venue = other
    await endsAsTheTruth()
    await end()
    await rm(join(folder, 'copy.json'))
    venue = all
  })

  it('reads everything again when its cursor is too old, and drops what is gone', async () => {
    await end()
    const id = await guest('maya')
    begin()
    await endsAsTheTruth()
    await end()
    await rowsOf(service, 'delete from guest where venue_id = $1 and id = $2', [venue.id, id])
    await rowsOf(service, 'delete from record_change where venue_id = $1 and record_id = $2', [venue.id, id])
    await renewEpochs(service.db)
    begin()
    await endsAsTheTruth()
  })
})
