import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Endpoint } from '@venue-data/contract/webhooks/endpoint.ts'
import { endpoints } from '@venue-data/contract/endpoints.ts'
import { type RecordKind, kinds } from '@venue-data/contract/kinds.ts'
import { limits } from '@venue-data/contract/limits.ts'
import { editGuest } from '../../../crm/guests/staff-edits.ts'
import { mergeGuests } from '../../../crm/guests/merge.ts'
import { deleteLead } from '../../../crm/leads/edit.ts'
import { moveReservation } from '../../../book/reservations/moves.ts'
import { type Desk, openDesk, staffOf } from '../../../test/desk.ts'
import { makers } from '../../../test/every-door/makers.ts'
import { sampleBodyAt } from '../../../test/every-door/samples.ts'
import { everyEvening, setRules } from '../../../test/open-rules.ts'
import { rowsOf } from '../../../test/rows.ts'
import { type TestService, startService, withEveryScope } from '../../../test/service.ts'
import { send } from '../../../test/wire.ts'

type Row = Endpoint & { readonly kind: RecordKind }
const rows = Object.values<Endpoint>(endpoints).filter(
  (row): row is Row => row.kind !== undefined && row.method === 'GET',
)

describe('single records', () => {
  let service: TestService
  let desk: Desk
  let key: string
  const manager = staffOf('manager')
  const get = (path: string, headers: Record<string, string> = {}, as = key) =>
    send(service.url, {
      method: 'GET',
      path: `/api/v1${path}`,
      headers: { 'x-service-key': as, ...headers },
    })
  const post = async (path: string, body: object) => {
    const answer = await service.call('POST', `/api/v1${path}`, { key: desk.venue.key, body })
    assert.ok(answer.status < 300, answer.text)
    return answer.body
  }
  const listed = async (path: string): Promise<{ id: number }[]> => JSON.parse((await get(path)).text)
  const bodyOf = ({ text }: { text: string }) => JSON.parse(text) as Record<string, unknown>

  before(async () => {
    service = await startService()
    desk = await openDesk(service)
    ;({ key } = await withEveryScope(desk.venue))
    await setRules(service, desk.venue, everyEvening())
    const moment = service.context.clock().toString()
    for (const { path } of Object.values(kinds)) {
      const isMadeByCall = Object.values<Endpoint>(endpoints).some(
        (row) => row.method === 'POST' && row.path === path && !row.namesRecord,
      )
      if (isMadeByCall) await post(path.replace('/api/v1', ''), sampleBodyAt(path))
      else await rowsOf(service, makers[path] ?? '', [desk.venue.id, moment])
    }
  })
  after(() => service.stop())

  const pathOf = ({ kind }: Row): string => kinds[kind].path.replace('/api/v1', '')
  const rowOf = (kind: RecordKind): Row => rows.find((row) => row.kind === kind) as Row
  const one = async (row: Row): Promise<string> => {
    const [first] = await listed(pathOf(row))
    assert.ok(first, `fill ${row.path} for this test`)
    return `${pathOf(row)}/${first.id}`
  }

  it('GET of one equals the element of its list', async () => {
    for (const row of rows) {
      const [element] = await listed(pathOf(row))
      assert.deepEqual(bodyOf(await get(await one(row))), element, row.path)
    }
  })

  it('If-None-Match with the tag, weak or not, or with any, is 304 without a body; after a change it is 200', async () => {
    for (const row of rows) {
      const path = await one(row)
      const read = await get(path)
      const tag = String(read.headers.etag)
      assert.match(tag, /^"\d+\.[\w-]{4}"$/)
      for (const sent of [tag, `W/${tag}`, '*']) {
        const same = await get(path, { 'if-none-match': sent })
        assert.deepEqual([same.status, same.text, same.headers.etag], [304, '', tag], row.path)
        assert.equal(same.headers['cache-control'], 'no-store')
        assert.ok(same.headers['ratelimit-remaining'])
        assert.equal(same.headers['content-type'], undefined)
      }
      assert.equal((await get(path, { 'if-none-match': '"x"' })).status, 200)
    }
    const { guest } = await post('/guests', { email: 'maya@example.com' })
    const path = `/guests/${guest.id}`
    const tag = String((await get(path)).headers.etag)
    await post('/guests', { email: 'maya@example.com', phone: '212 555 0147' })
    const changed = await get(path, { 'if-none-match': tag })
    assert.deepEqual([changed.status, bodyOf(changed)['phone']], [200, '212 555 0147'])
    assert.notEqual(changed.headers.etag, tag)
  })

  it('a staff note does not change the tag, a counted visit does', async () => {
    const { guest } = await post('/guests', { name: 'Ada', email: 'ada@example.com' })
    const path = `/guests/${guest.id}`
    const tag = (await get(path)).headers.etag
    await desk.act((work) =>
      editGuest(work, manager, { id: guest.id, seenVersion: 1, changes: { staffNotes: 'Window.' } }),
    )
    assert.equal((await get(path)).headers.etag, tag)
    const made = await post('/reservations', {
      guestName: 'Ada',
      email: 'ada@example.com',
      partySize: 2,
      date: '2026-10-06',
      time: '18:00',
    })
    const { id } = made.reservation
    for (const move of ['confirm', 'seat'] as const) {
      await desk.act((work) => moveReservation(work, manager, { id, move }))
    }
    const visited = await get(path)
    assert.equal(bodyOf(visited)['visitCount'], 1)
    assert.notEqual(visited.headers.etag, tag)
  })

  it('a deleted record is 410 while the deletion is remembered, then 404', async () => {
    const { lead } = await post('/leads', { name: 'Ben' })
    await desk.act((work) => deleteLead(work, manager, { id: lead.id, seenVersion: 1 }))
    const gone = await get(`/leads/${lead.id}`)
    assert.equal(gone.status, 410)
    assert.deepEqual(bodyOf(gone), { error: 'This lead was deleted.', reason: 'deleted' })
    assert.equal(gone.headers.etag, undefined)
    const now = service.context.clock()
    service.setClock(now.add({ hours: 24 * (limits.tombstoneDays + 1) }).toString())
    assert.equal((await get(`/leads/${lead.id}`)).status, 404)
    service.setClock(now.toString())
  })

  it('a guest who was merged is 410 and names the other, who can be read', async () => {
    const kept = (await post('/guests', { name: 'Ines', email: 'ines@example.com' })).guest
    const other = (await post('/guests', { name: 'Ines', email: 'ines@work.example.com' })).guest
    await desk.act((work) =>
      mergeGuests(work, manager, { id: kept.id, seenVersion: 1 }, { id: other.id, seenVersion: 1 }),
    )
    const gone = await get(`/guests/${other.id}`)
    assert.equal(gone.status, 410)
    assert.deepEqual(bodyOf(gone), {
      error: 'This guest was merged into another.',
      reason: 'merged',
      mergedInto: kept.id,
    })
    assert.equal((await get(`/guests/${kept.id}`)).status, 200)
  })

  it("another venue's record gets, word for word, the answer of one that does not exist, even after it is deleted", async () => {
    const { key: other } = await withEveryScope(await service.venue())
    const ids = await Promise.all(rows.map(one))
    const [gone] = await desk.query<{ id: number }>(
      `select record_id as id from record_change where venue_id = $1 and kind = 'lead' and gone`,
      [desk.venue.id],
    )
    for (const path of [...ids, `/leads/${gone?.id}`]) {
      const theirs = await get(path, {}, other)
      assert.equal(theirs.status, 404, path)
      assert.equal(theirs.text, (await get(path.replace(/\d+$/, '987654321'), {}, other)).text)
    }
  })

  it('several tags, blanks, and a kilobyte of tags', async () => {
    const path = await one(rows[0] as Row)
    const tag = String((await get(path)).headers.etag)
    const many = Array.from({ length: 100 }, (_, i) => `"${i}.none"`).join(',')
    for (const [sent, status] of [
      [`"1.none", ${tag}`, 304],
      [`  W/"2.none" ,\t${tag}  `, 304],
      [`${many},${tag}`, 304],
      [many, 200],
      ['', 200],
      ['   ', 200],
      ['garbage', 200],
      [tag.slice(1, -1), 200],
    ] as const) {
      assert.equal((await get(path, { 'if-none-match': sent })).status, status, sent)
    }
  })

  it('HEAD is 405', async () => {
    for (const row of rows) {
      const answer = await send(service.url, { method: 'HEAD', path: `/api/v1${await one(row)}` })
      assert.equal(answer.status, 405)
      assert.match(answer.headers.allow ?? '', /^GET\b/)
    }
  })

  it('other methods on words in place of ids stay 405', async () => {
    for (const method of ['PATCH', 'DELETE', 'POST', 'PUT']) {
      for (const path of ['/api/v1/reservations/find', '/api/v1/guests/find']) {
        const answer = await send(service.url, { method, path })
        assert.deepEqual([answer.status, answer.headers.allow], [405, 'GET'], `${method} ${path}`)
      }
    }
  })

  it('GET of what campaigns do is 405; an id of a webhook endpoint is judged after the key', async () => {
    for (const verb of ['compose', 'test', 'send', 'cancel']) {
      assert.equal((await get(`/campaigns/${verb}`)).status, 405)
    }
    const path = '/api/v1/webhooks/abc'
    assert.equal((await send(service.url, { method: 'DELETE', path })).status, 401)
    const headers = { 'x-service-key': desk.venue.key }
    assert.equal((await send(service.url, { method: 'DELETE', path, headers })).status, 404)
  })

  it('a read key from before scopes cannot read tasks, and no read key can read campaigns', async () => {
    const { key, id } = await desk.venue.makeKey('read')
    const statuses = async (): Promise<number[]> => {
      const paths = [
        '/tasks',
        await one(rowOf('task')),
        '/campaigns',
        await one(rowOf('campaign')),
        '/guests',
      ]
      return Promise.all(paths.map(async (path) => (await get(path, {}, key)).status))
    }
    assert.deepEqual(await statuses(), [200, 200, 403, 403, 200])
    await desk.query('update api_key set scopes = null where venue_id = $1 and id = $2', [desk.venue.id, id])
    assert.deepEqual(await statuses(), [403, 403, 403, 403, 200])
    assert.deepEqual(bodyOf(await get('/campaigns', {}, key)), {
      error: 'This key may not read campaigns; its owner can allow it.',
      reason: 'scope-missing',
    })
  })

  it('a malformed id is 404 before the key is checked', async () => {
    for (const id of ['007', 'abc', '0', '99999999999999999', '-1', '1.0', '1e3', '%31x', '１']) {
      for (const row of rows) {
        const path = `/api/v1${pathOf(row)}/${encodeURI(id).replace('%2531', '%31')}`
        const answer = await send(service.url, { method: 'GET', path })
        assert.equal(answer.status, 404, path)
        assert.equal(bodyOf(answer)['error'], 'There is nothing at this address.')
      }
    }
    assert.equal((await get('/guests/9007199254740993')).status, 404)
  })
})
