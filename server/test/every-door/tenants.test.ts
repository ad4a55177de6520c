import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Endpoint } from '@venue-data/contract/webhooks/endpoint.ts'
import { endpoints } from '@venue-data/contract/endpoints.ts'
import { setGuestPages } from '../guest.ts'
import { everyEvening, setRules } from '../open-rules.ts'
import { rowsOf } from '../rows.ts'
import { sampleBody, sampleQueryAt } from './samples.ts'
import { type Answer, type TestService, type TestVenue, startService, withEveryScope } from '../service.ts'

/*
 * A key of venue A can never see or touch venue B. Both venues hold the same people under the same addresses,
 * numbers and Idempotency-Keys; all that is B's says so, so that a leak shows in any answer.
 */

const rows: readonly Endpoint[] = Object.values(endpoints)
const mark = 'BelongsToB'
const email = 'maya.okafor@example.com'
const phone = '(212) 555-0147'

type BodyShape = { properties?: object }

/** The sample body of a row with the shared person in it and, for B, the mark in every free text. */
const bodyFor = (row: Endpoint, text: string): Record<string, unknown> => {
  const { properties = {} }: BodyShape = row.body ?? {}
  const sample = { ...sampleBody(row) }
  for (const field of ['notes', 'title', 'name', 'guestName', 'eventName', 'firstName', 'concept']) {
    if (field in properties) sample[field] = text
  }
  if ('email' in properties) sample['email'] = email
  if ('phone' in properties) sample['phone'] = phone
  return sample
}

/** Everything a venue owns, table by table. */
const snapshot = async (service: TestService, venue: TestVenue): Promise<Record<string, unknown[]>> => {
  const tables = await rowsOf<{ name: string }>(
    service,
    `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attname = 'venue_id'
      order by c.relname`,
  )
  const found: Record<string, unknown[]> = {}
  for (const { name } of tables) {
    found[name] = (
      await rowsOf<{ row: string }>(
        service,
        `select to_jsonb(t)::text as row from ${name} t where venue_id = $1 order by 1`,
        [venue.id],
      )
    ).map(({ row }) => row)
  }
  found['venue'] = await rowsOf(service, 'select to_jsonb(v)::text as row from venue v where id = $1', [
    venue.id,
  ])
  return found
}

/** Records no endpoint makes. */
const fillByHand = async (service: TestService, venue: TestVenue, text: string): Promise<void> => {
  const run = (statement: string) =>
    rowsOf<{ id: string }>(service, statement, [venue.id, text, email, phone])
  await run(`with e as (insert into ticketed_event (venue_id, name, created_at) values ($1, $2, now()) returning id),
    o as (insert into occurrence (venue_id, event_id, title, date, capacity, price_cents)
          select $1, id, $2, '2026-11-01', 50, 2500 from e returning id)
    insert into ticket_order (venue_id, occurrence_id, order_number, status, channel, payment_method, buyer_last_name,
      buyer_email, buyer_email_key, buyer_phone, seats, subtotal_cents, total_cents, created_at, updated_at)
    select $1, id, 'ORDER-1', 'paid', 'public', 'cash', $2, $3, $3, $4, 1, 2500, 2500, now(), now() from o`)
  await rowsOf(service, 'insert into room (venue_id, name, place) values ($1, $2, 0)', [venue.id, text])
}

describe('two venues', () => {
  let service: TestService
  let a: TestVenue
  let b: TestVenue
  /** What B's POSTs answered, by the row's path: where its ids are. */
  const madeByB = new Map<string, Answer>()
  const idempotencyKey = { 'idempotency-key': 'the-same-text' }

  const post = (row: Endpoint, venue: TestVenue, text: string, key = venue.key) =>
    service.call('POST', row.path, { key, body: bodyFor(row, text), headers: idempotencyKey })
  const collections = rows.filter(
    ({ method, path, namesRecord }) => method === 'POST' && !path.includes('{') && !namesRecord,
  )
  const reads = rows.filter(
    // What events there are is the same for everybody.
    ({ id, method, path }) => method === 'GET' && !path.includes('{') && id !== 'listEventTypes',
  )
  const searches = async (row: Endpoint, { key }: TestVenue): Promise<string> =>
    row.query && 'email' in row.query
      ? `?email=${email}&phone=${encodeURIComponent(phone)}`
      : sampleQueryAt(service, key, row)

  before(async () => {
    service = await startService()
    a = await withEveryScope(await service.venue({ slug: 'a', name: 'Alpha' }))
    b = await withEveryScope(await service.venue({ slug: 'b', name: mark }))
    for (const venue of [a, b]) {
      await setRules(service, venue, everyEvening())
      // So that its key may call every endpoint.
      await rowsOf(service, 'update api_key set may_rotate = true where venue_id = $1', [venue.id])
      const text = venue === b ? mark : 'Alpha'
      for (const row of collections) {
        const answer = await post(row, venue, text)
        assert.ok([200, 201, 202].includes(answer.status), `${row.path} ${answer.text}`)
        assert.equal(answer.headers.get('idempotent-replayed'), null, row.path)
        if (venue === b) madeByB.set(row.path, answer)
      }
      await fillByHand(service, venue, text)
    }
  })
  after(() => service.stop())

  it('every list and search shows B its own, and A nothing of it', async () => {
    for (const row of reads) {
      const own = await service.call('GET', row.path + (await searches(row, b)), { key: b.key })
      assert.equal(own.status, 200)
      if (Array.isArray(own.body)) assert.equal(own.body.length, 1, `fill ${row.path} for this test`)
      const other = await service.call('GET', row.path + (await searches(row, a)), { key: a.key })
      assert.equal(other.status, 200)
      if (Array.isArray(other.body)) assert.equal(other.body.length, 1, row.path)
      assert.ok(!other.text.includes(mark), other.text)
      const ids = (answer: Answer): unknown[] =>
        Array.isArray(answer.body) ? answer.body.map(({ id }: { id: unknown }) => id) : []
      assert.ok(
        ids(own).every((id) => !ids(other).includes(id)),
        row.path,
      )
    }
  })

  it('a write of A, with the same people and the same Idempotency-Key, leaves B as it was', async () => {
    const before = await snapshot(service, b)
    const read = await a.makeKey('read')
    for (const row of collections) {
      // Replayed from A's own first try; then with a key of its own; then by a key that may not.
      const replayed = await post(row, a, 'Alpha')
      assert.equal(replayed.headers.get('idempotent-replayed'), row.idempotency ? 'true' : null, row.path)
      const anew = await service.call('POST', row.path, {
        key: a.key,
        body: { ...bodyFor(row, 'Alpha'), venue: 'b', venueId: b.id, restaurantId: 'b', venue_id: b.id },
        headers: { 'idempotency-key': 'another', 'x-venue': 'b', 'x-venue-id': String(b.id) },
      })
      for (const answer of [replayed, anew]) assert.ok(!answer.text.includes(mark), answer.text)
      assert.equal((await post(row, a, mark, read.key)).status, 403)
    }
    assert.deepEqual(await snapshot(service, b), before)
  })

  it('nothing in a query or a header points a request at another venue', async () => {
    for (const row of reads) {
      const at = `${row.path}${(await searches(row, a)) || '?'}&venue=b&venueId=${b.id}&venue_id=${b.id}&restaurantId=b`
      const answer = await service.call('GET', at, {
        key: a.key,
        headers: { 'x-venue': 'b', 'x-venue-id': String(b.id), host: 'b.example.com' },
      })
      assert.equal(answer.status, 200, answer.text)
      assert.ok(!answer.text.includes(mark), answer.text)
    }
  })

  it("B's record is to A, word for word, one that does not exist, and stays untouched", async () => {
    // Only the owner makes one.
    const [erasure] = await rowsOf<{ id: string }>(
      service,
      `insert into erasure (venue_id, at, ids) values ($1, now(), '{}') returning id`,
      [b.id],
    )
    const before = await snapshot(service, b)
    for (const row of rows.filter(({ path }) => path.includes('{id}'))) {
      const collection = row.path.slice(0, row.path.indexOf('/{id}'))
      const made = madeByB.get(collection)?.body
      const id: unknown = row.kind
        ? (await service.call('GET', collection, { key: b.key })).body[0].id
        : (made?.batch?.id ?? made?.id ?? erasure?.id)
      assert.ok(typeof id === 'string' || typeof id === 'number', `${row.path}: no id of B`)
      const call = (value: unknown) =>
        service.call(row.method, row.path.replace('{id}', String(value)), {
          key: a.key,
          ...(row.body && { body: bodyFor(row, mark) }),
        })
      const theirs = await call(id)
      const nobodys = await call(row.params ? 987_654_321 : '0190a0a0-0000-7000-8000-000000000000')
      assert.equal(theirs.status, 404, row.path)
      assert.equal(theirs.text, nobodys.text)
    }
    // Those that name their record in the body.
    await setGuestPages(service, a, { frameSites: ['https://www.example.com'] })
    const [occurrence] = (await service.call('GET', '/api/v1/occurrences', { key: b.key })).body
    for (const row of rows.filter(({ namesRecord }) => namesRecord)) {
      const isOrder = ['/api/v1/ticket-orders', '/api/v1/checkouts'].includes(row.path)
      const id: unknown = isOrder ? occurrence.id : madeByB.get('/api/v1/campaigns')?.body.campaign.id
      assert.ok(typeof id === 'number', `${row.path}: no id of B`)
      const call = (value: unknown) =>
        service.call(row.method, row.path, {
          key: a.key,
          body: { ...bodyFor(row, mark), [isOrder ? 'occurrenceId' : 'id']: value },
        })
      const theirs = await call(id)
      assert.equal(theirs.status, 404, row.path)
      assert.equal(theirs.text, (await call(999_999_999)).text)
    }
    assert.deepEqual(await snapshot(service, b), before)
  })
})
