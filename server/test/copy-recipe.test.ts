import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { walkChanges } from '../changes/test/follow.ts'
import { renewEpochs } from '../db/renew-epochs.ts'
import { eventually } from './eventually.ts'
import { rowsOf } from './rows.ts'
import { type TestService, type TestVenue, startService } from './service.ts'

/*
 * The program of docs/keep-a-copy.md that keeps a copy, as it stands there, beside a real service: a first copy, what follows it,
 * an outage, and a cursor that is too old.
 */

describe('the program that keeps a copy', () => {
  let service: TestService
  let venue: TestVenue
  let folder: string
  let program: ChildProcess | undefined

  const begin = (): void => {
    program = spawn(process.execPath, ['follow.mjs'], {
      cwd: folder,
      env: { API: `${service.url}/api/v1`, KEY: venue.key },
      stdio: 'inherit',
    })
  }
  const end = async (): Promise<void> => {
    if (!program || program.exitCode !== null) return
    const ended = once(program, 'close')
    program.kill('SIGKILL')
    await ended
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
    await eventually(async () => {
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
    const page = await readFile(new URL('../../docs/keep-a-copy.md', import.meta.url), 'utf8')
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
