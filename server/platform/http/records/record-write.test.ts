import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { openDesk } from '../../../test/desk.ts'
import { rowsOf } from '../../../test/rows.ts'
import { type Answer, type TestService, type TestVenue, startService } from '../../../test/service.ts'

type Headers = Record<string, string>

describe('writes to one record', () => {
  let service: TestService
  let venue: TestVenue

  before(async () => {
    service = await startService()
    ;({ venue } = await openDesk(service))
  })
  after(() => service.stop())

  const call = (method: string, path: string, headers: Headers = {}, body?: unknown, key = venue.key) =>
    service.call(method, `/api/v1${path}`, { key, headers, ...(body !== undefined && { body }) })
  const patch = (id: number, body: unknown, headers: Headers = { 'if-match': '*' }, key = venue.key) =>
    call('PATCH', `/tasks/${id}`, headers, body, key)
  const made = async (title = 'Call Maya'): Promise<{ id: number; tag: string }> => {
    const { body } = await call('POST', '/tasks', {}, { title, due: '2026-10-08', client: 'Maya' })
    const read = await call('GET', `/tasks/${body.task.id}`)
    return { id: body.task.id, tag: tagOf(read) }
  }
  const tagOf = ({ headers }: Answer): string => headers.get('etag') as string
  const refusedWith = ({ status, body }: Answer, expected: number, reason?: string): void => {
    assert.equal(status, expected, JSON.stringify(body))
    assert.equal(body.reason, reason)
  }

  it('a change without If-Match is 428, and nothing is done', async () => {
    const { id, tag } = await made()
    refusedWith(await patch(id, { title: 'Call Ben' }, {}), 428, 'precondition-required')
    const now = await call('GET', `/tasks/${id}`)
    assert.deepEqual([now.body.title, tagOf(now)], ['Call Maya', tag])
  })

  it('the tag as it was read, weakened by a proxy, one of several, or *', async () => {
    const { id, tag } = await made()
    for (const header of [tag, '*', '"7.none", *']) {
      const { status } = await patch(id, { client: header }, { 'if-match': header })
      assert.equal(status, header.includes('none') ? 400 : 200, header)
    }
    const now = tagOf(await call('GET', `/tasks/${id}`))
    const answer = await patch(id, { title: 'Call Ben' }, { 'if-match': `"1.old", W/${now}` })
    assert.equal(answer.status, 200)
    assert.equal(answer.body.changed, true)
    assert.equal(tagOf(answer), tagOf(await call('GET', `/tasks/${id}`)))
  })

  it('an older tag is 412 with the current record and its tag, and nothing is done', async () => {
    const { id, tag } = await made()
    await patch(id, { title: 'Call Ben' })
    const late = await patch(id, { title: 'Call Ada' }, { 'if-match': tag })
    refusedWith(late, 412, 'changed-meanwhile')
    assert.equal(late.body.error, 'This task was changed meanwhile.')
    const now = await call('GET', `/tasks/${id}`)
    assert.deepEqual(late.body.current, now.body)
    assert.equal(tagOf(late), tagOf(now))
    assert.equal(now.body.title, 'Call Ben')
  })

  it('of twenty changes at once with one tag exactly one is done', async () => {
    const { id, tag } = await made()
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => patch(id, { title: `Call ${i}` }, { 'if-match': tag })),
    )
    const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b)
    assert.deepEqual(statuses, [200, ...Array.from({ length: 19 }, () => 412)])
  })

  it('a retry of a completed change gets the first answer, not 412', async () => {
    const { id, tag } = await made()
    const headers = { 'if-match': tag, 'idempotency-key': 'once' }
    const first = await patch(id, { title: 'Call Ben' }, headers)
    const again = await patch(id, { title: 'Call Ben' }, headers)
    assert.deepEqual([again.status, again.text, tagOf(again)], [200, first.text, tagOf(first)])
    assert.equal(again.headers.get('idempotent-replayed'), 'true')
    refusedWith(await patch(id, { title: 'Call Ada' }, headers), 409, 'different-body')
  })

  it('one Idempotency-Key used for two records is two keys', async () => {
    const [one, other] = [await made(), await made()]
    for (const { id } of [one, other]) {
      const answer = await call('POST', `/tasks/${id}/complete`, { 'idempotency-key': 'evening' })
      assert.deepEqual([answer.body.task.id, answer.body.changed], [id, true])
    }
    const again = await call('POST', `/tasks/${one.id}/complete`, { 'idempotency-key': 'evening' })
    assert.deepEqual([again.body.task.id, again.body.changed], [one.id, true])
  })

  it('the order: key, form, fields, gone, 428, 412', async () => {
    const { id, tag } = await made()
    const { key: readOnly } = await venue.makeKey('read')
    refusedWith(await patch(id, {}, {}, readOnly), 403)
    refusedWith(await patch(id, { due: 'soon' }, {}), 400)
    refusedWith(await patch(id, { title: 'x' }, { 'if-match': 'soon' }), 400)
    await call('POST', `/tasks/${id}/complete`)
    refusedWith(await patch(id, { title: 'x' }, {}), 428, 'precondition-required')
    refusedWith(await patch(id, { title: 'x' }, { 'if-match': tag }), 412, 'changed-meanwhile')
    refusedWith(await patch(404_404, { title: 'x' }, {}), 404)
    const other = await service.venue()
    refusedWith(await patch(id, { title: 'x' }, {}, other.key), 404)
  })

  it('null empties what may be empty; an empty text and what is left out stay', async () => {
    const { id } = await made()
    const { body } = await patch(id, { due: null, client: '', assignedRole: 'Host' })
    assert.deepEqual([body.task.due, body.task.client, body.task.assignedRole], [null, 'Maya', 'host'])
    refusedWith(await patch(id, { title: null }), 400)
    const nothing = await patch(id, { status: 'done', title: '' })
    refusedWith(nothing, 400)
    assert.match(nothing.body.error, /^Name at least one field to change: title, due, /)
    const same = await patch(id, { due: null })
    assert.deepEqual([same.status, same.body.changed], [200, false])
  })

  it('a task is ticked off and reopened, each once', async () => {
    const { id, tag } = await made()
    for (const [verb, done] of [
      ['complete', true],
      ['reopen', false],
    ] as const) {
      const first = await call('POST', `/tasks/${id}/${verb}`)
      assert.deepEqual([first.status, first.body.changed, first.body.task.done], [200, true, done])
      assert.equal(first.body.task.doneAt !== null, done)
      const again = await call('POST', `/tasks/${id}/${verb}`)
      assert.deepEqual([again.body.changed, again.body.task], [false, first.body.task])
    }
    refusedWith(await call('POST', `/tasks/${id}/complete`, { 'if-match': tag }), 412, 'changed-meanwhile')
  })

  it('each write leaves a row in the activity log that names the key', async () => {
    const { id } = await made()
    await patch(id, { title: 'Call Ben' })
    await call('POST', `/tasks/${id}/complete`)
    const rows = await rowsOf(
      service,
      `select actor_kind, action, (select venue_id from api_key where id = actor_id)::int as venue
         from activity where venue_id = $1 and record_kind = 'task' and record_id = $2 order by id`,
      [venue.id, id],
    )
    assert.deepEqual(
      rows,
      ['edit', 'done'].map((action) => ({ actor_kind: 'key', action, venue: venue.id })),
    )
  })
})
