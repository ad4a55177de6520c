import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import type { BatchResult } from '@venue-data/contract/batch.ts'
import { limits } from '@venue-data/contract/limits.ts'
import type { Scope } from '@venue-data/contract/scopes.ts'
import { revokeKey } from '../access/keys.ts'
import { scopesOfWords } from '../access/scopes.ts'
import { erasePerson } from '../../data/erasure/erase.ts'
import { makeBell } from '../../platform/kernel/running/bell.ts'
import { type Desk, openDesk, staffOf } from '../../test/desk.ts'
import { eventually } from '../../test/eventually.ts'
import { type ServiceProcess, startProcess } from '../../test/process.ts'
import { countOf, rowsOf } from '../../test/rows.ts'
import {
  type Answer,
  type TestService,
  aTuesdayAfternoon,
  callService,
  startService,
} from '../../test/service.ts'
import { singlePosts } from '../../worker/single-posts.ts'
import { forgetOldBatches, runBatches } from './run.ts'

type Item = { ref: string; body: object }

const bad = new Set([7, 250, 499])

/** Guests, three of whom cannot be recognized. */
const guests = (count: number): Item[] =>
  Array.from({ length: count }, (_, i) => ({
    ref: `crm-${i}`,
    body: bad.has(i) ? { name: `Guest ${i}` } : { name: `Guest ${i}`, email: `guest-${i}@example.com` },
  }))

describe('batches', () => {
  let service: TestService
  let desk: Desk
  const running: ServiceProcess[] = []

  before(async () => {
    service = await startService()
  })
  beforeEach(async () => {
    service.setClock(aTuesdayAfternoon)
    desk = await openDesk(service)
  })
  after(async () => {
    for (const one of running) one.signal('SIGKILL')
    await Promise.all(running.map(({ ended }) => ended))
    await service.stop()
  })

  const send = (
    kind: string,
    items: readonly object[],
    { mode = 'write', key = desk.venue.key, once = '', url = service.url } = {},
  ): Promise<Answer> =>
    callService(url, 'POST', '/api/v1/batches', {
      key,
      body: { kind, mode, items },
      headers: once ? { 'idempotency-key': once } : {},
    })
  const sent = async (...args: Parameters<typeof send>): Promise<string> => {
    const answer = await send(...args)
    assert.equal(answer.status, 202, answer.text)
    return answer.body.batch.id
  }
  const run = () => runBatches(service.context, singlePosts)
  const get = (path: string, key = desk.venue.key) => service.call('GET', `/api/v1/batches/${path}`, { key })
  const stateOf = async (id: string) => (await get(id)).body
  /** All results, page by page. */
  const resultsOf = async (id: string): Promise<BatchResult[]> => {
    const found: BatchResult[] = []
    for (let query = '?limit=100'; ;) {
      const { status, body, headers, text } = await get(`${id}/results${query}`)
      assert.equal(status, 200, text)
      found.push(...body)
      const cursor = headers.get('x-next-cursor')
      if (cursor === null) return found
      assert.equal(headers.get('link'), `<?limit=100&after=${cursor}>; rel="next"`)
      query = `?limit=100&after=${cursor}`
    }
  }
  const outcomesOf = async (kind: string, bodies: readonly object[], mode = 'write') => {
    const id = await sent(
      kind,
      bodies.map((body, i) => ({ ref: `r${i}`, body })),
      { mode },
    )
    await run()
    return resultsOf(id)
  }

  it('of 500 with three bad ones 497 are made and three refused by ref; repeated, nothing is made twice', async () => {
    const items = guests(500)
    const first = await send('guest', items, { once: 'import-1' })
    assert.equal(first.status, 202)
    const { id } = first.body.batch
    assert.deepEqual(first.body.batch, {
      ...{ id, kind: 'guest', mode: 'write', status: 'waiting' },
      ...{ total: 500, done: 0, made: 0, matched: 0, refused: 0 },
    })
    const meanwhile = await send('guest', items, { once: 'import-1' })
    assert.deepEqual([meanwhile.status, meanwhile.text], [202, first.text])
    assert.ok((await run()) >= 500 / 40)
    assert.deepEqual(await stateOf(id), {
      ...{ id, kind: 'guest', mode: 'write', status: 'done' },
      ...{ total: 500, done: 500, made: 497, matched: 0, refused: 3 },
    })
    const results = await resultsOf(id)
    assert.deepEqual(
      results.map(({ ref }) => ref),
      items.map(({ ref }) => ref),
    )
    assert.deepEqual(
      results.filter(({ status }) => status !== 'made'),
      [...bad].map((i) => ({
        ...{ ref: `crm-${i}`, status: 'refused', id: null, reason: 'no-contact' },
        error: 'Send an email, or a phone with at least 7 digits.',
      })),
    )
    const made = results.flatMap(({ id: one }) => one ?? [])
    assert.equal(new Set(made).size, 497)

    const again = await send('guest', items, { once: 'import-1' })
    assert.deepEqual([again.status, again.text], [202, first.text])
    assert.equal(again.headers.get('idempotent-replayed'), 'true')
    assert.equal(await run(), 0)
    assert.equal(await countOf(service, 'guest', desk.venue.id), 497)
    assert.equal(await countOf(service, 'batch', desk.venue.id), 1)

    const anew = await sent('guest', items)
    await run()
    assert.deepEqual(
      (await resultsOf(anew)).map(({ id: one }) => one),
      results.map(({ id: one }) => one),
    )
    assert.equal((await stateOf(anew)).matched, 497)
    assert.equal(await countOf(service, 'guest', desk.venue.id), 497)
  })

  it('a worker killed midway leaves nothing half done, and the next one continues from there', async () => {
    const { key, id: venue } = desk.venue
    const items = guests(500)
    // Locking this guest delays the chunk that contains the 176th item.
    const known = await service.call('POST', '/api/v1/guests', {
      key,
      body: { email: 'guest-175@example.com' },
    })
    const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
    const holding = service.db.session(async (client) => {
      await client.query('begin')
      await client.query('select id from guest where venue_id = $1 and id = $2 for update', [
        venue,
        known.body.guest.id,
      ])
      await held
      await client.query('rollback')
    })
    const doomed = await startProcess({
      DATABASE_URL: service.databaseUrl,
      SECRETS: service.context.config.secrets as string,
      RATE_LIMIT_PER_MINUTE: '1000000',
    })
    running.push(doomed)
    await doomed.ready()
    const id = await sent('guest', items, { once: 'killed', url: doomed.url })
    await eventually(async () => {
      const [row] = await rowsOf<{ done: number; waits: boolean }>(
        service,
        `select done, exists (select from pg_stat_activity
           where datname = current_database() and wait_event_type = 'Lock' and state = 'active') as waits
           from batch where venue_id = $1`,
        [venue],
      )
      return row?.done === 170 && row.waits
    })
    doomed.signal('SIGKILL')
    assert.equal(await doomed.ended, 'SIGKILL')
    letGo()
    await holding
    assert.equal((await stateOf(id)).done, 170)

    const again = async () => {
      const answer = await send('guest', items, { once: 'killed' })
      assert.deepEqual([answer.status, answer.body.batch.id], [202, id])
    }
    await again()
    // Until its lease ends, no worker picks the batch up.
    assert.equal(await run(), 0)
    service.setClock('2099-01-01T00:00:00Z')
    await run()
    const { status, done, made, matched, refused } = await stateOf(id)
    assert.deepEqual([status, done, made, matched, refused], ['done', 500, 496, 1, 3])
    assert.equal((await resultsOf(id)).length, 500)
    service.setClock(aTuesdayAfternoon)
    await again()
    assert.equal(await run(), 0)
    assert.equal(await countOf(service, 'guest', venue), 497)
    // The earlier guest has another clock's time, and the process may have pruned that event.
    const [told] = await rowsOf<{ events: number; guests: number }>(
      service,
      `select count(*)::int as events, count(distinct record_id)::int as guests from event
        where venue_id = $1 and name = 'guest.created' and record_id <> $2`,
      [venue, known.body.guest.id],
    )
    assert.deepEqual(told, { events: 496, guests: 496 })
  })

  it('two workers at once write each item once', async () => {
    const id = await sent(
      'task',
      Array.from({ length: 200 }, (_, i) => ({ ref: `${i}`, body: { title: `${i}` } })),
    )
    await Promise.all([run(), run(), run()])
    assert.equal((await stateOf(id)).made, 200)
    assert.equal(await countOf(service, 'task', desk.venue.id), 200)
  })

  it('a stopping process finishes its current chunk, and another continues at once', async () => {
    const items = Array.from({ length: 100 }, (_, i) => ({ ref: `${i}`, body: { title: `${i}` } }))
    const id = await sent('task', items)
    const ending = new AbortController()
    const bell = makeBell()
    bell.onRing(() => ending.abort())
    await runBatches({ ...service.context, bell }, singlePosts, ending.signal)
    assert.equal((await stateOf(id)).done, 10)
    await run()
    assert.deepEqual(
      (await resultsOf(id)).map(({ ref, status }) => [ref, status]),
      items.map(({ ref }) => [ref, 'made']),
    )
  })

  it('each item works like its single POST: created, matched, or refused with its sentence', async () => {
    const body = { name: 'Ada Obi', email: 'ada@example.com', phone: '212 555 0147' }
    assert.deepEqual(
      (await outcomesOf('guest', [body, { ...body, phone: '212 555 0199' }, { email: 'none' }])).map(
        ({ id: _, ...one }) => one,
      ),
      [
        { ref: 'r0', status: 'made', reason: null, error: null },
        { ref: 'r1', status: 'matched', reason: null, error: null, conflicting: ['phone'] },
        {
          ...{ ref: 'r2', status: 'refused', reason: 'field-invalid' },
          error: (
            await service.call('POST', '/api/v1/guests', { key: desk.venue.key, body: { email: 'none' } })
          ).body.error,
        },
      ],
    )
    const consent = { source: 'Checkout' }
    await rowsOf(
      service,
      `insert into suppression (venue_id, email_key, reason, created_at) values ($1, 'no@example.com', 'staff_removal', now())`,
      [desk.venue.id],
    )
    const subscribers = await outcomesOf('subscriber', [
      { email: 'ada@example.com', consent },
      { email: 'ADA@example.com', consent },
      { email: 'no@example.com', consent },
      { email: 'eve@example.com' },
    ])
    assert.deepEqual(
      subscribers.map(({ status, outcome, id, reason }) => [status, outcome, id === null, reason]),
      [
        ['made', 'subscribed', false, null],
        ['matched', 'subscribed', false, null],
        ['matched', 'suppressed', true, null],
        ['refused', undefined, true, 'field-missing'],
      ],
    )
    const leads = await outcomesOf('lead', [{ name: 'Ada', email: 'ada@example.com' }, {}])
    assert.deepEqual(
      leads.map(({ status }) => status),
      ['made', 'refused'],
    )
    const [lead] = leads
    const shown = await service.call('GET', `/api/v1/leads/${lead?.id}`, { key: desk.venue.key })
    assert.equal(shown.body.contactName, 'Ada')
    assert.equal(await countOf(service, 'guest', desk.venue.id), 1)
    const tasks = await outcomesOf('task', [{ title: 'Call Ada' }, { title: 'Call Eve', priority: 'none' }])
    assert.deepEqual(
      tasks.map(({ status }) => status),
      ['made', 'refused'],
    )
  })

  it('a check reports the outcome of each item, and writes nothing', async () => {
    const { key, id: venue } = desk.venue
    const known = await service.call('POST', '/api/v1/guests', { key, body: { email: 'ada@example.com' } })
    const bodies = [
      { email: 'ada@example.com', name: 'Ada' },
      { email: 'eve@example.com' },
      { email: 'eve@example.com' },
      {},
    ]
    const events = await countOf(service, 'event', venue)
    const results = await outcomesOf('guest', bodies, 'check')
    assert.deepEqual(
      results.map(({ status, id }) => [status, id === null]),
      [
        ['would-match', false],
        ['would-make', true],
        ['would-match', true],
        ['refused', true],
      ],
    )
    assert.equal(results[0]?.id, known.body.guest.id)
    assert.equal(await countOf(service, 'guest', venue), 1)
    assert.equal(await countOf(service, 'event', venue), events)
    const shown = await service.call('GET', `/api/v1/guests/${known.body.guest.id}`, { key })
    assert.equal(shown.body.name, null)
  })

  it('an item that fails midway does not affect the others', async () => {
    await rowsOf(service, `alter table task add constraint planted check (title <> 'planted')`)
    const titles = ['one', 'planted', 'two', 'planted', 'three']
    const results = await outcomesOf(
      'task',
      titles.map((title) => ({ title })),
    )
    await rowsOf(service, 'alter table task drop constraint planted')
    assert.deepEqual(
      results.map(({ status }) => status),
      ['made', 'refused', 'made', 'refused', 'made'],
    )
    assert.equal(results[1]?.error, 'Something went wrong on our side; try again with a pause.')
    assert.equal(await countOf(service, 'task', desk.venue.id), 3)
    assert.equal(await countOf(service, 'record_change', desk.venue.id), 3)
  })

  it('one batch of a venue at a time; another venue is not affected', async () => {
    const id = await sent('task', [{ ref: 'a', body: { title: 'a' } }])
    const refused = await send('task', [{ ref: 'b', body: { title: 'b' } }])
    assert.deepEqual([refused.status, refused.body.reason], [409, 'batch-running'])
    const other = await service.venue()
    await sent('task', [{ ref: 'b', body: { title: 'b' } }], { key: other.key })
    assert.equal((await get(id, other.key)).status, 404)
    assert.equal((await get(`${id}/results`, other.key)).status, 404)
    await run()
    await sent('task', [{ ref: 'b', body: { title: 'b' } }])
    await run()
  })

  it('5,000 items of a venue in an hour; then 429, until enough of them are older', async () => {
    const many = Array.from({ length: limits.batchItems }, (_, i) => ({ ref: `${i}`, body: {} }))
    for (let minute = 10; minute < 20; minute++) {
      service.setClock(`2026-10-06T19:${minute}:00Z`)
      await sent('task', many, { mode: 'check' })
      await run()
    }
    const one = [{ ref: 'a', body: { title: 'a' } }]
    service.setClock('2026-10-06T19:40:00Z')
    const over = await send('task', one)
    assert.equal(over.status, 429)
    assert.equal(over.headers.get('retry-after'), String(30 * 60))
    assert.match(over.body.error, /more than 5000 items in batches within an hour; try again in 30 minutes/)
    assert.equal(await countOf(service, 'batch', desk.venue.id), 10)
    service.setClock('2026-10-06T20:10:00Z')
    assert.equal((await send('task', many)).status, 202)
    await run()
    assert.equal((await send('task', one)).status, 429)
  })

  it('an invalid batch is 400, and nothing is stored', async () => {
    const item = { ref: 'a', body: { title: 'a' } }
    const long = 'x'.repeat(101)
    for (const [body, said] of [
      [{ kind: 'reservation', mode: 'write', items: [item] }, /^kind must be/],
      [{ kind: 'task', mode: 'try', items: [item] }, /^mode must be/],
      [{ kind: 'task', items: [item] }, /^mode is required/],
      [{ kind: 'task', mode: 'write', items: [] }, /^items must be a list of 1 to 500 entries/],
      [{ kind: 'task', mode: 'write', items: 'a' }, /^items must be a list/],
      [{ kind: 'task', mode: 'write', items: Array.from({ length: 501 }, () => item) }, /1 to 500 entries/],
      [{ kind: 'task', mode: 'write', items: [item, item] }, /^items\.1\.ref is there twice/],
      [
        { kind: 'task', mode: 'write', items: [{ ...item, ref: long }] },
        /ref must be at most 100 characters/,
      ],
      [{ kind: 'task', mode: 'write', items: [{ ...item, ref: ' ' }] }, /ref must be more than blanks/],
      [{ kind: 'task', mode: 'write', items: [{ ref: 'a' }] }, /body is required/],
      [{ kind: 'task', mode: 'write', items: [{ ref: 'a', body: [] }] }, /body must be an object/],
      [
        { kind: 'task', mode: 'write', items: [item], padding: 'x'.repeat(limits.batchBytes) },
        /at most 1024 KB/,
      ],
    ] as const) {
      const answer = await service.call('POST', '/api/v1/batches', { key: desk.venue.key, body })
      assert.equal(answer.status, 400, JSON.stringify(body).slice(0, 80))
      assert.match(answer.body.error, said)
    }
    assert.equal(await countOf(service, 'batch', desk.venue.id), 0)
  })

  it('needs the scope that creates the kind, to send a batch and to read it; a key that loses it stops', async () => {
    const { makeKey } = desk.venue
    const withScopes = (scopes: readonly Scope[]) => makeKey('read_write', 'api', { scopes })
    const [guestsOnly, tasks] = [await withScopes(['guests:create']), await withScopes(['tasks:create'])]
    const items = Array.from({ length: 100 }, (_, i) => ({ ref: `${i}`, body: { title: `${i}` } }))
    const refused = await send('task', items, { key: guestsOnly.key })
    assert.deepEqual([refused.status, refused.body.reason], [403, 'scope-missing'])
    const id = await sent('task', items, { key: tasks.key })
    for (const path of [id, `${id}/results`]) {
      assert.equal((await get(path, tasks.key)).status, 200)
      assert.equal((await get(path, guestsOnly.key)).body.reason, 'scope-missing')
      assert.equal((await get(path, (await makeKey('read')).key)).status, 403)
    }
    await revokeKey(service.db, tasks.id, 'test', service.context.clock())
    await run()
    const { status, done } = await stateOf(id)
    assert.deepEqual([status, done], ['cancelled', 0])
    assert.deepEqual(await resultsOf(id), [])
    assert.equal(await countOf(service, 'task', desk.venue.id), 0)
    assert.equal((await rowsOf(service, 'select id from batch_item where body is not null')).length, 0)
  })

  it('does not reveal to a key without contact details who is known, nor which details differ', async () => {
    const everything = scopesOfWords({ kind: 'api', scope: 'read_write' })
    const hidden = await desk.venue.makeKey('read_write', 'api', {
      scopes: [...everything, 'contacts:hidden'],
    })
    const body = { email: 'ada@example.com', phone: '212 555 0147' }
    const id = await sent('guest', [
      { ref: 'a', body },
      { ref: 'b', body: { ...body, phone: '212 555 0199' } },
    ])
    await run()
    const { status, text, body: refusal } = await get(`${id}/results`, hidden.key)
    assert.deepEqual([status, refusal.reason], [403, 'scope-missing'])
    assert.doesNotMatch(text, /conflicting/)
  })

  it('its events are sent at half the pace, one after the other', async () => {
    const body = { url: 'https://hooks.example.com/all', events: ['lead.created', 'guest.created'] }
    await service.call('POST', '/api/v1/webhooks', { key: desk.venue.key, body })
    await sent('lead', [
      { ref: 'a', body: { name: 'Ada', email: 'ada@example.com' } },
      { ref: 'b', body: { name: 'Eve', email: 'eve@example.com' } },
    ])
    await run()
    const due = await rowsOf<{ after: number }>(
      service,
      `select extract(epoch from due_at - $2::timestamptz)::int as after from delivery where venue_id = $1 order by due_at`,
      [desk.venue.id, aTuesdayAfternoon],
    )
    assert.deepEqual(
      due.map(({ after: seconds }) => seconds),
      [0, 2, 4, 6],
    )
  })

  it('deletes what was sent once an item is done, and keeps results for seven days', async () => {
    const id = await sent('guest', [{ ref: 'a', body: { name: 'Ada Obi', email: 'ada@example.com' } }])
    await run()
    const [item] = await rowsOf(service, 'select * from batch_item where venue_id = $1', [desk.venue.id])
    assert.equal(item?.['body'], null)
    assert.doesNotMatch(JSON.stringify(item), /Ada|ada@/)
    service.setClock('2026-10-13T18:59:59Z')
    await forgetOldBatches(service.context)
    assert.equal((await get(id)).status, 200)
    service.setClock('2026-10-13T19:00:01Z')
    await forgetOldBatches(service.context)
    assert.equal((await get(id)).status, 404)
    assert.equal((await get(`${id}/results`)).status, 404)
    assert.equal(await countOf(service, 'batch_item', desk.venue.id), 0)
  })

  it('erasures wait while a batch runs; afterwards they also remove a ref that names the person', async () => {
    const person = { guestId: null, email: 'ada@example.com', phone: null, name: 'Ada Obi-Quillfeather' }
    const erase = () => desk.act((work) => erasePerson(work, staffOf('owner'), person))
    const id = await sent('guest', [{ ref: 'ada@example.com', body: { email: 'ada@example.com' } }])
    await assert.rejects(erase(), /Connected software is sending records/)
    await run()
    await erase()
    assert.deepEqual(
      (await resultsOf(id)).map(({ ref, status }) => [ref, status]),
      [['[erased]', 'made']],
    )
    assert.doesNotMatch(
      JSON.stringify(await rowsOf(service, 'select * from batch_item where venue_id = $1', [desk.venue.id])),
      /ada@/,
    )
  })

  it('results are paginated, and another batch’s cursor is invalid', async () => {
    const items = Array.from({ length: 30 }, (_, i) => ({ ref: `${i}`, body: { title: `${i}` } }))
    const id = await sent('task', items)
    assert.deepEqual(await resultsOf(id), [])
    await run()
    const first = await get(`${id}/results`)
    assert.equal(first.body.length, 25)
    const cursor = first.headers.get('x-next-cursor') as string
    const second = await get(`${id}/results?after=${cursor}`)
    assert.deepEqual(
      second.body.map(({ ref }: BatchResult) => ref),
      ['25', '26', '27', '28', '29'],
    )
    assert.equal(second.headers.get('link'), null)
    const other = await sent('task', items)
    await run()
    for (const path of [
      `${other}/results?after=${cursor}`,
      `${id}/results?after=x`,
      `${id}/results?limit=0x`,
    ])
      assert.equal((await get(path)).status, 400, path)
    for (const unknown of ['x', '0190a0a0-0000-7000-8000-000000000000', `${id}0`])
      assert.equal((await get(unknown)).status, 404)
  })
})
