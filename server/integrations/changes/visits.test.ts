import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { kinds, recordKinds } from '@venue-data/contract/kinds.ts'
import { type TestBook, openBook } from '../../book/reservations/test/book.ts'
import { noteVisit } from '../../core/events/note-change.ts'
import { rowsOf } from '../../test/rows.ts'
import { type TestService, everyScope, startService } from '../../test/service.ts'
import { fillFeeds } from './fill.ts'
import { readChanges, walkChanges } from './test/follow.ts'

describe('visits in the feed of changes', () => {
  let service: TestService
  let book: TestBook
  let key: string
  before(async () => {
    service = await startService()
  })
  after(() => service.stop())

  const fresh = async () => {
    service.setClock('2026-10-06T10:00:00Z')
    book = await openBook(service)
    key = (await book.venue.makeKey('read_write', 'api', { scopes: everyScope })).key
  }
  const callWith = (as: string) => (path: string) => service.call('GET', `/api/v1/${path}`, { key: as })
  const ask = (query: string) => callWith(key)(`changes?${query}`)
  const request = async (): Promise<number> => {
    const { status, body, text } = await service.call('POST', '/api/v1/reservations', {
      key: book.venue.key,
      body: { guestName: 'Maya', partySize: 2, date: '2026-10-08', time: '19:00' },
    })
    assert.equal(status, 201, text)
    return body.reservation.id
  }
  const moveVisit = (id: number) => book.act(async ({ db, venue, now }) => noteVisit(db, venue.id, id, now()))
  /** As if a process of the release before had written everything. */
  const asBefore = async () => {
    await rowsOf(service, `delete from record_change where venue_id = $1 and kind = 'visit'`, [book.venue.id])
    await rowsOf(service, 'update change_head set visits_filled_at = null where venue_id = $1', [
      book.venue.id,
    ])
  }

  it('a key without the scope sees nothing of them: not alone, not in the feed, in no list', async () => {
    await fresh()
    const id = await request()
    const { key: without } = await book.venue.makeKey('read')
    const call = callWith(without)
    for (const path of [
      'visits',
      `visits/${id}`,
      'rooms',
      'changes?kinds=visit',
      'changes/digest?kind=visit',
    ]) {
      const { status, body } = await call(path)
      assert.deepEqual([status, body.reason], [403, 'scope-missing'], path)
    }
    const first = await walkChanges((query) => call(`changes?${query}`))
    assert.deepEqual(
      first.items.map(({ kind }) => kind),
      ['reservation'],
    )
    await moveVisit(id)
    const page = await call(`changes?after=${first.next}`)
    assert.deepEqual([page.body.changes, page.body.more], [[], false])
    assert.ok(!page.body.kinds.includes('visit'))
  })

  it('the same feed has them for a key with the scope, after the records they are about', async () => {
    await fresh()
    const id = await request()
    const { items } = await walkChanges(ask)
    assert.deepEqual(
      items.map((item) => [item.kind, item.id, item.change, item.revision]),
      [
        ['reservation', id, 'created', 1],
        ['visit', id, 'created', 1],
      ],
    )
    assert.deepEqual((await ask('')).body.kinds, recordKinds)
    const list = await callWith(key)(kinds.visit.path.replace('/api/v1/', ''))
    assert.deepEqual(list.body, [items[1]?.data])
  })

  it('the feed of events does not know the kind', async () => {
    await fresh()
    for (const query of ['kinds=visit', 'record=visit:1']) {
      assert.equal((await callWith(key)(`events?${query}`)).status, 400, query)
    }
  })

  it('until a venue of the release before is filled they are 503, and left out where nobody names them', async () => {
    await fresh()
    const [old, noted] = [await request(), await request()]
    await asBefore()
    const call = callWith(key)
    for (const path of [
      'visits',
      `visits/${old}`,
      'changes?kinds=visit',
      'changes?kinds=guest,visit',
      'changes?after=latest&kinds=visit',
    ]) {
      const { status, headers } = await call(path)
      assert.deepEqual([status, headers.get('retry-after')], [503, '10'], path)
    }
    const { key: only } = await book.venue.makeKey('read', 'api', { scopes: ['visits:read'] })
    assert.equal((await callWith(only)('changes')).status, 503)

    // A process of this release writes meanwhile, and somebody follows.
    await moveVisit(noted)
    const others = recordKinds.filter((kind) => kind !== 'visit')
    const { items, next } = await walkChanges(ask)
    assert.deepEqual([...new Set(items.map(({ kind }) => kind))], ['reservation'])
    assert.deepEqual((await ask(`after=${next}`)).body.kinds, others)
    assert.deepEqual((await ask('after=latest')).body.kinds, others)
    const digest = await call(`changes/digest?kind=visit&after=${next}`)
    assert.equal(digest.status, 503)

    assert.deepEqual(await fillFeeds(service.context), [{ slug: book.venue.slug, records: 2 }])
    const filled = await readChanges(ask, `after=${next}`)
    assert.deepEqual(
      filled.items.map(({ kind, id, change }) => [kind, id, change]),
      [
        ['visit', old, 'created'],
        ['visit', noted, 'created'],
      ],
    )
    assert.equal((await call('visits')).body.length, 2)
    assert.deepEqual(await fillFeeds(service.context), [])
  })
})
