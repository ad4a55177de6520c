import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { fileCursor } from '../src/cursor-file.ts'
import { type CursorStore, VenueData, memoryCursor } from '../src/venue-data.ts'
import { virtualRuntime } from './virtual-runtime.ts'

const item = (id: number) => ({ kind: 'task', id, change: 'updated', revision: 1, data: { id } })

/** A venue whose changes are these pages, and then none. */
const venueOf = (...pages: (readonly number[] | number)[]) => {
  const asked: string[] = []
  const controller = new AbortController()
  const ask = (async (url: string) => {
    asked.push(new URL(url).search)
    const page = pages[asked.length - 1] ?? []
    if (typeof page === 'number') return Response.json({ error: 'Not now.' }, { status: page })
    if (asked.length > pages.length) controller.abort(new Error('over'))
    const body = { changes: page.map(item), next: `c${asked.length}`, more: asked.length < pages.length }
    return Response.json(body)
  }) as typeof fetch
  const runtime = virtualRuntime(undefined, ask)
  const venue = new VenueData({ key: 'k', baseUrl: 'http://venue.test', fetch: runtime.fetch, runtime })
  return { venue, asked, waits: runtime.waits, signal: controller.signal }
}

describe('following the changes', () => {
  it('keeps the cursor once what came before it was handled', async () => {
    const { venue } = venueOf([1, 2], [3])
    const store = memoryCursor()
    const kept: unknown[] = []
    for await (const { id } of venue.changes({ store, live: false })) kept.push([id, await store.load()])
    assert.deepEqual(kept, [
      [1, undefined],
      [2, undefined],
      [3, 'c1'],
    ])
    assert.equal(await store.load(), 'c2')
  })

  it('repeats no more than the page that was under way', async () => {
    const { venue } = venueOf([1, 2], [3, 4])
    const store = memoryCursor()
    for await (const { id } of venue.changes({ store, live: false })) if (id === 3) break
    assert.equal(await store.load(), 'c1')
  })

  it('goes on from the store, or from the cursor that is given', async () => {
    const { venue, asked } = venueOf([], [])
    for await (const _ of venue.changes({ store: memoryCursor('c7'), live: false, kinds: ['task', 'lead'] }));
    for await (const _ of venue.changes({ store: memoryCursor('c7'), after: 'c9', live: false }));
    assert.match(asked[0] ?? '', /kinds=task%2Clead&after=c7/)
    assert.match(asked.at(-1) ?? '', /after=c9|after=c2/)
  })

  it('begins with the latest only while nothing is stored', async () => {
    const { venue, asked } = venueOf([1], [2])
    const store = memoryCursor()
    for (let start = 0; start < 2; start++) {
      for await (const _ of venue.changes({ store, after: 'latest', live: false }));
    }
    assert.match(asked[0] ?? '', /after=latest/)
    assert.match(asked.at(-1) ?? '', /after=c2/)
  })

  it('reports where it is', async () => {
    const { venue } = venueOf([1], [2])
    const feed = venue.changes({ live: false })
    for await (const page of feed.pages()) assert.notEqual(feed.cursor, page.next)
    assert.equal(feed.cursor, 'c2')
  })

  it('waits at the end, and waits out an outage, however long, but never over five seconds at a time', async () => {
    const { venue, asked, waits, signal } = venueOf([1], ...Array.from({ length: 20 }, () => 503), [2])
    const ids: number[] = []
    await assert.rejects(async () => {
      for await (const { id } of venue.changes({ signal })) ids.push(id)
    }, /over/)
    assert.deepEqual(ids, [1, 2])
    assert.match(asked[0] ?? '', /wait=20/)
    assert.equal(Math.max(...waits.slice(0, 20)), 3_750, 'five seconds, less the share of chance')
  })

  it('does not ask without a pause when an empty answer is not held', async () => {
    const { venue, waits, signal } = venueOf([])
    await assert.rejects(async () => {
      for await (const _ of venue.changes({ signal }));
    }, /over/)
    assert.deepEqual(waits[0], 2_000)
  })
})

describe('a cursor in a file', () => {
  it('is there after a restart, whole, and can be taken away', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'venue-data-cursor-'))
    try {
      const path = join(folder, 'changes.cursor')
      const store: CursorStore = fileCursor(path)
      assert.equal(await store.load(), undefined)
      await store.save('c1_a')
      await store.save('c1_b')
      assert.equal(await fileCursor(path).load(), 'c1_b')
      assert.equal(await readFile(path, 'utf8'), 'c1_b\n')
      await store.save(undefined)
      await store.save(undefined)
      assert.equal(await store.load(), undefined)
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  it('that cannot be read is an error, not a beginning', async () => {
    await assert.rejects(fileCursor(tmpdir()).load(), /EISDIR/)
  })
})
