import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import type { Endpoint } from '@venue-data/contract/webhooks/endpoint.ts'
import { endpoints } from '@venue-data/contract/endpoints.ts'
import { kinds, recordKinds } from '@venue-data/contract/kinds.ts'
import { limits } from '@venue-data/contract/limits.ts'
import pg from 'pg'
import { forgetKeptAnswers } from '../../data/erasure/erase-writes.ts'
import type { Queries } from '../../platform/db/pool.ts'
import type { Statement } from '../../platform/db/sql.ts'
import { claimKey, forgetOldKeys } from '../../platform/http/idempotency.ts'
import { eventually } from '../eventually.ts'
import { startLossyProxy } from '../processes/lossy-proxy.ts'
import { setRules } from '../open-rules.ts'
import { sampleBodyAt } from './samples.ts'
import { countOf, rowsOf, waitingForLock } from '../rows.ts'
import {
  type Answer,
  type TestService,
  type TestVenue,
  aTuesdayAfternoon,
  callService,
  startService,
} from '../service.ts'
import { startBeside } from '../wire.ts'

const rows = Object.values<Endpoint>(endpoints)
/** What makes a record of its own; what names another record has tests of its own. */
const making = rows.filter(
  ({ method, params, replies, namesRecord }) => method === 'POST' && !params && replies[201] && !namesRecord,
)
const paths = making.filter(({ idempotency }) => idempotency).map(({ path }) => path)
/** A retry of these finds what the first try made, by who it is or as what has been held. */
const takenOver: readonly string[] = ['/api/v1/holds', '/api/v1/guests', '/api/v1/subscribers']
const told = paths.filter((path) => !takenOver.includes(path))

const tableAt = (path: string): string =>
  recordKinds.find((kind) => kinds[kind].path === path) ?? 'booking_hold'

const start = Temporal.Instant.from(aTuesdayAfternoon)

describe('Idempotency-Key', () => {
  let service: TestService
  let venue: TestVenue
  let used = 0
  const newKey = (): string => `key-${++used}`
  const post = (path: string, idempotencyKey: string | undefined, body: unknown, key = venue.key) =>
    service.call('POST', path, {
      key,
      body,
      headers: idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey },
    })
  const clockAt = (milliseconds: number): void => service.setClock(start.add({ milliseconds }).toString())
  /** Makes a kept answer into what a crash leaves: a claim without an answer, and no record. */
  const asIfCrashed = async (path: string, idempotencyKey: string): Promise<void> => {
    const table = tableAt(path)
    await rowsOf(
      service,
      `update idempotency set answered_at = null, status = null, body = null, record_id = null
        where venue_id = $1 and endpoint = $2 and key = $3`,
      [venue.id, `POST ${path}`, idempotencyKey],
    )
    await rowsOf(service, `delete from ${table} where venue_id = $1`, [venue.id])
  }
  const assertReplayed = (again: Answer, first: Answer): void => {
    assert.equal(again.status, first.status, again.text)
    assert.equal(again.text, first.text)
    assert.equal(again.headers.get('idempotent-replayed'), 'true')
    assert.equal(first.headers.get('idempotent-replayed'), null)
  }
  const assertClash = (answer: Answer, clash: { error: RegExp; reason: string }): void => {
    assert.equal(answer.status, 409, answer.text)
    assert.match(answer.body.error, clash.error)
    assert.equal(answer.body.reason, clash.reason)
    // Only what is over soon is worth a wait.
    assert.equal(answer.headers.get('retry-after'), clash.reason === 'still-processing' ? '2' : null)
  }
  const differentBody = { error: /already used with a different body/, reason: 'different-body' }
  const stillProcessing = { error: /still being processed/, reason: 'still-processing' }

  before(async () => {
    service = await startService()
  })
  beforeEach(async () => {
    service.setClock(aTuesdayAfternoon)
    venue = await service.venue()
    await setRules(service, venue)
  })
  after(() => service.stop())

  it('is taken by exactly the endpoints the contract names', () => {
    const without = making.filter(({ idempotency }) => !idempotency)
    assert.deepEqual(
      without.map(({ path }) => path).toSorted(),
      ['/api/v1/hooks', '/api/v1/key/rotate', '/api/v1/webhooks', '/api/v1/webhooks/{id}/rotate-secret'],
      'everything else that makes a record takes one',
    )
    const taking = rows.filter(({ idempotency }) => idempotency)
    // And all that change one record by its id; to take something away twice takes nothing more.
    for (const row of rows) {
      if (row.method === 'PATCH' || (row.kind && row.precondition && row.method !== 'DELETE'))
        assert.ok(row.idempotency, row.path)
    }
    assert.deepEqual(
      taking
        .filter(({ idempotency, params }) => !params && idempotency === 'outcome-unknown')
        .map(({ path }) => path)
        .toSorted(),
      // A checkout names the date it is for, and has tests of its own.
      [...told, '/api/v1/checkouts'].toSorted(),
    )
    for (const row of taking) {
      const reasons: readonly string[] = row.reasons ?? []
      for (const { reason } of [differentBody, stillProcessing])
        assert.ok(reasons.includes(reason), `${row.path} ${reason}`)
    }
  })

  describe('same key and same body: the first answer again, nothing done twice', () => {
    for (const path of paths) {
      it(path, async () => {
        const [body, table] = [sampleBodyAt(path), tableAt(path)]
        const key = newKey()
        const first = await post(path, key, body)
        assert.equal(first.status, 201, first.text)
        const events = await countOf(service, 'event', venue.id)
        for (let i = 0; i < 3; i++) assertReplayed(await post(path, key, body), first)
        assert.equal(await countOf(service, table, venue.id), 1)
        assert.equal(await countOf(service, 'event', venue.id), events)
      })
    }

    it('a kept 200 is replayed as a 200', async () => {
      await post('/api/v1/guests', undefined, { email: 'maya@example.com', phone: '2125550147' })
      const body = { email: 'maya@example.com', phone: '(646) 555-0199' }
      const first = await post('/api/v1/guests', 'matched', body)
      assert.equal(first.status, 200)
      assert.deepEqual(first.body.conflicting, { phone: '(646) 555-0199' })
      assertReplayed(await post('/api/v1/guests', 'matched', body), first)

      await rowsOf(service, `insert into suppression values ($1, 'out@example.com', 'bounced', now())`, [
        venue.id,
      ])
      const out = { email: 'out@example.com', consent: { source: 'Form' } }
      const suppressed = await post('/api/v1/subscribers', 'out', out)
      assert.equal(suppressed.body.status, 'suppressed')
      await rowsOf(service, 'delete from suppression where venue_id = $1', [venue.id])
      assertReplayed(await post('/api/v1/subscribers', 'out', out), suppressed)
    })

    it('the answer is replayed unchanged even if the record has changed since', async () => {
      const body = { name: 'Maya', email: 'maya@example.com' }
      const first = await post('/api/v1/guests', 'kept', body)
      await rowsOf(service, `update guest set name = 'Other', visit_count = 9 where venue_id = $1`, [
        venue.id,
      ])
      assertReplayed(await post('/api/v1/guests', 'kept', body), first)
    })

    it('the order of fields, blanks and the way a number is written make no other body', async () => {
      const key = newKey()
      const first = await post(
        '/api/v1/reservations',
        key,
        '{"guestName":"Zoë","partySize":2,"date":"2026-10-09","time":"19:00"}',
      )
      assert.equal(first.status, 201, first.text)
      for (const same of [
        '{"time":"19:00","date":"2026-10-09","partySize":2,"guestName":"Zoë"}',
        ' {\n\t"guestName" : "Zo\\u00eb", "partySize": 2.0, "date":"2026-10-09","time":"19:00" } ',
        '{"guestName":"Zoë","partySize":0.2e1,"date":"2026-10-09","time":"19:00"}',
      ]) {
        assertReplayed(await post('/api/v1/reservations', key, same), first)
      }
      for (const other of [
        '{"guestName":"Zoë","partySize":3,"date":"2026-10-09","time":"19:00"}',
        '{"guestName":"Zoë ","partySize":2,"date":"2026-10-09","time":"19:00"}',
        '{"guestName":"Zoe\\u0308","partySize":2,"date":"2026-10-09","time":"19:00"}',
        '{"guestName":"Zoë","partySize":2,"date":"2026-10-09","time":"7pm"}',
        '{"guestName":"Zoë","partySize":2,"date":"2026-10-09","time":"19:00","unknown":1}',
        '{"guestName":"Zoë","partySize":2,"date":"2026-10-09","time":"19:00","notes":null}',
      ]) {
        assertClash(await post('/api/v1/reservations', key, other), differentBody)
      }
    })
  })

  it('belongs to a venue and an endpoint: the same text elsewhere is another key', async () => {
    const other = await service.venue()
    await setRules(service, other)
    for (const path of paths) {
      for (const { key } of [venue, other]) {
        const answer = await post(path, 'shared', sampleBodyAt(path), key)
        assert.equal(answer.headers.get('idempotent-replayed'), null, path)
        assert.ok([200, 201].includes(answer.status), answer.text)
      }
    }
  })

  it('a retry after the API key was rotated still replays', async () => {
    const body = sampleBodyAt('/api/v1/tasks')
    const first = await post('/api/v1/tasks', 'rotated', body)
    const rotated = await venue.makeKey('read_write')
    assertReplayed(await post('/api/v1/tasks', 'rotated', body, rotated.key), first)
    const automation = await venue.makeKey('read_write', 'automation')
    assertReplayed(await post('/api/v1/tasks', 'rotated', body, automation.key), first)
  })

  it('without a key, tasks are not protected against repeats', async () => {
    const body = sampleBodyAt('/api/v1/tasks')
    for (let i = 0; i < 2; i++) assert.equal((await post('/api/v1/tasks', undefined, body)).status, 201)
    assert.equal(await countOf(service, 'task', venue.id), 2)
  })

  it('is 1 to 200 visible characters', async () => {
    const body = sampleBodyAt('/api/v1/tasks')
    for (const good of ['x', 'x'.repeat(limits.idempotencyKeyCharacters), '!"#$%&/()=?~', 'a,b;c']) {
      assert.equal((await post('/api/v1/tasks', good, body)).status, 201, good)
    }
    for (const bad of [
      '',
      ' ',
      'a b',
      'x'.repeat(limits.idempotencyKeyCharacters + 1),
      'é',
      'a\tb',
      '\u00a0',
    ]) {
      const answer = await post('/api/v1/tasks', bad, body)
      assert.equal(answer.status, 400, JSON.stringify(bad))
      assert.match(answer.body.error, /^Idempotency-Key must be 1 to 200 visible characters/)
    }
  })

  describe('a different body is 409, a caller bug', () => {
    for (const path of paths) {
      it(`${path}: when the first try has finished`, async () => {
        const body = sampleBodyAt(path)
        const key = newKey()
        await post(path, key, body)
        assertClash(await post(path, key, { ...body, notes: 'changed' }), differentBody)
      })
    }
  })

  describe('while the first try is still being processed', () => {
    it('the same body gets an answer to wait, a different one that it differs; then the answer is kept', async () => {
      const body = sampleBodyAt('/api/v1/guests')
      await post('/api/v1/guests', undefined, { email: 'first@example.com' })
      const holder = new pg.Client({ connectionString: service.databaseUrl })
      await holder.connect()
      await holder.query('begin')
      await holder.query('select from guest_book where venue_id = $1 for update', [venue.id])
      const first = post('/api/v1/guests', 'slow', body)
      await eventually(async () => (await countOf(service, 'idempotency', venue.id)) === 1)
      assertClash(await post('/api/v1/guests', 'slow', body), stillProcessing)
      assertClash(await post('/api/v1/guests', 'slow', { ...body, name: 'Other' }), differentBody)
      await holder.query('commit')
      await holder.end()
      const done = await first
      assert.equal(done.status, 201, done.text)
      assertReplayed(await post('/api/v1/guests', 'slow', body), done)
    })

    it('of 40 parallel tries exactly one does the work, on every endpoint', async () => {
      for (const path of paths) {
        const [body, table] = [sampleBodyAt(path), tableAt(path)]
        const before = await countOf(service, table, venue.id)
        const answers = await Promise.all(Array.from({ length: 40 }, () => post(path, 'parallel', body)))
        for (const answer of answers) {
          if (answer.status === 409) assertClash(answer, stillProcessing)
          else assert.equal(answer.status, answers.find(({ status }) => status < 300)?.status, answer.text)
        }
        const fresh = answers.filter(
          ({ status, headers }) => status < 300 && headers.get('idempotent-replayed') === null,
        )
        assert.equal(fresh.length, 1, path)
        // The reservation made the guest already.
        const made = path === '/api/v1/guests' ? 0 : 1
        assert.equal((await countOf(service, table, venue.id)) - before, made, path)
      }
    })
  })

  describe('only successful answers are kept', () => {
    it('a refusal is not replayed: the next try is judged afresh, with the same or another body', async () => {
      const body = { guestName: 'Maya', partySize: 2, date: '2026-10-09', time: '19:00' }
      await setRules(service, venue, { periods: [] })
      const closed = await post('/api/v1/reservations', 'again', body)
      assert.equal(closed.body.reason, 'closed')
      assert.equal(await countOf(service, 'idempotency', venue.id), 0)
      assert.equal((await post('/api/v1/reservations', 'again', body)).body.reason, 'closed')
      await setRules(service, venue)
      const open = await post('/api/v1/reservations', 'again', { ...body, partySize: 3 })
      assert.equal(open.status, 201)
      assert.equal(open.headers.get('idempotent-replayed'), null)
    })

    it('a 400 does not even claim the key', async () => {
      for (const path of paths) {
        assert.equal((await post(path, 'bad', {})).status, 400)
        assert.equal((await post(path, 'bad', '{')).status, 400)
      }
      assert.equal(await countOf(service, 'idempotency', venue.id), 0)
    })

    it('a try that died with its connection to the database frees the key too', async () => {
      const body = sampleBodyAt('/api/v1/guests')
      await post('/api/v1/guests', undefined, { email: 'first@example.com' })
      const holder = new pg.Client({ connectionString: service.databaseUrl })
      await holder.connect()
      await holder.query('begin')
      await holder.query('select from guest_book where venue_id = $1 for update', [venue.id])
      const first = post('/api/v1/guests', 'killed', body)
      await eventually(
        async () =>
          (
            await rowsOf(
              service,
              `select pg_terminate_backend(pid) from pg_stat_activity
                where datname = current_database() and wait_event_type = 'Lock'`,
            )
          ).length === 1,
      )
      await holder.query('commit')
      await holder.end()
      assert.equal((await first).status, 503)
      assert.equal(await countOf(service, 'idempotency', venue.id), 0)
      const again = await post('/api/v1/guests', 'killed', body)
      assert.equal(again.status, 201)
      assert.equal(await countOf(service, 'guest', venue.id), 2)
    })
  })

  describe('a first try that started and never finished', () => {
    const youngest = limits.idempotencyClaimSeconds * 1_000
    for (const path of paths) {
      it(`${path}: younger than a minute it counts as running`, async () => {
        const body = sampleBodyAt(path)
        await post(path, 'crashed', body)
        await asIfCrashed(path, 'crashed')
        clockAt(youngest - 1)
        assertClash(await post(path, 'crashed', body), stillProcessing)
        assertClash(await post(path, 'crashed', { ...body, notes: 'x' }), differentBody)
      })
    }

    for (const path of told) {
      it(`${path}: older, its outcome is unknown, until a day is over`, async () => {
        const [body, table] = [sampleBodyAt(path), tableAt(path)]
        await post(path, 'crashed', body)
        await asIfCrashed(path, 'crashed')
        for (const age of [youngest, youngest * 60, limits.idempotencyHours * 3_600_000]) {
          clockAt(age)
          const answer = await post(path, 'crashed', body)
          assert.equal(answer.status, 409)
          assert.equal(answer.body.reason, 'outcome-unknown')
          assertClash(await post(path, 'crashed', { ...body, notes: 'x' }), differentBody)
        }
        assert.equal(await countOf(service, table, venue.id), 0)
        clockAt(limits.idempotencyHours * 3_600_000 + 1)
        assert.equal((await post(path, 'crashed', body)).status, 201)
      })
    }

    for (const path of takenOver) {
      it(`${path}: older, the retry simply goes ahead and is kept`, async () => {
        const [body, table] = [sampleBodyAt(path), tableAt(path)]
        await post(path, 'crashed', body)
        await asIfCrashed(path, 'crashed')
        clockAt(youngest)
        assertClash(await post(path, 'crashed', { ...body, notes: 'x' }), differentBody)
        const again = await post(path, 'crashed', body)
        assert.equal(again.status, 201, again.text)
        assert.equal(again.headers.get('idempotent-replayed'), null)
        assertReplayed(await post(path, 'crashed', body), again)
        assert.equal(await countOf(service, table, venue.id), 1)
      })
    }

    it('a late first try whose claim was taken over rolls back everything', async () => {
      const body = { name: 'Maya', email: 'maya@example.com', notes: 'Once only.' }
      await post('/api/v1/guests', undefined, { email: 'first@example.com' })
      const events = await countOf(service, 'event', venue.id)
      const holder = new pg.Client({ connectionString: service.databaseUrl })
      await holder.connect()
      await holder.query('begin')
      await holder.query('select from guest_book where venue_id = $1 for update', [venue.id])

      const tokenOf = async () =>
        (
          await rowsOf<{ token: string }>(service, `select token from idempotency where venue_id = $1`, [
            venue.id,
          ])
        )[0]?.token
      // The first try holds its claim and waits for the guest book.
      const first = post('/api/v1/guests', 'late', body)
      const firstToken = await eventually(tokenOf)
      await eventually(async () => (await waitingForLock(service)) === 1)
      // A minute later the second takes its claim and waits behind it.
      clockAt(youngest)
      const second = post('/api/v1/guests', 'late', body)
      await eventually(async () => (await tokenOf()) !== firstToken)
      await eventually(async () => (await waitingForLock(service)) === 2)
      await holder.query('commit')
      await holder.end()

      assertClash(await first, stillProcessing)
      const done = await second
      assert.equal(done.status, 201, done.text)
      assert.equal(await countOf(service, 'guest', venue.id), 2)
      assert.equal((await countOf(service, 'event', venue.id)) - events, 1)
      assertReplayed(await post('/api/v1/guests', 'late', body), done)
    })

    it('a claim that is finished in the moment it would be taken over stays with who finished it', async () => {
      const path = '/api/v1/guests'
      const body = sampleBodyAt(path)
      const first = await post(path, 'finished', body)
      const [kept] = await rowsOf(service, 'select * from idempotency where venue_id = $1', [venue.id])
      await rowsOf(
        service,
        `update idempotency set answered_at = null, status = null, body = null where venue_id = $1`,
        [venue.id],
      )
      clockAt(youngest)
      // Between what the retry sees and what it does, the first try commits.
      const finishes = {
        ...service.context,
        db: {
          ...service.db,
          run: async (statement: Parameters<typeof service.db.run>[0]) => {
            await rowsOf(
              service,
              `update idempotency set answered_at = $2, status = $3, body = $4 where venue_id = $1`,
              [venue.id, kept?.['answered_at'], kept?.['status'], kept?.['body']],
            )
            return service.db.run(statement)
          },
        },
      }
      await assert.rejects(
        claimKey(finishes, {
          venue: venue.id,
          endpoint: endpoints.createGuest,
          address: 'POST /api/v1/guests',
          key: 'finished',
          body,
          stillStands: undefined,
        }),
        {
          message: stillProcessing.error,
          reason: stillProcessing.reason,
        },
      )
      assertReplayed(await post(path, 'finished', body), first)
    })
  })

  it('a claim that is still on its way when the read next to it fails is freed, and the next try does the work', async () => {
    const holder = new pg.Client({ connectionString: service.databaseUrl })
    await holder.connect()
    await holder.query('begin')
    await holder.query(
      `insert into idempotency (venue_id, endpoint, key, body_hash, token, claimed_at)
       values ($1, 'POST /api/v1/guests', 'slow', '', gen_random_uuid(), now())`,
      [venue.id],
    )
    let asked = 0
    const readFails = {
      ...service.context,
      db: {
        ...service.db,
        together: <T>(work: (queries: Queries) => Promise<T>) =>
          service.db.together((queries) =>
            work({
              ...queries,
              maybe: async <Row>(statement: Statement<Row>) => {
                asked += 1
                if (asked === 2) throw Object.assign(new Error('gone'), { code: '57P01' })
                return queries.maybe(statement)
              },
            }),
          ),
      },
    }
    const claiming = claimKey(readFails, {
      venue: venue.id,
      endpoint: endpoints.createGuest,
      address: 'POST /api/v1/guests',
      key: 'slow',
      body: {},
      stillStands: undefined,
    })
    const refused = assert.rejects(claiming, { code: '57P01' })
    await eventually(async () => (await waitingForLock(service)) === 1)
    await holder.query('rollback')
    await holder.end()
    await refused
    assert.equal(await countOf(service, 'idempotency', venue.id), 0)
    assert.equal((await post('/api/v1/guests', 'slow', { name: 'Maya', email: 'm@example.com' })).status, 201)
  })

  it('a retry that meets an erasure under way waits for it, and does not create the person again', async () => {
    const body = { name: 'Maya', email: 'maya@example.com' }
    await post('/api/v1/guests', 'erased', body)
    const holding = Promise.withResolvers<void>()
    const forgotten = Promise.withResolvers<void>()
    const erasing = service.db.transaction(async (queries) => {
      await forgetKeptAnswers(queries, venue.id, [{ endpoint: 'POST /api/v1/guests', key: 'erased' }])
      forgotten.resolve()
      await holding.promise
    })
    await forgotten.promise
    const again = post('/api/v1/guests', 'erased', body)
    await eventually(async () => (await waitingForLock(service)) === 1)
    holding.resolve()
    await erasing
    assertClash(await again, { error: /erased/, reason: 'answer-erased' })
    assert.equal(await countOf(service, 'idempotency', venue.id), 1)
  })

  describe('after 24 hours', () => {
    it('the key is free: not a moment earlier', async () => {
      for (const path of paths) {
        service.setClock(aTuesdayAfternoon)
        const body = sampleBodyAt(path)
        const first = await post(path, 'day', body)
        clockAt(limits.idempotencyHours * 3_600_000)
        assertReplayed(await post(path, 'day', body), first)
        clockAt(limits.idempotencyHours * 3_600_000 + 1)
        const later = await post(path, 'day', body)
        assert.ok([200, 201].includes(later.status), later.text)
        assert.equal(later.headers.get('idempotent-replayed'), null, path)
      }
    })

    it('what is kept is swept away, and nothing younger', async () => {
      await post('/api/v1/tasks', 'old', { title: 'Old' })
      clockAt(1_000)
      await post('/api/v1/tasks', 'young', { title: 'Young' })
      clockAt(limits.idempotencyHours * 3_600_000 + 1)
      await forgetOldKeys(service.context)
      const left = await rowsOf(service, 'select key from idempotency where venue_id = $1', [venue.id])
      assert.deepEqual(left, [{ key: 'young' }])
    })
  })

  describe('a kept reservation or lead that is no more', () => {
    const body = sampleBodyAt('/api/v1/reservations')
    const askAgain = () => post('/api/v1/reservations', 'gone', body)

    it('a cancelled reservation is not replayed: the same details are then a new request', async () => {
      const first = await askAgain()
      await rowsOf(service, `update reservation set status = 'Cancelled' where venue_id = $1`, [venue.id])
      const again = await askAgain()
      assert.equal(again.status, 201)
      assert.equal(again.headers.get('idempotent-replayed'), null)
      assert.notEqual(again.body.reservation.id, first.body.reservation.id)
      assertReplayed(await askAgain(), again)
    })

    it('restored before the retry, it is replayed', async () => {
      const first = await askAgain()
      await rowsOf(service, `update reservation set status = 'Cancelled' where venue_id = $1`, [venue.id])
      await rowsOf(service, `update reservation set status = 'Requested' where venue_id = $1`, [venue.id])
      assertReplayed(await askAgain(), first)
    })

    it('every other status is replayed', async () => {
      const first = await askAgain()
      for (const status of ['Confirmed', 'Seated', 'Completed', 'No-show']) {
        await rowsOf(service, `update reservation set status = $2 where venue_id = $1`, [venue.id, status])
        assertReplayed(await askAgain(), first)
      }
    })

    it('a deleted reservation is not replayed, and its key takes another body', async () => {
      await askAgain()
      await rowsOf(service, 'delete from reservation where venue_id = $1', [venue.id])
      const other = await post('/api/v1/reservations', 'gone', { ...body, partySize: 5 })
      assert.equal(other.status, 201)
      assert.equal(other.headers.get('idempotent-replayed'), null)
      assertClash(await askAgain(), differentBody)
    })

    it('a deleted lead is not replayed', async () => {
      const body = sampleBodyAt('/api/v1/leads')
      const first = await post('/api/v1/leads', 'gone', body)
      await rowsOf(service, 'delete from lead where venue_id = $1', [venue.id])
      const again = await post('/api/v1/leads', 'gone', body)
      assert.equal(again.status, 201)
      assert.notEqual(again.body.lead.id, first.body.lead.id)
      assertReplayed(await post('/api/v1/leads', 'gone', body), again)
    })

    it('a refusal of the new request leaves the key free', async () => {
      await askAgain()
      await rowsOf(service, `update reservation set status = 'Cancelled' where venue_id = $1`, [venue.id])
      await setRules(service, venue, { periods: [] })
      assert.equal((await askAgain()).body.reason, 'closed')
      await setRules(service, venue)
      assert.equal((await askAgain()).status, 201)
    })
  })

  describe('when the answer to COMMIT is lost', () => {
    it('what was committed is looked up and answered; of what was not nothing is left, and the key is free', async () => {
      const proxy = await startLossyProxy(service.databaseUrl)
      const beside = await startBeside(service, proxy.url)
      const task = (idempotencyKey: string) =>
        callService(beside.url, 'POST', '/api/v1/tasks', {
          key: venue.key,
          body: { title: 'Call Maya' },
          headers: { 'idempotency-key': idempotencyKey },
        })
      proxy.loseNextCommit('after')
      const committed = await task('committed')
      assert.equal(committed.status, 201, committed.text)
      assert.equal(await countOf(service, 'task', venue.id), 1)
      assertReplayed(await task('committed'), committed)

      proxy.loseNextCommit('before')
      const lost = await task('lost')
      assert.equal(lost.status, 503, lost.text)
      assert.equal(await countOf(service, 'task', venue.id), 1)
      const again = await task('lost')
      assert.equal(again.status, 201, again.text)
      assert.equal(await countOf(service, 'task', venue.id), 2)
      await beside.stop()
      await proxy.stop()
    })
  })
})
