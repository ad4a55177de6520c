import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Endpoint } from '@venue-data/contract/webhooks/endpoint.ts'
import { endpoints } from '@venue-data/contract/endpoints.ts'
import { makers } from './makers.ts'
import { rowsOf } from '../rows.ts'
import { type TestService, type TestVenue, startService, withEveryScope } from '../service.ts'

const rows: readonly Endpoint[] = Object.values(endpoints)
/** What happened, and what was sent to an endpoint, are no lists of records; their own tests ask them. */
const ofEvents: ReadonlySet<string> = new Set(['listEvents', 'listDeliveries'])
const lists = rows
  .filter(({ id, query }) => query && 'since' in query && !ofEvents.has(id))
  .map(({ path }) => path as string)

describe('lists', () => {
  let service: TestService
  let venue: TestVenue
  let ids: string[]

  const make = async (path: string, moment: string): Promise<string> =>
    String((await rowsOf<{ id: unknown }>(service, makers[path] as string, [venue.id, moment]))[0]?.id)
  const list = async (path: string, query = ''): Promise<{ id: number | string; createdAt: string }[]> => {
    const answer = await service.call('GET', `${path}?${query}`, { key: venue.key })
    assert.equal(answer.status, 200, answer.text)
    return answer.body
  }
  const listedIds = async (path: string, query = ''): Promise<string[]> =>
    (await list(path, query)).map(({ id }) => String(id))

  before(async () => {
    service = await startService()
  })
  after(() => service.stop())

  it('every list of the contract is asked here', () => {
    assert.deepEqual(lists.toSorted(), Object.keys(makers).toSorted())
  })

  for (const path of lists) {
    describe(path, () => {
      before(async () => {
        venue = await withEveryScope(await service.venue())
        assert.deepEqual(await list(path), [])
        ids = []
        // Made out of order; three of them in one millisecond.
        for (const moment of [
          '2026-10-06T18:00:00.500Z',
          '2026-10-06T18:00:00.499Z',
          '2026-10-06T18:00:00.500Z',
          '2026-10-06T18:00:00.501Z',
          '2026-10-06T18:00:00.500Z',
        ]) {
          ids.push(await make(path, moment))
        }
      })

      it('newest first by creation time, then by id', async () => {
        const [a, b, c, d, e] = ids
        assert.deepEqual(await listedIds(path), [d, e, c, a, b])
        assert.deepEqual(await listedIds(path, 'limit=2'), [d, e])
        assert.deepEqual(await listedIds(path, 'limit=003'), [d, e, c])
      })

      it('since takes the record of that very millisecond, and cuts nothing finer off', async () => {
        const [a, b, c, d, e] = ids
        for (const [since, found] of [
          ['2026-10-06T18:00:00.500Z', [d, e, c, a]],
          ['2026-10-06T20:00:00.500%2B02:00', [d, e, c, a]],
          ['2026-10-06T20:00:00.500+02:00', [d, e, c, a]],
          ['2026-10-06T20:00:00.500+0200', [d, e, c, a]],
          ['2026-10-06T13:00:00.500-0500', [d, e, c, a]],
          ['2026-10-06T13:00:00.500-05', [d, e, c, a]],
          ['2026-10-06T18:00:00.5Z', [d, e, c, a]],
          ['2026-10-06T18:00:00,5Z', [d, e, c, a]],
          ['2026-10-06T18:00:00.500000001Z', [d]],
          ['2026-10-06T18:00:00.4990Z', [d, e, c, a, b]],
          ['2026-10-06T18:00Z', [d, e, c, a, b]],
          ['2026-10-06%2018:00:00Z', [d, e, c, a, b]],
          ['2026-10-06T14:00:00.501-04:00[America/New_York]', [d]],
          ['2026-10-06T18:00:00.502Z', []],
          ['9999-12-31T23:59:59.999999999Z', []],
          ['0001-01-01T00:00:00Z', [d, e, c, a, b]],
        ] as const) {
          assert.deepEqual(await listedIds(path, `since=${since}`), found, since)
        }
        // A task does not show when it was made.
        for (const { id, createdAt } of path === '/api/v1/tasks' ? [] : await list(path)) {
          assert.ok((await listedIds(path, `since=${createdAt}`)).includes(String(id)))
        }
        assert.deepEqual(await listedIds(path, 'since=2026-10-06T18:00:00.500Z&limit=1'), [d])
      })

      it('25 by default, 100 at most, however large the number', async () => {
        await service.db.session(async (client) => {
          const values = [venue.id, '2026-10-05T12:00:00Z']
          for (let i = 0; i < 120; i++) await client.query(makers[path] as string, values)
        })
        assert.equal((await list(path)).length, 25)
        assert.equal((await list(path, 'limit=100')).length, 100)
        assert.equal((await list(path, 'limit=101')).length, 100)
        assert.equal((await list(path, `limit=${'9'.repeat(60)}`)).length, 100)
        assert.equal((await list(path, `limit=${'0'.repeat(60)}7`)).length, 7)
      })

      it('prints moments in UTC with whole milliseconds, also at the ends of the calendar', async () => {
        venue = await withEveryScope(await service.venue())
        for (const moment of [
          '0001-01-01T00:00:00Z',
          '9999-12-31T23:59:59.999Z',
          '1969-12-31T23:59:59.001Z',
        ]) {
          await make(path, moment)
        }
        const shown = (await list(path)).map(({ createdAt }) => createdAt)
        if (path === '/api/v1/tasks') assert.equal(shown.length, 3)
        else {
          assert.deepEqual(shown, [
            '9999-12-31T23:59:59.999Z',
            '1969-12-31T23:59:59.001Z',
            '0001-01-01T00:00:00.000Z',
          ])
        }
      })
    })
  }
})
