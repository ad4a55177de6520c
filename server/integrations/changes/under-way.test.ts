import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { kinds } from '@venue-data/contract/kinds.ts'
import { freePort } from '../../platform/db/embedded/free-port.ts'
import { type ServiceProcess, startProcess } from '../../test/process.ts'
import { setRules } from '../../test/open-rules.ts'
import { type TestService, type TestVenue, callService, startService } from '../../test/service.ts'
import { type Item, makeCopy, readChanges, walkChanges } from './test/follow.ts'

/*
 * Many kinds of writers and two processes, one of which is killed in the middle, next to readers of the feed: in the
 * end their copies equal the lists.
 */

/** Of them half write by one process and half by the other. */
const writers = 32
const writesOfEach = 8

describe('followers of the feed, while others write', () => {
  let service: TestService
  let venue: TestVenue
  const running: ServiceProcess[] = []

  before(async () => {
    service = await startService()
    venue = await service.venue()
    await setRules(service, venue)
  })
  after(async () => {
    for (const one of running) one.signal('SIGKILL')
    await Promise.all(running.map(({ ended }) => ended))
    await service.stop()
  })

  const begin = async (port?: string): Promise<ServiceProcess> => {
    const one = await startProcess({
      DATABASE_URL: service.databaseUrl,
      SECRETS: service.context.config.secrets as string,
      RATE_LIMIT_PER_MINUTE: '1000000',
      ROLE: 'web',
      ...(port !== undefined && { PORT: port }),
    })
    running.push(one)
    await one.ready()
    return one
  }

  /** One write of a writer: new guests, the same ones filled in, leads and tasks, and requests of which some are refused. */
  const write = (url: string, writer: number, n: number) => {
    const email = `guest-${writer}-${n - (n % 3)}@example.com`
    const [path, body] = [
      ['guests', { email }],
      ['guests', { email, name: `Guest ${writer}` }],
      ['guests', { email, phone: `212555${String(1000 + writer)}` }],
      ['tasks', { title: `Task ${n}` }],
      ['leads', { name: `Lead ${writer}`, email }],
      [
        'reservations',
        { guestName: 'Ada', email, partySize: 2, date: '2026-10-08', time: n % 2 ? '19:00' : '04:00' },
      ],
    ][n % 6] as [string, object]
    // From a killed process: whether the write was done is unknown.
    return callService(url, 'POST', `/api/v1/${path}`, { key: venue.key, body }).catch(() => undefined)
  }

  it('each ends with a copy equal to the lists, misses no record and never sees a revision fall', async () => {
    const port = String(await freePort())
    const [doomed, lasting] = await Promise.all([begin(port), begin()])
    const urls = [doomed.url, lasting.url]
    const written = new Map<string, number>()
    let isOver = false

    /** Follows by turns at both processes, with numbering at each read, and goes on where one was killed. */
    const follow = async (words: string) => {
      const copy = makeCopy()
      const revisions = new Map<string, number>()
      const see = (items: readonly Item[]): void => {
        for (const { kind, id, revision } of items) {
          const key = `${kind} ${id}`
          assert.ok((revisions.get(key) ?? 0) <= revision, `${key} fell`)
          revisions.set(key, revision)
        }
        copy.apply(items)
      }
      let next: string | undefined
      for (let turn = 0; ; turn++) {
        const url = urls[turn % 2] as string
        const wasOver = isOver
        const query = [next === undefined ? '' : `after=${next}`, words].filter(Boolean).join('&')
        const answer = await callService(url, 'GET', `/api/v1/changes?${query}`, { key: venue.key }).catch(
          () => undefined,
        )
        if (answer?.status !== 200) continue
        see(answer.body.changes)
        next = answer.body.next
        if (wasOver && !answer.body.more && answer.body.changes.length === 0) return copy.records
      }
    }

    const following = [follow('limit=7'), follow('limit=1000&wait=1'), follow('')]
    const writing = Array.from({ length: writers }, async (_, writer) => {
      let url = urls[writer % 2] as string
      for (let n = 0; n < writesOfEach; n++) {
        // When a process is killed, its writers continue at the other one.
        if (await write(url, writer, n)) written.set(url, (written.get(url) ?? 0) + 1)
        else url = lasting.url
      }
    })
    const killing = (async () => {
      // In the middle of what all of them do: once some dozens of changes are there.
      for (let from: string | undefined, seen = 0; seen < 40 || !written.has(doomed.url);) {
        const page = await readChanges(
          (query) => service.call('GET', `/api/v1/changes?${query}`, { key: venue.key }),
          from === undefined ? 'wait=1' : `after=${from}&wait=1`,
        )
        from = page.next
        seen += page.items.length
      }
      doomed.signal('SIGKILL')
      await doomed.ended
      await begin(port)
    })()
    await Promise.all([...writing, killing])
    isOver = true
    const copies = await Promise.all(following)

    const ask = (query: string) => service.call('GET', `/api/v1/changes?${query}`, { key: venue.key })
    const all = (await walkChanges(ask, undefined, 'limit=1000')).items
    const truth = new Map(all.map(({ kind, id, data }) => [`${kind} ${id}`, data]))
    assert.ok(truth.size > 100, String(truth.size))
    assert.equal(written.size, 2)
    for (const records of copies) {
      assert.deepEqual([...records.keys()].toSorted(), [...truth.keys()].toSorted())
      for (const [key, record] of records) assert.deepEqual(record, truth.get(key), key)
    }
    for (const kind of ['guest', 'lead', 'reservation'] as const) {
      const { body } = await service.call('GET', `${kinds[kind].path}?limit=100`, { key: venue.key })
      for (const record of body) assert.deepEqual(truth.get(`${kind} ${record.id}`), record)
      const [row] = await service.db.session(
        async (client) =>
          (await client.query(`select count(*)::int as n from ${kind} where venue_id = $1`, [venue.id])).rows,
      )
      assert.equal(all.filter((item) => item.kind === kind).length, row.n, kind)
    }
  })
})
