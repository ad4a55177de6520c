import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { eventNames, events } from '@venue-data/contract/webhooks/events.ts'
import { erasePerson } from '../../../data/erasure/erase.ts'
import { openApiDocument } from '../../../platform/http/openapi/openapi.ts'
import { type TestBook, openBook, staff } from '../../../book/reservations/test/book.ts'
import { explain } from '../../../test/statements/explain.ts'
import { notingDatabase } from '../../../test/statements/noting.ts'
import { rowsOf } from '../../../test/rows.ts'
import { type TestService, startService } from '../../../test/service.ts'
import { prune } from '../../webhooks/engine/prune.ts'
import { type Ask, readEvents, walkEvents } from '../test/follow.ts'

describe('the feed of events', () => {
  let service: TestService
  let book: TestBook
  const at = (moment: string) => service.setClock(moment)
  const askWith =
    (key: string): Ask =>
    (query) =>
      service.call('GET', `/api/v1/events?${query}`, { key })
  const ask: Ask = (query) => askWith(book.venue.key)(query)
  const write = async (method: string, path: string, body: object = {}) => {
    const answer = await service.call(method, `/api/v1/${path}`, {
      key: book.venue.key,
      body,
      headers: { 'if-match': '*' },
    })
    assert.ok(answer.status < 300, answer.text)
    return answer.body
  }
  const guest = async (name: string): Promise<number> =>
    (await write('POST', 'guests', { name, email: `${name.toLowerCase()}@example.com` })).guest.id
  const task = async (title: string): Promise<number> => (await write('POST', 'tasks', { title })).task.id
  const namesOf = (items: readonly { event: string }[]) => items.map(({ event }) => event)

  before(async () => {
    service = await startService()
  })
  after(() => service.stop())
  const fresh = async () => {
    at('2026-10-06T10:00:00Z')
    book = await openBook(service)
  }

  it('has each change once, as it was: all its names, its record, what changed', async () => {
    await fresh()
    const id = await task('Call the florist')
    const { next } = await walkEvents(ask)
    await write('POST', `tasks/${id}/complete`)
    const { items } = await walkEvents(ask, next)
    assert.equal(items.length, 1)
    const [{ eventId, data, ...told } = { eventId: '' }] = items
    assert.match(eventId, /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/)
    assert.deepEqual(told, {
      event: 'task.completed',
      names: ['task.completed', 'task.updated'],
      occurredAt: '2026-10-06T10:00:00.000Z',
      record: { kind: 'task', id, revision: 2 },
      changed: ['done', 'doneAt'],
      answer: null,
    })
    assert.deepEqual(data, (await service.call('GET', `/api/v1/tasks/${id}`, { key: book.venue.key })).body)
  })

  it('filters by names, patterns, kinds, a record and a moment', async () => {
    await fresh()
    const ada = await guest('Ada')
    const otto = await guest('Otto')
    const florist = await task('Call the florist')
    at('2026-10-06T10:05:00Z')
    await write('POST', `tasks/${florist}/complete`)
    const told = async (query: string) => namesOf((await walkEvents(ask, undefined, query)).items)
    assert.deepEqual(await told(''), ['guest.created', 'guest.created', 'task.created', 'task.completed'])
    assert.deepEqual(await told('names=guest.created'), ['guest.created', 'guest.created'])
    assert.deepEqual(await told('names=task.updated'), ['task.completed'])
    assert.deepEqual(await told('names=task.*,lead.created'), ['task.created', 'task.completed'])
    assert.deepEqual(await told('kinds=task,lead'), ['task.created', 'task.completed'])
    assert.deepEqual(await told('kinds=task&names=guest.created'), [])
    assert.deepEqual(await told('since=2026-10-06T10:05:00Z'), ['task.completed'])
    assert.deepEqual(await told('since=2026-10-06T10:05:00.001Z'), [])
    assert.deepEqual(await told(`record=guest:${otto}`), ['guest.created'])
    assert.deepEqual(await told(`record=task:${florist}&names=task.created`), ['task.created'])
    assert.deepEqual(await told(`record=lead:${ada}`), [])
    const first = await readEvents(ask, 'limit=1&kinds=task')
    assert.deepEqual([namesOf(first.items), first.more], [['task.created'], true])
    assert.deepEqual(namesOf((await walkEvents(ask, first.next)).items), ['task.completed'])
  })

  it('unreadable parameters are 400', async () => {
    await fresh()
    const { next } = await walkEvents(ask)
    const changes = await service.call('GET', '/api/v1/changes?after=latest', { key: book.venue.key })
    for (const bad of [
      'after=',
      'after=e1_',
      `after=${next.slice(0, -1)}`,
      `after=${changes.body.next}`,
      'names=',
      'names=nope.*',
      'names=guest',
      'names=guest.created,guest.created',
      'names=guest.created,',
      'kinds=guests',
      'record=guest',
      'record=guest:0',
      'record=guest:1:2',
      'record=party:1',
      'record=',
      'since=2026-10-06',
      'limit=0',
      'wait=26',
      'wait=x',
      `after=${next}&after=${next}`,
    ]) {
      assert.equal((await ask(bad)).status, 400, bad)
    }
    assert.equal((await ask('limit=5000&wait=0&other=1')).status, 200)
  })

  it('a key gets only what it may read: naming anything else is 403', async () => {
    await fresh()
    await task('Call the florist')
    await guest('Ada')
    const { key, id } = await book.venue.makeKey('read')
    await rowsOf(service, `update api_key set scopes = '{guests:read}' where id = $1`, [id])
    const own = askWith(key)
    assert.deepEqual(namesOf((await walkEvents(own)).items), ['guest.created'])
    assert.deepEqual(namesOf((await walkEvents(own, undefined, 'names=*')).items), ['guest.created'])
    for (const query of [
      'names=task.created',
      'names=guest.created,nope,task.created',
      'kinds=task',
      'record=task:1',
    ]) {
      const answer = await own(query)
      assert.deepEqual([answer.status, answer.body.reason], [403, 'scope-missing'], query)
      assert.match(answer.body.error, /may not read tasks;/)
    }
    await rowsOf(service, `update api_key set scopes = '{guests:read,contacts:hidden}' where id = $1`, [id])
    const [hidden] = (await walkEvents(own)).items
    assert.equal(hidden?.data?.['name'], null)
    assert.equal(hidden?.data?.['email'], null)
  })

  it('after latest, exactly the next events appear; another venue’s cursor is 410', async () => {
    await fresh()
    await guest('Ada')
    const first = await readEvents(ask, 'after=latest')
    assert.deepEqual([first.items, first.more], [[], false])
    await guest('Otto')
    assert.deepEqual(namesOf((await walkEvents(ask, first.next)).items), ['guest.created'])
    await fresh()
    const answer = await ask(`after=${first.next}`)
    assert.equal(answer.status, 410)
    assert.deepEqual(answer.body, {
      error:
        'This cursor belongs to another venue than this key. Nothing was read. Use the key of the venue whose copy this is, or start a new copy for this venue.',
      reason: 'cursor-of-another-venue',
    })
  })

  it('a rare event is found across empty pages that have more to come', async () => {
    await fresh()
    await guest('Ada')
    await walkEvents(ask)
    await rowsOf(
      service,
      `insert into event (venue_id, name, names, data, occurred_at, record_kind, record_id, revision, public_id, seq)
       select $1, 'guest.updated', '{guest.updated}', '{"id":1}', '2026-10-06T10:00:00Z', 'guest', 1000 + n, 1, gen_random_uuid(), 1 + n
         from generate_series(1, 20050) n`,
      [book.venue.id],
    )
    await rowsOf(service, 'update change_head set event_seq = 20051 where venue_id = $1', [book.venue.id])
    const id = await task('Call the florist')
    const first = await readEvents(ask, 'names=task.created')
    assert.deepEqual([first.items, first.more], [[], true])
    const { items, pages } = await walkEvents(ask, undefined, 'names=task.created')
    assert.deepEqual([namesOf(items), pages], [['task.created'], 3])
    // A single record's events are looked up directly.
    const own = await readEvents(ask, `record=task:${id}`)
    assert.deepEqual([namesOf(own.items), own.more], [['task.created'], false])
  })

  it('the data goes after a week, the event after a month: then an older cursor is 410, and a walk starts later', async () => {
    await fresh()
    await guest('Ada')
    const { next: before } = await walkEvents(ask)
    await guest('Otto')
    const { next: read } = await walkEvents(ask)
    at('2026-10-13T10:00:00.001Z')
    await prune(service.context)
    const old = await walkEvents(ask)
    assert.deepEqual(
      old.items.map(({ event, data }) => [event, data]),
      [
        ['guest.created', null],
        ['guest.created', null],
      ],
    )
    at('2026-11-20T10:00:00Z')
    await guest('Ines')
    await prune(service.context)
    assert.equal((await ask(`after=${before}`)).body.reason, 'cursor-expired')
    assert.deepEqual(namesOf((await walkEvents(ask, read)).items), ['guest.created'])
    const { items } = await walkEvents(ask)
    assert.deepEqual(
      items.map(({ occurredAt }) => occurredAt),
      ['2026-11-20T10:00:00.000Z'],
    )
  })

  it('unread events count when they are forgotten: an earlier cursor is 410, and numbering continues after them', async () => {
    await fresh()
    await guest('Ada')
    const { next: before } = await walkEvents(ask)
    await guest('Otto')
    await guest('Ines')
    at('2026-11-20T10:00:00Z')
    await prune(service.context)
    assert.equal((await ask(`after=${before}`)).status, 410)
    const { items, next } = await walkEvents(ask)
    assert.deepEqual(items, [])
    await guest('Maya')
    assert.equal((await walkEvents(ask, next)).items.length, 1)
    assert.equal((await walkEvents(ask)).items.length, 1)
  })

  it('of an erased person only the fact that something happened is left', async () => {
    await fresh()
    await guest('Zephyrine')
    const person = { guestId: null, email: 'zephyrine@example.com', phone: null, name: 'Zephyrine' }
    await book.act((work) => erasePerson(work, staff('owner'), person))
    const { items } = await walkEvents(ask)
    assert.doesNotMatch(JSON.stringify(items), /zephyrine/i)
    assert.deepEqual(items[0]?.data, null)
    assert.ok(namesOf(items).includes('person.erased'))
  })

  it('events recorded by the previous release appear with the data they have', async () => {
    await fresh()
    await guest('Ada')
    await rowsOf(
      service,
      `update event set names = null, record_kind = null, record_id = null, revision = null, changed = null, public_id = null
        where venue_id = $1`,
      [book.venue.id],
    )
    const [one] = (await walkEvents(ask)).items
    assert.deepEqual(
      [one?.event, one?.names, one?.record, one?.changed],
      ['guest.created', ['guest.created'], null, []],
    )
    assert.equal((await walkEvents(ask)).items[0]?.eventId, one?.eventId)
    assert.equal((await walkEvents(ask, undefined, 'names=guest.created')).items.length, 1)
  })

  it('a locked event is numbered later, and so are those after it', async () => {
    await fresh()
    const { next } = await walkEvents(ask)
    await guest('Ada')
    await guest('Otto')
    await guest('Ines')
    const told = (items: readonly { data: Readonly<Record<string, unknown>> | null }[]) =>
      items.map(({ data }) => data?.['name'])
    let between: Awaited<ReturnType<typeof walkEvents>> | undefined
    await service.db.session(async (client) => {
      await client.query('begin')
      await client.query(
        `select id from event where venue_id = $1 and data like '%"Otto"%' for no key update`,
        [book.venue.id],
      )
      between = await walkEvents(ask, next)
      await client.query('rollback')
    })
    assert.deepEqual(told(between?.items ?? []), ['Ada'])
    assert.deepEqual(told((await walkEvents(ask, between?.next)).items), ['Otto', 'Ines'])
  })

  it('the types are the table of events, and their schemas are those of the document', async () => {
    await fresh()
    const { key } = await book.venue.makeKey('read')
    const { status, body } = await service.call('GET', '/api/v1/events/types', { key })
    assert.equal(status, 200)
    const document = openApiDocument() as {
      components: { schemas: Record<string, { allOf?: { properties?: { data: unknown } }[] }> }
      webhooks: Record<
        string,
        { post: { requestBody: { content: Record<string, { schema: { $ref: string } }> } } }
      >
    }
    assert.deepEqual(
      body.map(({ name }: { name: string }) => name),
      eventNames,
    )
    for (const type of body) {
      const row = events[type.name as keyof typeof events]
      const { when, kind, scope, example } = row
      assert.deepEqual(
        [type.when, type.kind, type.scope, type.sinceVersion, type.sample],
        [when, kind, scope, 'since' in row ? row.since : null, example],
      )
      const delivery = document.webhooks[type.name]?.post.requestBody.content['application/json']?.schema.$ref
      const schema = document.components.schemas[delivery?.split('/').at(-1) ?? '']
      assert.deepEqual(schema?.allOf?.[1]?.properties?.data, { $ref: type.schema }, type.name)
      assert.ok(document.components.schemas[type.schema.split('/').at(-1)], type.schema)
    }
  })

  it('each read uses an index under any plan', async () => {
    await fresh()
    const id = await task('Call the florist')
    await rowsOf(
      service,
      `insert into event (venue_id, name, names, data, occurred_at, record_kind, record_id, revision, public_id, seq)
       select $1, 'guest.updated', '{guest.updated}', '{"id":1}', '2026-10-06T10:00:00Z', 'guest', 1000 + n, 1, gen_random_uuid(), 1 + n
         from generate_series(1, 20000) n`,
      [book.venue.id],
    )
    await rowsOf(service, 'update change_head set event_seq = 20001 where venue_id = $1', [book.venue.id])
    await service.db.session((client) => client.query('analyze event'))
    const seen: Parameters<typeof explain>[1][] = []
    const { db } = service.context
    Object.assign(service.context, {
      db: notingDatabase(db, (statement) => {
        if (/from event/.test(statement.text)) seen.push(statement)
      }),
    })
    await readEvents(ask, '')
    await readEvents(ask, `record=task:${id}`)
    Object.assign(service.context, { db })
    assert.ok(seen.length > 2)
    await db.session(async (client) => {
      for (const statement of seen) {
        for (const kind of ['force_custom_plan', 'force_generic_plan'] as const) {
          const plan = (await explain(client, statement, kind)).join('\n')
          assert.doesNotMatch(plan, /Seq Scan on event/, `${statement.text}\n${plan}`)
        }
      }
    })
  })
})
