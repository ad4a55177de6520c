import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { walkChanges } from '../../integrations/changes/test/follow.ts'
import { renewEpochs } from '../../platform/db/renew-epochs.ts'
import { rowsOf } from '../rows.ts'
import { type TestService, type TestVenue, startService } from '../service.ts'

/* The program of examples/warehouse-export, unchanged, night after night. */

const file = join(import.meta.dirname, '../../../examples/warehouse-export/warehouse-export.ts')

type Line = { readonly kind: string; readonly id: number; readonly data: unknown }

describe('the program that exports to a warehouse', () => {
  let service: TestService
  let venue: TestVenue
  let folder: string
  before(async () => {
    service = await startService()
    venue = await service.venue()
    folder = await mkdtemp(join(tmpdir(), 'venue-data-export-'))
  })
  after(async () => {
    await service.stop()
    await rm(folder, { recursive: true })
  })

  /** Runs it once; answers with its exit code. */
  const run = (key = venue.key): Promise<number> =>
    new Promise((resolve) => {
      const env = { API: `${service.url}/api/v1`, KEY: key, OUT: folder }
      const child = execFile(process.execPath, [file], { env }, () => resolve(child.exitCode ?? -1))
    })
  const files = async (): Promise<string[]> =>
    (await readdir(folder)).filter((name) => name !== 'cursor').toSorted()
  const guest = async (name: string): Promise<number> => {
    const body = { email: `${name}@example.com`, name }
    return (await service.call('POST', '/api/v1/guests', { key: venue.key, body })).body.guest.id
  }

  /** What a warehouse has that loaded all files. */
  const loaded = async (): Promise<Record<string, unknown>> => {
    let records: Record<string, unknown> = {}
    for (const name of await files()) {
      if (name.endsWith('-snapshot.ndjson')) records = {}
      const text = await readFile(join(folder, name), 'utf8')
      for (const line of text.split('\n').filter(Boolean)) {
        const { kind, id, data } = JSON.parse(line) as Line
        if (data === null) delete records[`${kind} ${id}`]
        else records[`${kind} ${id}`] = data
      }
    }
    return records
  }
  const isTheTruth = async (): Promise<void> => {
    const ask = (query: string) => service.call('GET', `/api/v1/changes?${query}`, { key: venue.key })
    const { items } = await walkChanges(ask)
    const living = items.filter(({ data }) => data !== null)
    assert.deepEqual(
      await loaded(),
      Object.fromEntries(living.map(({ kind, id, data }) => [`${kind} ${id}`, data])),
    )
  }

  it('is short enough to read', async () => {
    assert.ok((await readFile(file, 'utf8')).split('\n').length <= 150)
  })

  it('begins with a snapshot and goes on with what changed', async () => {
    await guest('ada')
    await guest('otto')
    assert.equal(await run(), 0)
    await guest('ines')
    await service.call('POST', '/api/v1/guests', {
      key: venue.key,
      body: { email: 'ada@example.com', phone: '212 555 0100' },
    })
    assert.equal(await run(), 0)
    const [snapshot, changes, ...none] = await files()
    assert.match(snapshot as string, /-snapshot\.ndjson$/)
    assert.match(changes as string, /-changes\.ndjson$/)
    assert.deepEqual(none, [])
    await isTheTruth()
  })

  it('leaves nothing behind when it breaks off, and makes up for it the next night', async () => {
    const known = await files()
    await guest('maya')
    assert.equal(await run('service_sk_wrong'), 1)
    assert.deepEqual(await files(), known)
    assert.equal(await run(), 0)
    await isTheTruth()
  })

  it('stops where its cursor is another venue’s, and writes nothing', async () => {
    const known = await files()
    assert.equal(await run((await service.venue()).key), 1)
    assert.deepEqual(await files(), known)
    assert.equal(await run(), 0)
    await isTheTruth()
  })

  it('begins again with a snapshot when its cursor is too old', async () => {
    const id = await guest('erik')
    assert.equal(await run(), 0)
    await rowsOf(service, 'delete from guest where venue_id = $1 and id = $2', [venue.id, id])
    await rowsOf(service, 'delete from record_change where venue_id = $1 and record_id = $2', [venue.id, id])
    await renewEpochs(service.db)
    assert.equal(await run(), 0)
    assert.match((await files()).at(-1) as string, /-snapshot\.ndjson$/)
    await isTheTruth()
  })
})
