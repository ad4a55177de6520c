import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type TestBook, openBook, staff } from '../../book/reservations/test/book.ts'
import { type TestService, startService } from '../../test/service.ts'
import type { Actor } from './actor.ts'
import { activityOfRecord, newestActivity } from './reads.ts'
import { recordActivity } from './record.ts'

describe('the private activity log', () => {
  let service: TestService
  let book: TestBook
  before(async () => {
    service = await startService()
    book = await openBook(service)
  })
  after(() => service.stop())

  const record = { kind: 'reservation', id: 1 } as const
  const write = (actor: Actor, before: object | null, after: object | null) =>
    book.act((work) =>
      recordActivity(
        work,
        actor,
        { action: 'edit', record, before: before && { ...before }, after: after && { ...after } },
        work.now(),
      ),
    )

  it('stores what differs for a change, and everything for a new or removed record', async () => {
    const was = { id: 1, notes: 'a', tags: ['x'], version: 1 }
    await write(staff('owner'), null, was)
    await write({ kind: 'key', id: 9 }, was, { ...was, notes: 'b', tags: ['x'], version: 2 })
    await write({ kind: 'guest' }, was, null)
    await write({ kind: 'service' }, was, { ...was, tags: ['x', 'y'] })
    const trail = await book.act(({ db }) => activityOfRecord(db, book.venue.id, 'reservation', 1))
    assert.deepEqual(
      trail
        .toReversed()
        .map(({ actor_kind, actor_id, before, after }) => [actor_kind, actor_id, before, after]),
      [
        ['staff', 7, null, was],
        ['key', 9, { notes: 'a' }, { notes: 'b' }],
        ['guest', null, was, null],
        ['service', null, { tags: ['x'] }, { tags: ['x', 'y'] }],
      ],
    )
  })

  it('is read a page at a time, newest first, and never across venues', async () => {
    const first = await book.act(({ db }) => newestActivity(db, book.venue.id, { limit: 3, before: null }))
    const last = first.at(-1)?.id ?? null
    const rest = await book.act(({ db }) => newestActivity(db, book.venue.id, { limit: 3, before: last }))
    assert.deepEqual([first.length, rest.length], [3, 1])
    const other = await openBook(service)
    assert.deepEqual(
      await other.act(({ db }) => newestActivity(db, other.venue.id, { limit: 3, before: null })),
      [],
    )
  })

  it('is rolled back with the change it records', async () => {
    await assert.rejects(
      book.act(async (work) => {
        const change = {
          action: 'edit',
          record: { kind: 'reservation', id: 2 },
          before: null,
          after: {},
        } as const
        await recordActivity(work, staff('host'), change, work.now())
        throw new Error('no')
      }),
    )
    const trail = await book.act(({ db }) => activityOfRecord(db, book.venue.id, 'reservation', 2))
    assert.deepEqual(trail, [])
  })
})
