import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import type { Scope } from '@venue-data/contract/scopes.ts'
import { changeKey } from '../../server/integrations/access/change-key.ts'
import { walkChanges } from '../../server/integrations/changes/test/follow.ts'
import { forgetGone } from '../../server/integrations/changes/forget.ts'
import { erasePerson } from '../../server/data/erasure/erase.ts'
import { mergeGuests } from '../../server/crm/guests/merge.ts'
import { staffGuest } from '../../server/crm/guests/staff-reads.ts'
import { deleteReservation } from '../../server/book/reservations/delete-reservation.ts'
import { deleteLead } from '../../server/crm/leads/edit.ts'
import { type TestBook, openBook, staff } from '../../server/book/reservations/test/book.ts'
import { rowsOf } from '../../server/test/rows.ts'
import { type TestService, aTuesdayAfternoon, startService } from '../../server/test/service.ts'
import { memoryCursor } from '../src/cursor-store.ts'
import type { RecordKind } from '../src/generated/records.ts'
import { type Copy, sync } from '../src/sync.ts'
import { VenueData } from '../src/venue-data.ts'
import { verify } from '../src/verify.ts'
import { virtualRuntime } from './virtual-runtime.ts'

/*
 * No matter what is written, killed or lost on the way: in the end the copy equals the venue. A step of a run is a
 * number that chooses what happens, and another that chooses to whom.
 */

/** Thrown in the place of a program's end. */
class Killed extends Error {}

/** What survives a program's end: the copy and the cursor, as a database and a file would have them. */
type Disk = { records: Map<string, unknown>; cursor: string | undefined }

describe('sync()', () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.stop())

  /** A venue with a writer and a copy, all over a network that fails as the numbers say. */
  const openScene = async (faults: () => number) => {
    service.setClock(aTuesdayAfternoon)
    const book = await openBook(service)
    const ask = (query: string) => service.call('GET', `/api/v1/changes?${query}`, { key: book.venue.key })
    const runtime = virtualRuntime(undefined, faultyFetch(faults))
    const client = () =>
      new VenueData({ key: book.venue.key, baseUrl: service.url, fetch: runtime.fetch, runtime, retries: 3 })
    const disk: Disk = { records: new Map(), cursor: undefined }
    return { book, disk, ask, client }
  }
  type Scene = Awaited<ReturnType<typeof openScene>>

  /** Runs the copying program once, to its end or until it is killed at the given moment. */
  const copyOnce = async ({ disk, client }: Scene, killAt: number, atomic: boolean): Promise<void> => {
    let moments = 0
    const moment = (): void => {
      if (++moments === killAt) throw new Killed()
    }
    const done =
      <T extends unknown[]>(act: (...given: T) => void) =>
      (...given: T): void => {
        moment()
        act(...given)
        moment()
      }
    const into: Copy = {
      upsert: done(({ kind, id, data }) => void disk.records.set(`${kind} ${id}`, data)),
      delete: done(({ kind, id }) => void disk.records.delete(`${kind} ${id}`)),
      records: () => [...disk.records.keys()].map(partsOf),
      ...(atomic && { transaction: (work) => wholly(disk, work) }),
    }
    const save = done((cursor: string | undefined) => void (disk.cursor = cursor))
    const store = { load: async () => disk.cursor, save: async (cursor: string | undefined) => save(cursor) }
    try {
      await sync(client(), { into, store, live: false, limit: 3 })
    } catch (error) {
      // Killed, or the network was worse than it could bear: it is started again.
      if (!(error instanceof Killed) && (error as Error).name !== 'ServerError' && !isConnection(error))
        throw error
    }
  }

  const compare = async ({ disk, ask }: Scene): Promise<void> => {
    const { items } = await walkChanges(ask)
    const living = items.filter(({ data }) => data !== null)
    assert.deepEqual(
      Object.fromEntries(disk.records),
      Object.fromEntries(living.map(({ kind, id, data }) => [`${kind} ${id}`, data])),
    )
  }

  const step = fc.record({
    act: fc.nat(99),
    who: fc.nat(),
    killAt: fc.integer({ min: 1, max: 12 }),
    atomic: fc.boolean(),
  })
  type Step = { act: number; who: number; killAt: number; atomic: boolean }

  it('stops with a sentence where the key is another venue’s, and drops nothing', async () => {
    const [mine, other] = [await openScene(() => 99), await openScene(() => 99)]
    const task = async ({ book }: Scene, title: string) =>
      (await service.call('POST', '/api/v1/tasks', { key: book.venue.key, body: { title } })).status
    assert.deepEqual([await task(mine, 'Ours'), await task(other, 'Theirs')], [201, 201])
    await copyOnce(mine, Infinity, false)
    const before = structuredClone(mine.disk)
    assert.equal(before.records.size, 1)
    const said = {
      name: 'GoneError',
      reason: 'cursor-of-another-venue',
      message: /belongs to another venue than this key/,
    }
    await assert.rejects(copyOnce({ ...mine, client: other.client }, Infinity, false), said)
    const never = () => assert.fail('nothing is stored or dropped')
    const into = { upsert: never, delete: never, records: () => [] }
    const store = memoryCursor(mine.disk.cursor)
    await assert.rejects(verify(other.client(), { into, store }), said)
    assert.deepEqual(mine.disk, before)
  })

  it('has what the venue has, after any interleaving of writes, kills, outages and lost answers', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 10, maxLength: 30 }),
        fc.infiniteStream(fc.nat(99)),
        async (steps: Step[], network) => {
          let calm = false
          const scene = await openScene(() => (calm ? 99 : (network.next().value as number)))
          for (const { act, who, killAt, atomic } of steps) {
            if (act < 45) await write(service, scene.book, scene.client(), act, who)
            else if (act < 95) await copyOnce(scene, killAt, atomic)
            else if (act < 97) await leaveAlone(service)
            else await restoreBackup(service, scene.book)
          }
          calm = true
          await copyOnce(scene, Infinity, false)
          await compare(scene)
        },
      ),
      { numRuns: 5 },
    )
  })

  it('drops what a copy has from elsewhere, and only when everything has come', async () => {
    const scene = await openScene(() => 99)
    const venue = scene.client()
    for (let i = 0; i < 5; i++) await venue.tasks.create({ title: `Task ${i}` })
    scene.disk.records.set('task 999999', { id: 999999 })
    await copyOnce(scene, 6, false)
    assert.ok(scene.disk.records.has('task 999999'))
    assert.equal(scene.disk.cursor, undefined, 'it starts over')
    await copyOnce(scene, Infinity, false)
    await compare(scene)
  })

  it('copies only the kinds asked for, and knows their shape', async () => {
    const scene = await openScene(() => 99)
    const venue = scene.client()
    await venue.guests.create({ name: 'Maya Okafor', email: 'maya@example.com' })
    await venue.tasks.create({ title: 'Call the florist' })
    const titles = new Map<number, string | null>()
    await sync(venue, {
      kinds: ['task'],
      live: false,
      into: {
        upsert: ({ id, data }) => void titles.set(id, data.title),
        delete: ({ id }) => void titles.delete(id),
        records: () => [],
      },
    })
    assert.deepEqual([...titles.values()], ['Call the florist'])
    for await (const { data } of venue.changes({ kinds: ['guest'], live: false })) {
      assert.equal(data?.email, 'maya@example.com')
    }
  })

  it('leaves what it was not asked to copy, and reads the older records of a further kind', async () => {
    const scene = await openScene(() => 99)
    const venue = scene.client()
    await venue.tasks.create({ title: 'Call the florist' })
    const lead = await venue.leads.create({ name: 'Maya Okafor' })
    const copied = new Set<string>(['guest 999999', 'lead 999999'])
    const store = memoryCursor()
    const copyOf = async (...kinds: RecordKind[]): Promise<void> =>
      sync(venue, {
        kinds,
        store,
        live: false,
        into: {
          upsert: ({ kind, id }) => void copied.add(`${kind} ${id}`),
          delete: ({ kind, id }) => void copied.delete(`${kind} ${id}`),
          records: () => [...copied].map(partsOf),
        },
      })
    await copyOf('task')
    assert.ok(copied.has('guest 999999') && copied.has('lead 999999'))
    await copyOf('task', 'lead')
    assert.ok(copied.has(`lead ${lead.lead.id}`))
    assert.ok(copied.has('guest 999999') && !copied.has('lead 999999'))
  })

  describe('when its key may read a further kind', () => {
    /** A key of its own, which may read tasks only, and the copying program that has it. */
    const openKey = async () => {
      const scene = await openScene(() => 99)
      const { book, disk } = scene
      const { id, key } = await book.venue.makeKey('read', 'api', { scopes: ['tasks:read'] })
      const venue = new VenueData({ key, baseUrl: service.url, retries: 3 })
      const allow = (...scopes: Scope[]) =>
        book.act((work) => changeKey(service.context, work, staff('owner'), id, { scopes }))
      let moments = 0
      const into = (killAt = Infinity): Copy => ({
        upsert: ({ kind, id: record, data }) => {
          if (++moments === killAt) throw new Killed()
          disk.records.set(`${kind} ${record}`, data)
        },
        delete: ({ kind, id: record }) => void disk.records.delete(`${kind} ${record}`),
        records: () => [...disk.records.keys()].map(partsOf),
      })
      const store = {
        load: async () => disk.cursor,
        save: async (cursor: string | undefined) => void (disk.cursor = cursor),
      }
      const copy = (killAt?: number) => {
        moments = 0
        return sync(venue, { into: into(killAt), store, live: false, limit: 2 })
      }
      const kept = () => [...disk.records.keys()].toSorted()
      return { scene, allow, copy, kept, venue, into, store }
    }

    it('reads its older records, whenever it is killed, and nothing else again', async () => {
      const { scene, allow, copy, kept } = await openKey()
      const writer = scene.client()
      const { task } = await writer.tasks.create({ title: 'Call the florist' })
      const guests = []
      for (const name of ['Ada', 'Ben', 'Cleo', 'Dot', 'Eve'])
        guests.push((await writer.guests.create({ name, email: `${name}@example.com` })).guest.id)
      await copy()
      assert.deepEqual(kept(), [`task ${task.id}`])
      await allow('tasks:read', 'guests:read')
      // At its first guest, at its third, and at the last.
      for (const killAt of [1, 3, 5]) {
        await assert.rejects(copy(killAt), Killed)
      }
      scene.disk.records.delete(`task ${task.id}`)
      await copy()
      assert.deepEqual(kept(), guests.map((id) => `guest ${id}`).toSorted())
      await writer.tasks.create({ title: 'Polish the glasses' })
      await copy(2)
      assert.equal(kept().length, guests.length + 1, 'from then on only what changes comes')
    })

    it('drops what went while the key could not read it', async () => {
      const { scene, allow, copy, kept } = await openKey()
      const { lead } = await scene.client().leads.create({ name: 'Maya Okafor' })
      const { lead: other } = await scene.client().leads.create({ name: 'Ines Duarte' })
      await allow('tasks:read', 'leads:read')
      await copy()
      assert.deepEqual(kept(), [`lead ${lead.id}`, `lead ${other.id}`].toSorted())
      await allow('tasks:read')
      await copy()
      assert.equal(kept().length, 2)
      await scene.book.act((work) => deleteLead(work, staff('manager'), { id: other.id, seenVersion: 1 }))
      await allow('tasks:read', 'leads:read')
      await copy()
      assert.deepEqual(kept(), [`lead ${lead.id}`])
    })

    it('does so while it follows', async () => {
      const { scene, allow, venue, into, store, kept } = await openKey()
      const writer = scene.client()
      await writer.tasks.create({ title: 'Call the florist' })
      const { lead } = await writer.leads.create({ name: 'Maya Okafor' })
      const left = new AbortController()
      let pages = 0
      await assert.rejects(
        sync(venue, {
          into: into(),
          store,
          signal: left.signal,
          onPage: ({ complete }) => {
            if (++pages === 1)
              void allow('tasks:read', 'leads:read').then(() => writer.tasks.create({ title: 'Next' }))
            else if (complete && kept().includes(`lead ${lead.id}`)) left.abort(new Killed())
          },
        }),
        Killed,
      )
      assert.equal(kept().length, 3)
    })
  })

  it('reports how far it is', async () => {
    const scene = await openScene(() => 99)
    for (let i = 0; i < 5; i++) await scene.client().tasks.create({ title: `Task ${i}` })
    const told: unknown[] = []
    const into: Copy = { upsert: () => undefined, delete: () => undefined, records: () => [] }
    await sync(scene.client(), {
      into,
      live: false,
      limit: 3,
      kinds: ['task'],
      onPage: (page) => told.push(page),
    })
    assert.deepEqual(told, [
      { changes: 3, complete: false },
      { changes: 2, complete: true },
    ])
  })
})

const partsOf = (name: string) => {
  const [kind, id] = name.split(' ') as ['task', string]
  return { kind, id: Number(id) }
}

/** All of the work or nothing of it. */
const wholly = async (disk: Disk, work: () => Promise<void>): Promise<void> => {
  const kept = { records: new Map(disk.records), cursor: disk.cursor }
  try {
    await work()
  } catch (error) {
    Object.assign(disk, kept)
    throw error
  }
}

const isConnection = (error: unknown): boolean => (error as Error).name === 'ConnectionError'

/** Loses a request before it is sent, its answer, or half of that; or answers for the service that it is away. */
const faultyFetch = (faults: () => number): typeof fetch =>
  (async (url: string, init: RequestInit) => {
    const fault = faults()
    if (fault < 8) throw new TypeError('fetch failed')
    if (fault < 16) return Response.json({ error: 'Away.' }, { status: 503 })
    const answer = await fetch(url, init)
    if (fault < 24) throw new TypeError('fetch failed')
    if (fault >= 32) return answer
    const text = await answer.text()
    return new Response(text.slice(0, text.length / 2), answer)
  }) as typeof fetch

/** One of what clients and staff do. What the network eats is tried again by the client, and may still fail: that is right, too. */
const write = async (
  service: TestService,
  book: TestBook,
  venue: VenueData,
  act: number,
  who: number,
): Promise<void> => {
  const some = async (path: string): Promise<{ id: number; email: string | null } | undefined> => {
    const { body } = await service.call('GET', `/api/v1/${path}?limit=100`, { key: book.venue.key })
    return body[who % Math.max(1, body.length)]
  }
  const email = `guest.${who % 7}@example.com`
  const writes: (() => Promise<unknown>)[] = [
    () => venue.tasks.create({ title: `Task ${who}` }),
    () => venue.guests.create({ name: `Guest ${who}`, email }),
    () => venue.leads.create({ name: `Lead ${who}`, email }),
    () =>
      venue.reservations.create({
        guestName: `Guest ${who}`,
        partySize: 2,
        date: '2026-12-09',
        time: '19:00',
        email,
      }),
    async () => {
      const task = await some('tasks')
      if (task) await venue.tasks.complete(task.id)
    },
    async () => {
      const guest = await some('guests')
      if (guest) await venue.guests.update(guest.id, { name: `Renamed ${who}` }, { ifMatch: '*' })
    },
    async () => {
      const booked = await some('reservations')
      if (booked) await book.act((work) => deleteReservation(work, staff('manager'), booked.id))
    },
    () => mergeTwo(service, book),
    async () => {
      const guest = await some('guests')
      if (!guest?.email) return
      const sought = { guestId: guest.id, email: guest.email, phone: null, name: null }
      await book.act((work) => erasePerson(work, staff('owner'), sought))
    },
  ]
  try {
    await writes[act % writes.length]?.()
  } catch (error) {
    const { name } = error as Error
    // Who was erased takes no name again: GoneError.
    if (['ServerError', 'ConnectionError', 'ConflictError', 'GoneError'].includes(name)) return
    // Nor is anybody merged with them.
    if ((error as { reason?: string }).reason !== 'erased') throw error
  }
}

const mergeTwo = async (service: TestService, book: TestBook): Promise<void> => {
  const { body } = await service.call('GET', '/api/v1/guests?limit=2', { key: book.venue.key })
  const seen = await Promise.all(
    (body as { id: number }[]).map(async ({ id }) => ({
      id,
      seenVersion: (await staffGuest(service.db, book.venue.id, id))?.version as number,
    })),
  )
  const [one, other] = seen
  if (one && other) await book.act((work) => mergeGuests(work, staff('manager'), one, other))
}

/** Seven weeks in which nobody looks: what was deleted is forgotten, and a cursor of before is too old. */
const leaveAlone = async (service: TestService): Promise<void> => {
  service.setClock(
    service.context
      .clock()
      .add({ hours: 24 * 49 })
      .toString(),
  )
  await forgetGone(service.context)
}

/** The feed starts over, as after a restore: no cursor of before is any good. */
const restoreBackup = async (service: TestService, book: TestBook): Promise<void> => {
  await rowsOf(service, 'update change_head set epoch = gen_random_uuid() where venue_id = $1', [
    book.venue.id,
  ])
}
