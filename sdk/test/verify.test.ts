import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { rowsOf } from '../../server/test/rows.ts'
import { type TestService, type TestVenue, startService } from '../../server/test/service.ts'
import { memoryCursor } from '../src/cursor-store.ts'
import type { RecordKind } from '../src/generated/records.ts'
import { type RevisedCopy, type RevisedRecord, verify } from '../src/verify.ts'
import { VenueData } from '../src/venue-data.ts'

const addressOf = (input: Parameters<typeof fetch>[0]): string =>
  typeof input === 'string' ? input : input instanceof URL ? input.href : input.url

describe('verify()', () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.stop())

  /** A venue with some guests and tasks, and a copy of it whose calls are counted. */
  const openScene = async () => {
    const house = await service.venue()
    const asked: string[] = []
    const counting: typeof fetch = (input, init) => {
      asked.push(
        new URL(String(input instanceof Request ? input.url : input)).pathname.replace('/api/v1', ''),
      )
      return fetch(input, init)
    }
    const { key, id } = await house.makeKey('read')
    const allow = (...scopes: string[]) =>
      rowsOf(service, 'update api_key set scopes = $2 where id = $1', [id, scopes])
    const venue = new VenueData({ key, baseUrl: service.url, fetch: counting })
    const writer = new VenueData({ key: house.key, baseUrl: service.url })
    const guests = await Promise.all(
      Array.from({ length: 12 }, async (_, place) => {
        const { guest } = await writer.guests.create({
          name: `Guest ${place}`,
          email: `${place}@example.com`,
        })
        return guest.id
      }),
    )
    await writer.tasks.create({ title: 'Call the florist' })
    const records = new Map<string, RevisedRecord>()
    const into: RevisedCopy = {
      upsert: ({ kind, id, data }) =>
        void records.set(`${kind} ${id}`, { kind, id, revision: data.revision }),
      delete: ({ kind, id }) => void records.delete(`${kind} ${id}`),
      records: () => records.values(),
    }
    const store = memoryCursor()
    const run = (kinds?: readonly RecordKind[]) => verify(venue, { into, store, ...(kinds && { kinds }) })
    return { house, writer, guests, asked, records, run, allow }
  }
  const plant = (records: Map<string, RevisedRecord>, [lost = 0, stale = 0]: readonly number[]) => {
    records.delete(`guest ${lost}`)
    records.set(`guest ${stale}`, { kind: 'guest', id: stale, revision: 77 })
    records.set('guest 900500', { kind: 'guest', id: 900_500, revision: 1 })
    return [
      { kind: 'guest', id: lost, was: 'missing' },
      { kind: 'guest', id: stale, was: 'outdated' },
      { kind: 'guest', id: 900_500, was: 'extra' },
    ]
  }
  const sorted = (differences: readonly { readonly id: number; readonly was: string }[]) =>
    differences.toSorted((a, b) => a.id - b.id)
  const truth = async ({ key }: TestVenue): Promise<Map<string, RevisedRecord>> => {
    const { body } = await service.call('GET', '/api/v1/changes?limit=1000', { key })
    return new Map(
      body.changes
        .filter(({ data }: { data: unknown }) => data !== null)
        .map(({ kind, id, data }: { kind: string; id: number; data: { revision: number } }) => [
          `${kind} ${id}`,
          { kind, id, revision: data.revision },
        ]),
    )
  }

  it('finds nothing in a true copy, and says how much it compared', async () => {
    const { run, records } = await openScene()
    const all = await run()
    assert.deepEqual([all.compared, all.differences, all.notCopied], [13, [], []])
    assert.ok(all.kinds.includes('guest') && all.kinds.includes('task'))
    assert.equal(records.size, 13)
    const { compared, differences, kinds } = await run(['task'])
    assert.deepEqual([compared, differences, kinds], [1, [], ['task']])
  })

  it('finds and repairs what is missing, outdated or too many, by few calls', async () => {
    const { house, run, records, guests, asked } = await openScene()
    await run()
    const planted = plant(records, guests)
    asked.length = 0
    const { differences } = await run(['guest'])
    assert.deepEqual(sorted(differences), sorted(planted as typeof differences))
    assert.deepEqual(records, await truth(house))
    // What the key may read; the feed; the sums; two blocks that differ; one page, which has both records.
    assert.equal(asked.length, 6, asked.join(' '))
    assert.deepEqual((await run()).differences, [])
  })

  it('finds them while eight writers write, and takes no change of theirs for a fault', async () => {
    const { house, run, records, guests, writer } = await openScene()
    await run()
    let isOver = false
    // The writers leave alone what is planted, or the feed would repair it first.
    const written = guests.slice(2)
    const writers = Array.from({ length: 8 }, async (_, place) => {
      for (let turn = 0; !isOver; turn++) {
        const id = written[(place + turn) % written.length] as number
        await writer.guests.update(id, { name: `By ${place}, turn ${turn}` }, { ifMatch: '*' })
      }
    })
    try {
      for (let round = 0; round < 5; round++) {
        const planted = plant(records, guests)
        const { differences } = await run()
        assert.deepEqual(sorted(differences), sorted(planted as typeof differences))
      }
    } finally {
      isOver = true
      await Promise.all(writers)
    }
    assert.deepEqual((await run()).differences, [])
    assert.deepEqual(records, await truth(house))
  })

  it('leaves in step what it was not asked to compare, and copies nothing more than before', async () => {
    const { run, records, asked } = await openScene()
    await run()
    await run(['task'])
    asked.length = 0
    assert.deepEqual((await run()).differences, [])
    // What the key may read and the feed, then the sums of each kind.
    assert.equal(asked.filter((path) => path.endsWith('/changes')).length, 2)
    assert.equal(records.size, 13)
    const only = await openScene()
    await only.run(['task'])
    const again = await only.run()
    assert.deepEqual([again.compared, again.differences], [1, []])
    // It says what it did not prove.
    assert.deepEqual([again.kinds, again.notCopied.includes('guest')], [['task'], true])
    assert.equal(only.records.size, 1)
  })

  it('takes ids that a database gives as text, and repairs in the transaction of the copy', async () => {
    const { house, records, guests } = await openScene()
    const venue = new VenueData({ key: house.key, baseUrl: service.url })
    let depth = 0
    const inside: boolean[] = []
    const into: RevisedCopy = {
      transaction: async (work) => {
        depth++
        await work().finally(() => depth--)
      },
      upsert: ({ kind, id, data }) => {
        inside.push(depth === 1)
        records.set(`${kind} ${id}`, { kind, id, revision: data.revision })
      },
      delete: ({ kind, id }) => void records.delete(`${kind} ${id}`),
      records: () =>
        [...records.values()].map((one) => ({ ...one, id: String(one.id) as unknown as number })),
    }
    const store = memoryCursor()
    await verify(venue, { into, store })
    const planted = plant(records, guests)
    inside.length = 0
    const { differences } = await verify(venue, { into, store })
    assert.deepEqual(sorted(differences), sorted(planted as typeof differences))
    assert.deepEqual(inside, [true, true])
    assert.deepEqual(records, await truth(house))
  })

  it('repairs many by walking through them, instead of by a call for each', async () => {
    const { house, writer, records, run, asked } = await openScene()
    await Promise.all(
      Array.from({ length: 205 }, (_, place) => writer.tasks.create({ title: `Task ${place}` })),
    )
    await run()
    for (const key of records.keys()) if (key.startsWith('task ')) records.delete(key)
    records.set('task 900500', { kind: 'task', id: 900_500, revision: 1 })
    asked.length = 0
    assert.equal((await run(['task'])).differences.length, 207)
    assert.ok(asked.length < 10, asked.join(' '))
    assert.deepEqual(records, await truth(house))
  })

  it('reads fewer one by one than a walk has pages, also below two hundred', async () => {
    const { house, writer, records, run, asked } = await openScene()
    await Promise.all(
      Array.from({ length: 30 }, (_, place) => writer.tasks.create({ title: `Task ${place}` })),
    )
    await run()
    for (const key of records.keys()) if (key.startsWith('task ')) records.delete(key)
    asked.length = 0
    assert.equal((await run(['task'])).differences.length, 31)
    assert.ok(asked.length <= 6, asked.join(' '))
    assert.deepEqual(records, await truth(house))
  })

  it('drops what has an id that no venue gives', async () => {
    const { house, run, records } = await openScene()
    await run()
    for (const id of [-5, -1005, 0]) records.set(`guest ${id}`, { kind: 'guest', id, revision: 1 })
    const { differences } = await run()
    assert.deepEqual(sorted(differences), [
      { kind: 'guest', id: -1005, was: 'extra' },
      { kind: 'guest', id: -5, was: 'extra' },
      { kind: 'guest', id: 0, was: 'extra' },
    ])
    assert.deepEqual(records, await truth(house))
  })

  it('goes on with a key that may read less, and names what one that may read more has not copied', async () => {
    const { run, records, allow } = await openScene()
    await allow('guests:read', 'tasks:read')
    await run()
    await allow('guests:read')
    const less = await run()
    assert.deepEqual([less.compared, less.differences, less.kinds], [12, [], ['guest']])
    assert.equal(records.size, 13)
    await assert.rejects(run(['task']), { reason: 'scope-missing' })
    await allow('guests:read', 'tasks:read')
    assert.deepEqual((await run()).notCopied, ['task'])
    // Asked for, it is read and compared.
    const more = await run(['task'])
    assert.deepEqual([more.compared, more.kinds, more.notCopied], [1, ['task'], []])
    assert.deepEqual((await run()).kinds, ['guest', 'task'])
  })

  it('drops a record that was in no copy and is gone when it is fetched', async () => {
    const { run, records, guests, house } = await openScene()
    await run()
    const [id = 0] = guests
    records.delete(`guest ${id}`)
    // Deleted between the comparison and the fetch: as a service answers for a record that is gone.
    const gone: typeof fetch = (input, init) =>
      addressOf(input).endsWith(`/guests/${id}`)
        ? Promise.resolve(
            Response.json({ error: 'This guest was erased.', reason: 'erased' }, { status: 410 }),
          )
        : fetch(input, init)
    const venue = new VenueData({ key: house.key, baseUrl: service.url, fetch: gone })
    const into: RevisedCopy = {
      upsert: ({ kind, id, data }) =>
        void records.set(`${kind} ${id}`, { kind, id, revision: data.revision }),
      delete: ({ kind, id }) => void records.delete(`${kind} ${id}`),
      records: () => records.values(),
    }
    const store = memoryCursor()
    await store.save(
      (await service.call('GET', '/api/v1/changes?after=latest', { key: house.key })).body.next,
    )
    const { differences } = await verify(venue, { into, store, kinds: ['guest'] })
    assert.deepEqual(differences, [{ kind: 'guest', id, was: 'missing' }])
    assert.equal(records.has(`guest ${id}`), false)
  })
})
