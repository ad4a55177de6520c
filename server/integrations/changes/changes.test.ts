import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { crc32 } from 'node:zlib'
import { kinds, recordKinds } from '@venue-data/contract/kinds.ts'
import { makeDemo } from '../../demo/make-demo.ts'
import { erasePerson } from '../../data/erasure/erase.ts'
import { mergeGuests, undoMerge } from '../../crm/guests/merge.ts'
import { type GuestChanges, editGuest } from '../../crm/guests/staff-edits.ts'
import { staffGuest } from '../../crm/guests/staff-reads.ts'
import { deleteReservation } from '../../book/reservations/delete-reservation.ts'
import { editReservation } from '../../book/reservations/edits/edits.ts'
import { type TestBook, openBook, staff } from '../../book/reservations/test/book.ts'
import { eventually } from '../../test/eventually.ts'
import { runOperator, settingsOf } from '../../test/processes/operator.ts'
import { becomeCopy } from '../../test/processes/restored-copy.ts'
import { rowsOf } from '../../test/rows.ts'
import { type TestService, startService } from '../../test/service.ts'
import { fillFeeds } from './fill.ts'
import { forgetGone } from './forget.ts'
import { type Item, readChanges, walkChanges } from './test/follow.ts'

describe('the feed of changes', () => {
  let service: TestService
  let book: TestBook
  const manager = staff('manager')
  const owner = staff('owner')
  const at = (moment: string) => service.setClock(moment)
  const askWith = (key: string) => (query: string) => service.call('GET', `/api/v1/changes?${query}`, { key })
  const ask = (query: string) => askWith(book.venue.key)(query)
  const post = async (path: string, body: object, headers: Record<string, string> = {}) => {
    const answer = await service.call('POST', `/api/v1/${path}`, { key: book.venue.key, body, headers })
    assert.ok(answer.status < 300, answer.text)
    return answer.body
  }
  const guest = async (name: string, more: object = {}): Promise<number> =>
    (await post('guests', { name, email: `${name.toLowerCase()}@example.com`, ...more })).guest.id
  const request = (time = '19:00') =>
    service.call('POST', '/api/v1/reservations', {
      key: book.venue.key,
      body: { guestName: 'Maya', partySize: 2, date: '2026-10-08', time },
    })
  const editOf = async (id: number, changes: GuestChanges) => {
    const row = await staffGuest(service.db, book.venue.id, id)
    assert.ok(row)
    return book.act((work) => editGuest(work, manager, { id, seenVersion: row.version, changes }))
  }
  const told = (items: readonly Item[]) =>
    items.map(({ kind, id, change, revision }) => `${kind} ${id} ${change} ${revision}`)
  const latest = async () => (await readChanges(ask, 'after=latest')).next
  const since = (cursor: string) => readChanges(ask, `after=${cursor}`)

  before(async () => {
    service = await startService()
  })
  after(() => service.stop())
  const fresh = async () => {
    at('2026-10-06T10:00:00Z')
    book = await openBook(service)
  }

  it('a first copy has every record of the demo exactly once, as its list shows it', async () => {
    at('2026-10-06T19:00:00Z')
    const demo = await makeDemo(service.context, { scale: 0.05 })
    const key = demo.keys.readWrite
    const { items, pages } = await walkChanges(askWith(key), undefined, 'limit=1000')
    assert.ok(pages > 1)
    assert.equal(new Set(items.map(({ kind, id }) => `${kind} ${id}`)).size, items.length)
    for (const kind of recordKinds) {
      const [{ n } = { n: 0 }] = await rowsOf<{ n: number }>(
        service,
        `select count(*)::int as n from ${kind === 'visit' ? 'reservation' : kind} where venue_id = $1`,
        [demo.venue.id],
      )
      const some = items.filter((item) => item.kind === kind)
      assert.ok(n > 0)
      assert.equal(some.length, n, kind)
      assert.ok(some.every(({ change, data, id }) => change === 'created' && data?.id === id))
      const list = await service.call('GET', `${kinds[kind].path}?limit=100`, { key })
      for (const record of list.body) {
        assert.deepEqual(some.find(({ id }) => id === record.id)?.data, record)
      }
    }
    const again = await walkChanges(askWith(key), undefined, 'limit=1000')
    assert.deepEqual(again.items, items)
  })

  it('a new record appears as created, and a replay of its request adds nothing', async () => {
    await fresh()
    const { next } = await walkChanges(ask)
    const body = { name: 'Ada', email: 'ada@example.com' }
    const headers = { 'idempotency-key': 'one' }
    const id = (await post('guests', body, headers)).guest.id
    await post('guests', body, headers)
    const page = await since(next)
    assert.deepEqual(told(page.items), [`guest ${id} created 1`])
    assert.equal(page.more, false)
    const [item] = page.items
    assert.deepEqual(Object.keys(item ?? {}), ['kind', 'id', 'change', 'revision', 'at', 'data'])
    assert.equal(item?.at, '2026-10-06T10:00:00.000Z')
    const empty = await since(page.next)
    assert.deepEqual([empty.items, empty.next, empty.more], [[], page.next, false])
  })

  it('a staff edit of the time appears as updated', async () => {
    await fresh()
    const { id } = (await request()).body.reservation
    const { next } = await walkChanges(ask)
    const { version } = await book.row(id)
    const changes = { when: book.when('2026-10-09', '20:00') }
    await book.act((work) => editReservation(work, manager, { id, seenVersion: version, changes }))
    const { items } = await since(next)
    assert.deepEqual(told(items), [`reservation ${id} updated 2`])
    assert.equal(items[0]?.data?.['time'], '20:00')
  })

  it('a deleted booking appears as deleted, without data', async () => {
    await fresh()
    const { id } = (await request()).body.reservation
    const { next } = await walkChanges(ask)
    await book.act((work) => deleteReservation(work, manager, id))
    const { items } = await since(next)
    assert.deepEqual(told(items), [`reservation ${id} deleted 2`])
    assert.equal(items[0]?.data, null)
  })

  it('after a merge one guest appears as merged, with its target, and the other as updated; after an undo the first returns', async () => {
    await fresh()
    const low = await guest('Ada')
    const high = (await post('guests', { name: 'Ada', phone: '212 555 0100' })).guest.id
    const { next } = await walkChanges(ask)
    const [one, other] = await Promise.all([low, high].map((id) => staffGuest(service.db, book.venue.id, id)))
    const merged = await book.act((work) =>
      mergeGuests(
        work,
        manager,
        { id: low, seenVersion: one?.version ?? 0 },
        { id: high, seenVersion: other?.version ?? 0 },
      ),
    )
    const page = await since(next)
    const gone = page.items.find(({ change }) => change === 'merged')
    const kept = page.items.find(({ change }) => change === 'updated')
    assert.ok(gone && kept)
    assert.equal(page.items.length, 2)
    assert.equal(gone.mergedInto, kept.id)
    assert.equal(gone.data, null)
    assert.equal(kept.data?.id, kept.id)
    await book.act((work) => undoMerge(work, manager, merged.merge))
    const back = (await since(page.next)).items.find(({ id }) => id === gone.id)
    assert.equal(back?.change, 'updated')
    assert.equal(back?.data?.id, gone.id)
    assert.equal('mergedInto' in (back ?? {}), false)
  })

  it('an erasure appears as erased for each record, and the whole feed has no trace of the person', async () => {
    await fresh()
    const name = 'Zephyrine Quillfeather'
    const email = 'zephyrine@example.com'
    const phone = '+1 917 555 0142'
    const table = { partySize: 2, date: '2026-10-08', time: '19:00' }
    await post('reservations', { guestName: name, email, phone, notes: `For ${name}`, ...table })
    await post('leads', { name, email, phone })
    await post('subscribers', { email, consent: { source: 'Form' } })
    const { next } = await walkChanges(ask)
    await book.act((work) => erasePerson(work, owner, { guestId: null, email, phone, name }))
    const { items } = await since(next)
    assert.deepEqual(items.map(({ kind, change }) => `${kind} ${change}`).toSorted(), [
      'guest erased',
      'lead erased',
      'reservation erased',
      'subscriber erased',
    ])
    for (const { kind, data } of items) assert.equal(data === null, kind === 'subscriber', kind)
    const walk = JSON.stringify((await walkChanges(ask)).items)
    for (const trace of [/zephyrine/i, /quillfeather/i, /555.?0142/]) assert.doesNotMatch(walk, trace)
  })

  it('a refused booking leaves nothing', async () => {
    await fresh()
    const cursor = await latest()
    assert.equal((await request('11:00')).status, 409)
    const { items, next } = await since(cursor)
    assert.deepEqual([items, next], [[], cursor])
  })

  it('an invalid cursor is 400; another venue’s is 410, not taken for an old one, and shows nothing', async () => {
    await fresh()
    await guest('Ada')
    const own = (await walkChanges(ask)).next
    for (const bad of ['', 'c1_', 'x', own.slice(0, -1), `${own}A`, own.replace('c1_', 'c9_'), '0']) {
      assert.equal((await ask(`after=${bad}`)).status, 400, bad)
    }
    assert.equal((await ask(`after=${own}&after=${own}`)).status, 400)
    await fresh()
    await guest('Otto')
    const answer = await ask(`after=${own}`)
    assert.equal(answer.status, 410)
    assert.deepEqual(answer.body, {
      error:
        'This cursor belongs to another venue than this key. Nothing was read. Use the key of the venue whose copy this is, or start a new copy for this venue.',
      reason: 'cursor-of-another-venue',
    })
  })

  it('a cursor of the release before, which did not say whose it is, is continued', async () => {
    await fresh()
    await guest('Ada')
    const written = Buffer.from((await latest()).slice('c1_'.length), 'base64url')
    const before = Buffer.concat([written.subarray(0, 10), Buffer.alloc(2)])
    before.writeUInt16BE(crc32(before.subarray(0, -2)) & 0xff_ff, 10)
    const id = await guest('Otto')
    const { items } = await since(`c1_${before.toString('base64url')}`)
    assert.deepEqual(told(items), [`guest ${id} created 1`])
  })

  it('after latest, exactly the next writes appear', async () => {
    await fresh()
    await guest('Ada')
    const first = await readChanges(ask, 'after=latest')
    assert.deepEqual([first.items, first.more], [[], false])
    const id = await guest('Otto')
    assert.deepEqual(told((await since(first.next)).items), [`guest ${id} created 1`])
  })

  it('a rare kind is at the head in one call, however much there is of others', async () => {
    await fresh()
    const task = (await post('tasks', { title: 'Call the florist' })).task.id
    await latest()
    await rowsOf(
      service,
      `insert into record_change (venue_id, kind, record_id, op, gone, revision, changed_at, made_seq, seq)
       select $1, 'guest', 1000000 + n, 'upsert', false, 1, now(), 10 + n, 10 + n from generate_series(1, 3000) n`,
      [book.venue.id],
    )
    await rowsOf(service, 'update change_head set seq = 3010 where venue_id = $1', [book.venue.id])
    const page = await readChanges(ask, 'kinds=task&limit=1')
    assert.deepEqual([told(page.items), page.more], [[`task ${task} created 1`], false])
    assert.deepEqual([(await since(page.next)).items, await latest()], [[], page.next])
  })

  it('deletions are forgotten after 45 days; an older cursor is 410, a first copy fine', async () => {
    await fresh()
    const { id } = (await request()).body.reservation
    const ada = await guest('Ada')
    const before = (await walkChanges(ask)).next
    await book.act((work) => deleteReservation(work, manager, id))
    at('2026-11-20T09:59:59.999Z')
    await forgetGone(service.context)
    assert.deepEqual(told((await since(before)).items), [`reservation ${id} deleted 2`])
    const after = await latest()
    const copy = await readChanges(ask, 'limit=1')
    at('2026-11-20T10:00:00.001Z')
    await forgetGone(service.context)
    assert.equal((await ask(`after=${before}`)).body.reason, 'cursor-expired')
    assert.deepEqual((await since(after)).items, [])
    assert.deepEqual(told((await walkChanges(ask)).items), [`guest ${ada} created 1`])
    assert.deepEqual(copy.items.length, 1)
  })

  it('an unread deletion gets its number before it is forgotten, so that an old cursor is not accepted', async () => {
    await fresh()
    const { id } = (await request()).body.reservation
    const before = (await walkChanges(ask)).next
    await book.act((work) => deleteReservation(work, manager, id))
    at('2026-11-21T10:00:00Z')
    await forgetGone(service.context)
    assert.equal((await ask(`after=${before}`)).status, 410)
  })

  it('a first copy in progress ends with 410 only if it may have sent something since forgotten', async () => {
    await fresh()
    const ids = [await guest('Ada'), await guest('Otto'), await guest('Ines')]
    const { id } = (await request()).body.reservation
    await latest()
    await book.act((work) => deleteReservation(work, manager, id))
    at('2026-11-21T10:00:00Z')
    const early = await readChanges(ask, 'limit=1')
    await forgetGone(service.context)
    assert.equal((await ask(`after=${early.next}`)).status, 410)
    const begun = await readChanges(ask, 'limit=1')
    assert.equal(begun.more, true)
    assert.equal((await walkChanges(ask, begun.next)).items.length, ids.length - 1)
  })

  it('a key from before scopes never gets tasks, and gets 403 when it asks for them; nor campaigns', async () => {
    await fresh()
    await post('tasks', { title: 'Call the florist' })
    await post('campaigns', { name: 'Thanks', subject: 'Hello', bodyHtml: '<p>Hello</p>' })
    const ada = await guest('Ada')
    const { key, id } = await book.venue.makeKey('read')
    await rowsOf(service, 'update api_key set scopes = null where id = $1', [id])
    const refused = await askWith(key)('kinds=guest,task')
    assert.equal(refused.status, 403)
    assert.deepEqual(refused.body, {
      error: 'This key may not read tasks; its owner can allow it.',
      reason: 'scope-missing',
    })
    assert.match((await askWith(key)('kinds=campaign')).body.error, /may not read campaigns;/)
    assert.deepEqual(told((await walkChanges(askWith(key))).items), [`guest ${ada} created 1`])
    const since = await book.venue.makeKey('read')
    const kindsOfIt = (await walkChanges(askWith(since.key))).items.map(({ kind }) => kind)
    assert.deepEqual(kindsOfIt.toSorted(), ['guest', 'task'])
  })

  it('a staff note is not a change', async () => {
    await fresh()
    const id = await guest('Ada')
    const shown = async () =>
      (await service.call('GET', `/api/v1/guests/${id}`, { key: book.venue.key })).body
    const before = await shown()
    const cursor = await latest()
    at('2026-10-06T11:00:00Z')
    await editOf(id, { staffNotes: 'A regular.', allergies: 'nuts' })
    // Conflicting details from another integrator go into the notes, too.
    await guest('Ada', { phone: '212 555 0100' })
    assert.equal((await since(cursor)).items.length, 1)
    at('2026-10-06T12:00:00Z')
    const filled = await shown()
    await guest('Ada', { phone: '212 555 0199' })
    assert.deepEqual(await shown(), filled)
    assert.deepEqual({ ...filled, ...before }, before)
  })

  it('thousands of simultaneous changes all appear; writers do not wait for the reader that numbers them', async () => {
    await fresh()
    const cursor = await latest()
    await rowsOf(
      service,
      `insert into guest (venue_id, name, created_at, updated_at)
       select $1, 'Guest ' || n, now(), now() from generate_series(1, 2500) n`,
      [book.venue.id],
    )
    await rowsOf(
      service,
      `insert into record_change (venue_id, kind, record_id, op, gone, revision, changed_at)
       select venue_id, 'guest', id, 'upsert', false, 1, created_at from guest where venue_id = $1`,
      [book.venue.id],
    )
    // The numbering transaction locks the head for as long as this test wants.
    await service.db.session(async (client) => {
      await client.query('begin')
      await client.query('select seq from change_head where venue_id = $1 for update', [book.venue.id])
      assert.equal((await request()).status, 201)
      await client.query('rollback')
    })
    const { items } = await walkChanges(ask, cursor, 'limit=1000')
    assert.equal(new Set(items.filter(({ kind }) => kind === 'guest').map(({ id }) => id)).size, 2500)
    assert.equal(items.length, 2501)
  })

  it('a page has at most 1,000 changes, even with a higher limit; 100 by default', async () => {
    await fresh()
    await rowsOf(
      service,
      `insert into record_change (venue_id, kind, record_id, op, gone, revision, changed_at)
       select $1, 'guest', n, 'deleted', true, 2, now() from generate_series(1, 1100) n`,
      [book.venue.id],
    )
    const cursor = (await walkChanges(ask)).next
    await rowsOf(service, 'update record_change set seq = null where venue_id = $1', [book.venue.id])
    for (const [query, most] of [
      ['limit=5000', 1000],
      ['', 100],
      ['limit=7', 7],
    ] as const) {
      const page = await readChanges(ask, `after=${cursor}&${query}`)
      assert.deepEqual([page.items.length, page.more], [most, true], query)
    }
  })

  it('records created and deleted before a first copy never appear; those deleted during it appear as deleted', async () => {
    await fresh()
    const early = (await request()).body.reservation.id
    await book.act((work) => deleteReservation(work, manager, early))
    const first = (await request()).body.reservation.id
    const second = (await request()).body.reservation.id
    const page = await readChanges(ask, 'limit=1')
    assert.deepEqual(told(page.items), [`reservation ${first} created 1`])
    await book.act((work) => deleteReservation(work, manager, first))
    await book.act((work) => deleteReservation(work, manager, second))
    const rest = await walkChanges(ask, page.next, 'limit=1')
    assert.deepEqual(told(rest.items), [`reservation ${first} deleted 2`])
  })

  it('shows only ids with data=none, and only the requested kinds', async () => {
    await fresh()
    const id = await guest('Ada')
    const task = (await post('tasks', { title: 'Call' })).task.id
    const { items } = await readChanges(ask, 'data=none')
    assert.deepEqual(
      items.map(({ kind, id, data }) => [kind, id, data]),
      [
        ['guest', id, null],
        ['task', task, null],
      ],
    )
    assert.deepEqual(told((await readChanges(ask, 'kinds=task')).items), [`task ${task} created 1`])
  })

  it('says in each answer which kinds it covers: those requested, or all that the key may read at that time', async () => {
    await fresh()
    const { id, key } = await book.venue.makeKey('read', 'api', { scopes: ['guests:read', 'tasks:read'] })
    const kinds = async (query: string) =>
      (await service.call('GET', `/api/v1/changes?${query}`, { key })).body.kinds
    for (const after of ['', '&after=latest']) {
      assert.deepEqual(await kinds(`limit=1${after}`), ['guest', 'task'])
      assert.deepEqual(await kinds(`kinds=task${after}`), ['task'])
    }
    await rowsOf(service, `update api_key set scopes = '{tasks:read,leads:read}' where id = $1`, [id])
    assert.deepEqual(await kinds('limit=1'), ['lead', 'task'])
  })

  it('an unreadable parameter is 400', async () => {
    await fresh()
    for (const query of [
      'kinds=',
      'kinds=guests',
      'kinds=guest,guest',
      'kinds=guest,',
      'kinds=guest&kinds=task',
      'limit=0',
      'limit=x',
      'wait=26',
      'wait=-1',
      'wait=',
      'wait=1.5',
      'data=some',
      'data=',
    ]) {
      assert.equal((await ask(query)).status, 400, query)
    }
    assert.equal((await ask('wait=0&data=full&limit=9999999999&other=1')).status, 200)
  })

  it('a feed that is not filled yet is 503, and lists have no cursor in the meantime', async () => {
    await fresh()
    const id = await guest('Ada')
    await rowsOf(service, 'delete from record_change where venue_id = $1', [book.venue.id])
    await rowsOf(service, 'update change_head set filled_at = null where venue_id = $1', [book.venue.id])
    const answer = await ask('')
    assert.equal(answer.status, 503)
    assert.equal(answer.headers.get('retry-after'), '10')
    assert.equal((await ask('after=latest')).status, 503)
    const list = () => service.call('GET', '/api/v1/guests', { key: book.venue.key })
    assert.equal((await list()).headers.get('x-changes-cursor'), null)

    assert.deepEqual(await fillFeeds(service.context), [{ slug: book.venue.slug, records: 1 }])
    assert.deepEqual(await fillFeeds(service.context), [])
    const [{ behind } = { behind: -1 }] = await rowsOf<{ behind: number }>(
      service,
      'select count(*)::int as behind from record_change where venue_id = $1 and seq is null',
      [book.venue.id],
    )
    assert.equal(behind, 0, 'nobody who reads has to number all of them')
    assert.deepEqual(told((await walkChanges(ask)).items), [`guest ${id} created 1`])
    assert.match((await list()).headers.get('x-changes-cursor') ?? '', /^c1_/)
  })

  it('a venue created by a process of the previous release gets its feed when feeds are filled', async () => {
    await fresh()
    await rowsOf(service, 'delete from change_head where venue_id = $1', [book.venue.id])
    assert.equal((await ask('')).status, 503)
    await fillFeeds(service.context)
    assert.equal((await ask('')).status, 200)
  })

  it('the cursor of a list is from before its rows: later changes come after it', async () => {
    await fresh()
    const ada = await guest('Ada')
    await latest()
    const { headers, body } = await service.call('GET', '/api/v1/guests', { key: book.venue.key })
    assert.equal(body.length, 1)
    const cursor = headers.get('x-changes-cursor') as string
    assert.deepEqual((await since(cursor)).items, [])
    await editOf(ada, { name: 'Ada Lovelace' })
    assert.deepEqual(told((await since(cursor)).items), [`guest ${ada} updated 2`])
    const { headers: others } = await service.call('GET', '/api/v1/webhooks', { key: book.venue.key })
    assert.equal(others.get('x-changes-cursor'), null)
  })

  it('the operator’s commands fill feeds and have all of them read from the beginning', async () => {
    await fresh()
    await guest('Ada')
    const cursor = await latest()
    await rowsOf(service, 'update change_head set filled_at = null where venue_id = $1', [book.venue.id])
    const run = async (command: string) => {
      const { code, stdout, stderr } = await runOperator(['feed', command, '--json'], settingsOf(service))
      assert.equal(code, 0, stderr)
      return JSON.parse(stdout)
    }
    assert.deepEqual(await run('fill'), { venues: [{ slug: book.venue.slug, records: 1 }] })
    assert.equal((await ask(`after=${cursor}`)).status, 200)
    assert.ok((await run('renew')).venues > 0)
    assert.equal((await ask(`after=${cursor}`)).body.reason, 'cursor-expired')
  })

  it('a copy of the database starts a new epoch once it is recognized as one', async () => {
    await fresh()
    await guest('Ada')
    const cursor = await latest()
    await service.context.hold.look()
    assert.equal((await ask(`after=${cursor}`)).status, 200)
    await becomeCopy(service)
    assert.equal((await ask(`after=${cursor}`)).body.reason, 'cursor-expired')
    const again = await latest()
    await service.context.hold.look()
    assert.equal((await ask(`after=${again}`)).status, 200)
  })

  it('a record locked by a writer is numbered later, and no reader misses it', async () => {
    await fresh()
    const ada = await guest('Ada')
    const otto = await guest('Otto')
    const cursor = await service.db.session(async (client) => {
      await client.query('begin')
      await client.query(`select from record_change where venue_id = $1 and record_id = $2 for update`, [
        book.venue.id,
        ada,
      ])
      const page = await walkChanges(ask)
      assert.deepEqual(told(page.items), [`guest ${otto} created 1`])
      await client.query('commit')
      return page.next
    })
    assert.deepEqual(told((await since(cursor)).items), [`guest ${ada} created 1`])
  })

  it('changes that another reader numbers in the meantime are on the page', async () => {
    await fresh()
    const ada = await guest('Ada')
    const { venue } = book
    const page = await service.db.session(async (client) => {
      await client.query('begin')
      await client.query('select from change_head where venue_id = $1 for update', [venue.id])
      const reading = readChanges(ask)
      // It has checked, and is about to number what it saw.
      await eventually(async () => {
        const waiting = await rowsOf(
          service,
          `select 1 from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock' and query like '%change_head%'`,
        )
        return waiting.length > 0
      })
      await client.query('update record_change set seq = 1, made_seq = 1 where venue_id = $1', [venue.id])
      await client.query('update change_head set seq = 1 where venue_id = $1', [venue.id])
      await client.query('commit')
      return reading
    })
    assert.deepEqual(told(page.items), [`guest ${ada} created 1`])
  })
})
