import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { Scope } from '@venue-data/contract/scopes.ts'
import { changeKey } from '../../server/integrations/access/change-key.ts'
import { staffOf } from '../../server/test/desk.ts'
import { type TestService, startService } from '../../server/test/service.ts'
import { runPython, whyNoPython } from './python.ts'

const why = whyNoPython()

describe('sync() in Python, of a key that may read a further kind', { skip: why ?? false }, () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.stop())

  for (const client of ['sync', 'async'] as const) {
    it(`reads its older records, and nothing else again (${client})`, async () => {
      const venue = await service.venue()
      const folder = await mkdtemp(join(tmpdir(), 'venue-data-gained-'))
      try {
        const { id, key } = await venue.makeKey('read', 'api', { scopes: ['tasks:read'] })
        const environment = { VENUE_KEY: key, VENUE_URL: service.url }
        const program = [join(import.meta.dirname, 'sync_gained.py'), client, folder]
        const copy = async () =>
          JSON.parse(await runPython(program, environment)) as { came: string[]; kept: string[] }
        const allow = (...scopes: Scope[]) =>
          service.db.transaction((queries) =>
            changeKey(
              service.context,
              { db: queries.within(venue.id), venue: venue as never, now: service.context.clock },
              staffOf('owner'),
              id,
              { scopes },
            ),
          )
        const post = async (path: string, body: object) =>
          (await service.call('POST', `/api/v1/${path}`, { key: venue.key, body })).body
        const task = `task ${(await post('tasks', { title: 'Call the florist' })).task.id}`
        const guests: string[] = []
        for (const name of ['ada', 'ben', 'cleo'])
          guests.push(`guest ${(await post('guests', { name, email: `${name}@example.com` })).guest.id}`)
        assert.deepEqual(await copy(), { came: [task], kept: [task] })
        await allow('tasks:read', 'guests:read')
        const gained = await copy()
        assert.deepEqual(gained.came.toSorted(), guests.toSorted())
        assert.deepEqual(gained.kept, [...guests, task].toSorted())
        assert.deepEqual((await copy()).came, [])
      } finally {
        await rm(folder, { recursive: true })
      }
    })
  }
})
