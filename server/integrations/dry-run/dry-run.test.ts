import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Endpoint } from '@venue-data/contract/webhooks/endpoint.ts'
import { endpoints } from '@venue-data/contract/endpoints.ts'
import { type RecordKind, kinds } from '@venue-data/contract/kinds.ts'
import { limits } from '@venue-data/contract/limits.ts'
import type { Scope } from '@venue-data/contract/scopes.ts'
import { scopesOfWords } from '../access/scopes.ts'
import { readChanges } from '../changes/test/follow.ts'
import { everyEvening, setRules } from '../../test/open-rules.ts'
import { rowsOf } from '../../test/rows.ts'
import {
  type Answer,
  type TestService,
  type TestVenue,
  aTuesdayAfternoon,
  startService,
} from '../../test/service.ts'
import { contentsOf } from '../../test/statements/table-contents.ts'

const rows: readonly Endpoint[] = Object.values(endpoints)
/** A checkout is no record; it has tests of its own. */
const isOfCheckouts = ({ path }: Endpoint): boolean => path.startsWith('/api/v1/checkouts')
const tryable = rows.filter((row) => row.dryRun && !isOfCheckouts(row))

/** A record of each kind that a key can change, created by somebody else. */
const sent: Readonly<Partial<Record<RecordKind, object>>> = {
  reservation: {
    guestName: 'Ada Obi',
    partySize: 2,
    date: '2026-10-09',
    time: '19:00',
    email: 'ada@example.com',
  },
  guest: { name: 'Ada Obi', email: 'ada@example.com', phone: '212 555 0147' },
  subscriber: { email: 'ada@example.com', consent: { source: 'Checkout' } },
  waitlist_entry: { guestName: 'Ada Obi', partySize: 2, phone: '212 555 0147' },
  lead: { name: 'Ada Obi', email: 'ada@example.com' },
  task: { title: 'Call Ada' },
}

const sampleOf = ({ body }: { readonly body?: { examples?: object[] } }): object | undefined =>
  body?.examples?.[0]

describe('dry run', () => {
  let service: TestService
  let venue: TestVenue
  let key: string
  /** An event on sale. */
  let occurrenceId: number

  before(async () => {
    service = await startService()
  })
  after(() => service.stop())

  const fresh = async () => {
    service.setClock(aTuesdayAfternoon)
    venue = await service.venue()
    key = venue.key
    await setRules(service, venue)
    // The receiver of every event.
    const body = { url: 'https://hooks.example.com/all', events: ['*'] }
    assert.equal((await service.call('POST', '/api/v1/webhooks', { key, body })).status, 201)
    const [occurrence] = await rowsOf<{ id: string }>(
      service,
      `with e as (insert into ticketed_event (venue_id, name, created_at) values ($1, 'Jazz', now()) returning id)
       insert into occurrence (venue_id, event_id, date, capacity, price_cents)
       select $1, id, '2026-11-14', 50, 9500 from e returning id`,
      [venue.id],
    )
    occurrenceId = Number(occurrence?.id)
  }
  /** In a body that names a record, the id of an existing one. */
  const bodyOf = (row: Endpoint): object | undefined => {
    const body = sampleOf(row)
    return body && row.namesRecord ? { ...body, occurrenceId } : body
  }
  const sentTo = (kind: RecordKind): object | undefined =>
    kind === 'ticket_order'
      ? { occurrenceId, seats: 2, buyerEmail: 'ada@example.com', externalReference: 'shop-1' }
      : sent[kind]
  type Tried = { method: string; path: string; body?: object | undefined; ifMatch?: string | undefined }
  const call = ({ method, path, body, ifMatch }: Tried): Promise<Answer> =>
    service.call(method, path, {
      key,
      ...(body && { body }),
      headers: ifMatch ? { 'if-match': ifMatch } : {},
    })
  const dry = ({ ifMatch, ...tried }: Tried, by = key): Promise<Answer> =>
    service.call('POST', '/api/v1/dry-run', {
      key: by,
      body: tried,
      headers: ifMatch ? { 'if-match': ifMatch } : {},
    })
  /** Everything stored, except how often the key was used. */
  const kept = async () => {
    const { key_window: _, ...tables } = (await contentsOf(service.db)).tables
    return tables
  }
  /** A row's call, on an existing record and on a nonexistent one. */
  const callOf = async (row: Endpoint): Promise<{ here: Tried; nowhere: Tried | undefined }> => {
    const body = bodyOf(row)
    if (!row.params) return { here: { method: row.method, path: row.path, body }, nowhere: undefined }
    const kind = row.kind as RecordKind
    const { path, field } = kinds[kind]
    const made = await call({ method: 'POST', path, body: sentTo(kind) })
    assert.ok(made.status < 300, made.text)
    if (row.id === 'requestRefund')
      await rowsOf(service, `update ticket_order set status = 'paid' where venue_id = $1`, [venue.id])
    const at = (id: number): Tried => ({
      ...{ method: row.method, path: row.path.replace('{id}', String(id)), body },
      ...(row.precondition && { ifMatch: '*' }),
    })
    return { here: at(made.body[field].id), nowhere: at(987_654_321) }
  }
  const eventsAfter = (id: number) =>
    rowsOf<{ event: string; data: Record<string, unknown> }>(
      service,
      'select names[1] as event, data::json as data from event where venue_id = $1 and id > $2 order by id',
      [venue.id, id],
    )
  const lastEvent = async (): Promise<number> =>
    Number((await rowsOf<{ id: string | null }>(service, 'select max(id) as id from event'))[0]?.id ?? 0)

  /** What was actually answered, emitted or changed, without the ids that a dry run cannot know. */
  const withoutIds = (real: unknown, tried: unknown): unknown => {
    if (Array.isArray(real)) return real.map((one, i) => withoutIds(one, (tried as unknown[])[i]))
    if (typeof real !== 'object' || real === null) return real
    const told = (tried ?? {}) as Record<string, unknown>
    return Object.fromEntries(
      Object.entries(real).map(([field, value]) => [
        field,
        ['id', 'orderNumber'].includes(field) && told[field] === null ? null : withoutIds(value, told[field]),
      ]),
    )
  }

  it('works for every POST and PATCH of records except campaigns and batches', () => {
    const others = /^\/api\/v1\/(?:campaigns|batches|dry-run|webhooks|hooks|holds|key|erasures)\b/
    for (const row of rows.filter((one) => !isOfCheckouts(one))) {
      const isRecords = ['POST', 'PATCH'].includes(row.method) && !others.test(row.path)
      assert.equal(row.dryRun === true, isRecords, `${row.method} ${row.path}`)
      if (row.dryRun) assert.equal(row.callsOutForSeconds, undefined, row.path)
    }
    assert.ok(tryable.length >= 19)
  })

  for (const row of tryable) {
    it(`${row.method} ${row.path} as the real call after it, and nothing is kept`, async () => {
      await fresh()
      const { here, nowhere } = await callOf(row)
      const follow = (query: string) => service.call('GET', `/api/v1/changes?${query}`, { key })
      const { next } = await readChanges(follow, 'after=latest')
      const calls = [nowhere, row.body && !row.bodyOptional && { ...here, body: {} }, here].filter(
        (one) => !!one,
      )
      const before = await kept()
      const answers = await Promise.all(calls.map((one) => dry(one)))
      assert.deepEqual(await kept(), before)

      for (const [i, tried] of calls.entries()) {
        const { status, text, body } = answers[i] as Answer
        assert.equal(status, 200, text)
        const { wouldAnswer, events, changes } = body
        const last = await lastEvent()
        const real = await call(tried)
        assert.equal(wouldAnswer.status, real.status, text)
        assert.deepEqual(wouldAnswer.body, withoutIds(real.body, wouldAnswer.body))
        assert.deepEqual(events, withoutIds(await eventsAfter(last), events))
        const { items } = await readChanges(follow, `after=${next}`)
        const changed = items.map(({ kind, id, change }) => ({ kind, id, change }))
        assert.deepEqual(changes, withoutIds(changed, changes))
        assert.equal(real.status < 300, tried === here, real.text)
      }
    })
  }

  it('a rule’s refusal with its extra details, then the booking that fits', async () => {
    await fresh()
    await setRules(
      service,
      venue,
      everyEvening({ closures: [{ from: '2026-10-09', to: '2026-10-09', name: 'Wedding' }] }),
    )
    const path = '/api/v1/reservations?alternatives=2'
    const tried = { method: 'POST', path, body: sent.reservation }
    const { body } = await dry(tried)
    const real = await call(tried)
    assert.deepEqual(body.wouldAnswer, { status: real.status, body: real.body })
    assert.equal(body.wouldAnswer.body.reason, 'closed')
    assert.equal(body.wouldAnswer.body.alternatives.length, 2)
  })

  it('If-Match works as in the real call, and a confirmed booking gets a change request', async () => {
    await fresh()
    const made = await call({ method: 'POST', path: '/api/v1/reservations', body: sent.reservation })
    const { id, revision } = made.body.reservation
    await rowsOf(service, `update reservation set status = 'Confirmed' where venue_id = $1 and id = $2`, [
      venue.id,
      id,
    ])
    const change = { method: 'PATCH', path: `/api/v1/reservations/${id}`, body: { time: '20:00' } }
    const missing = await dry(change)
    assert.equal(missing.body.wouldAnswer.status, 428)
    const outdated = await dry({ ...change, ifMatch: `"${revision + 1}"` })
    assert.equal(outdated.body.wouldAnswer.status, 412)
    assert.equal(outdated.body.wouldAnswer.body.current.id, id)
    const unreadable = await dry({ ...change, ifMatch: 'x' })
    assert.equal(unreadable.status, 400)
    const { wouldAnswer } = (await dry({ ...change, ifMatch: `"${revision}"` })).body
    assert.equal(wouldAnswer.status, 202)
    assert.equal(wouldAnswer.body.reservation.id, id)
    assert.equal(wouldAnswer.body.change.id, null)
    assert.equal((await call({ ...change, ifMatch: '*' })).status, 202)
  })

  it('an unsupported call is 409, and nothing is done', async () => {
    await fresh()
    const before = await kept()
    for (const [method, path] of [
      ['GET', '/api/v1/guests'],
      ['POST', '/api/v1/batches'],
      ['POST', '/api/v1/campaigns/send'],
      ['POST', '/api/v1/webhooks'],
      ['POST', '/api/v1/dry-run'],
      ['PATCH', '/api/v1/reservations/find'],
      ['PATCH', '/api/v1/reservations/007'],
      ['POST', '/api/v1/nothing'],
      ['post', '/api/v1/tasks'],
      ['POST', 'tasks'],
      ['POST', '//'],
    ] as const) {
      const answer = await dry({ method, path, body: {} })
      assert.equal(answer.status, 409, path)
      assert.equal(answer.body.reason, 'no-dry-run')
    }
    assert.deepEqual(await kept(), before)
    const { body } = await dry({ method: 'POST', path: '/tasks', body: {} })
    assert.equal(body.error, 'There is no dry run of this call. Send its whole path, /api/v1/tasks.')
    const get = await dry({ method: 'GET', path: '/tasks' })
    assert.equal(get.body.error, 'There is no dry run of this call.')
  })

  it('needs what the real call needs, and shows a key nothing it may not read', async () => {
    await fresh()
    const tried = { method: 'POST', path: '/api/v1/reservations', body: sent.reservation }
    const withScopes = async (scopes: readonly Scope[]) =>
      dry(tried, (await venue.makeKey('read_write', 'api', { scopes })).key)
    assert.equal((await dry(tried, (await venue.makeKey('read')).key)).status, 403)
    const without = await withScopes(['tasks:create'])
    assert.equal(without.body.wouldAnswer.status, 403)
    assert.equal(without.body.wouldAnswer.body.reason, 'scope-missing')
    const booking = (await withScopes(['reservations:create'])).body
    assert.equal(booking.wouldAnswer.status, 201)
    assert.deepEqual([booking.events, booking.changes], [[], []])
    const reading = (await withScopes(['reservations:create', 'reservations:read'])).body
    assert.deepEqual(
      reading.events.map(({ event }: { event: string }) => event),
      ['reservation.created'],
    )
    assert.deepEqual(reading.changes, [{ kind: 'reservation', id: null, change: 'created' }])
    const everything = scopesOfWords({ kind: 'api', scope: 'read_write' })
    const hidden = await withScopes([...everything, 'contacts:hidden'])
    assert.equal(hidden.body.wouldAnswer.status, 201)
    assert.deepEqual(
      hidden.body.events.map(({ event }: { event: string }) => event),
      ['reservation.created'],
    )
    assert.doesNotMatch(hidden.text, /Ada|ada@/)
    const changed = await service.call('POST', '/api/v1/guests', { key, body: sent.guest })
    const edit = {
      method: 'PATCH',
      path: `/api/v1/guests/${changed.body.guest.id}`,
      body: { seatingPreference: 'Booth' },
    }
    const masked = (await venue.makeKey('read_write', 'api', { scopes: [...everything, 'contacts:hidden'] }))
      .key
    const outdated = await dry({ ...edit, ifMatch: '"9"' }, masked)
    assert.equal(outdated.body.wouldAnswer.status, 412)
    assert.doesNotMatch(outdated.text, /Ada|ada@/)
  })

  it('twenty in a minute with one key; the next is 429 with a retry time, while other calls still work', async () => {
    await fresh()
    const tried = { method: 'POST', path: '/api/v1/tasks', body: sent.task }
    const beside = (await venue.makeKey('read_write')).key
    for (let i = 0; i < limits.dryRunsPerMinute; i++) assert.equal((await dry(tried)).status, 200)
    const over = await dry(tried)
    assert.equal(over.status, 429)
    assert.equal(over.headers.get('retry-after'), '60')
    assert.match(over.body.error, /more than 20 dry runs in a minute/)
    assert.equal((await call(tried)).status, 201)
    assert.equal((await dry(tried, beside)).status, 200)
    service.setClock('2026-10-06T19:01:00Z')
    assert.equal((await dry(tried)).status, 200)
  })

  it('claims no Idempotency-Key: the call after it is the first', async () => {
    await fresh()
    const headers = { 'idempotency-key': 'once' }
    const body = { method: 'POST', path: '/api/v1/tasks', body: sent.task }
    assert.equal((await service.call('POST', '/api/v1/dry-run', { key, body, headers })).status, 200)
    const real = await service.call('POST', '/api/v1/tasks', { key, body: sent.task, headers })
    assert.equal(real.status, 201)
    assert.equal(real.headers.get('idempotent-replayed'), null)
  })

  it('waits like every write at a venue, and does not report a lost race', async () => {
    await fresh()
    const tried = { method: 'POST', path: '/api/v1/guests', body: sent.guest }
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, i) => (i % 2 === 0 ? dry(tried) : call(tried))),
    )
    assert.deepEqual(
      answers
        .map(({ status, body }) => (body.wouldAnswer ? 'tried' : String(status)))
        .filter((one) => one !== '200')
        .toSorted(),
      ['201', ...Array.from({ length: 6 }, () => 'tried')],
    )
    assert.equal((await rowsOf(service, 'select id from guest where venue_id = $1', [venue.id])).length, 1)
  })
})
