import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, before, beforeEach, describe, it } from 'node:test'
import { limits } from '@venue-data/contract/limits.ts'
import pg from 'pg'
import { eventually } from '../eventually.ts'
import { type FaultyProxy, startFaultyProxy } from './faulty-proxy.ts'
import { setRules } from '../open-rules.ts'
import { type ServiceProcess, startProcess } from '../process.ts'
import { countOf, rowsOf } from '../rows.ts'
import {
  type Answer,
  type Call,
  type TestService,
  type TestVenue,
  callService,
  startService,
} from '../service.ts'

/*
 * The service as a process of its own, its PostgreSQL behind a proxy that fails on demand. What a client may
 * see of a failing database is 503 with `Retry-After: 2`, in time, and nothing half-done behind it.
 */

const list = '/api/v1/reservations'

/** A statement of the service that waits for a lock, and since when. */
type LockWaiter = { pid: number; since: string }

describe('a database that fails', () => {
  let service: TestService
  let proxy: FaultyProxy
  let running: ServiceProcess
  let venue: TestVenue
  const seen = new Set<number>()

  const call = async (method: string, path: string, more: Call = {}): Promise<Answer> => {
    const answer = await callService(running.url, method, path, { key: venue.key, ...more })
    seen.add(answer.status)
    return answer
  }
  const postGuest = (email: string, idempotencyKey?: string, key = venue.key) =>
    call('POST', '/api/v1/guests', {
      key,
      body: { name: 'Maya Okafor', email },
      ...(idempotencyKey !== undefined && { headers: { 'idempotency-key': idempotencyKey } }),
    })
  const readiness = async (): Promise<number> => (await fetch(`${running.url}/readyz`)).status
  const assertUnreachable = (answer: Answer): void => {
    assert.equal(answer.status, 503, answer.text)
    assert.equal(answer.headers.get('retry-after'), String(limits.retryAfterFaultSeconds))
    assert.deepEqual(Object.keys(answer.body), ['error'])
  }
  /** Well again by itself: readiness on, reads and writes served. */
  const healthy = () =>
    eventually(
      async () =>
        (await readiness()) === 200 &&
        (await call('GET', list)).status === 200 &&
        (await call('POST', '/api/v1/tasks', { body: { title: 'Call Maya' } })).status === 201,
    )
  /** Holds the lock of the venue's guest book, so that a write stops in the middle of its transaction. */
  const holdGuestBook = async (): Promise<{
    waiting: (count: number) => Promise<unknown>
    release: () => Promise<void>
  }> => {
    const holder = new pg.Client({ connectionString: service.databaseUrl })
    await holder.connect()
    await holder.query('begin')
    await holder.query('select from guest_book where venue_id = $1 for update', [venue.id])
    return {
      waiting: (count) => eventually(async () => (await lockWaiters()).length === count),
      release: async () => {
        await holder.query('commit')
        await holder.end()
      },
    }
  }
  const lockWaiters = () =>
    rowsOf<LockWaiter>(
      service,
      `select pid, query_start::text as since from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )

  before(async () => {
    service = await startService()
    proxy = await startFaultyProxy(service.databaseUrl)
    running = await startProcess({
      DATABASE_URL: proxy.url,
      SECRETS: service.context.config.secrets as string,
      RATE_LIMIT_PER_MINUTE: '1000000',
      // No background work: what is counted below is what the requests did.
      ROLE: 'web',
    })
    await running.ready()
  })
  beforeEach(async () => {
    venue = await service.venue()
    await setRules(service, venue)
    assert.equal((await postGuest('first@example.com')).status, 201)
  })
  after(async () => {
    assert.equal(await running.stop(), 0, running.complained())
    await proxy.stop()
    await service.stop()
  })

  it('stopped: 503 at every request, readiness off, the process still alive; healthy by itself on its return', async () => {
    await proxy.become('stopped')
    for (let round = 0; round < 3; round++) {
      assertUnreachable(await call('GET', '/api/v1/me'))
      assertUnreachable(await call('GET', list))
      assertUnreachable(await postGuest('stopped@example.com'))
      assertUnreachable(await postGuest('stopped@example.com', 'stopped'))
    }
    const page = await fetch(`${running.url}/v/${venue.slug}/tickets`, {
      headers: { 'accept-language': 'es' },
    })
    assert.equal(page.status, 503)
    assert.match(await page.text(), /<h1>Un momento, por favor<\/h1>/, 'guests are told in their language')
    assert.equal(await readiness(), 503)
    assert.equal((await fetch(`${running.url}/healthz`)).status, 200)
    await proxy.become('works')
    await healthy()
    assert.equal((await postGuest('stopped@example.com', 'stopped')).status, 201)
    assert.equal(await countOf(service, 'guest', venue.id), 2)
  })

  it('silent (a black hole): 503 on reads and writes while it is, however many; healthy by itself on its return', async () => {
    await proxy.become('silent')
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        n % 2 === 0 ? call('GET', list) : postGuest(`silent${n}@example.com`, `silent${n}`),
      ),
    )
    for (const answer of answers) assertUnreachable(answer)
    assert.equal(await readiness(), 503)
    await proxy.become('works')
    await healthy()
    assert.equal((await postGuest('silent1@example.com', 'silent1')).status, 201)
    assert.equal(await countOf(service, 'guest', venue.id), 2)
  })

  it('silent in the middle of a write: 503, nothing half-written, and the same Idempotency-Key goes on', async () => {
    const held = await holdGuestBook()
    const first = postGuest('middle@example.com', 'middle')
    await held.waiting(1)
    await proxy.become('silent')
    assertUnreachable(await first)
    await held.release()
    await proxy.become('works')
    await healthy()
    assert.equal(await countOf(service, 'guest', venue.id), 1)
    const again = await eventually(async () => {
      const answer = await postGuest('middle@example.com', 'middle')
      return answer.status === 201 && answer
    })
    assert.equal(again.headers.get('idempotent-replayed'), null)
    assert.equal(await countOf(service, 'guest', venue.id), 2)
  })

  it('a claim whose answer is lost does not block its key: it is freed as soon as the database is back', async () => {
    const holder = new pg.Client({ connectionString: service.databaseUrl })
    await holder.connect()
    const claims = `from idempotency where venue_id = $1 and key = 'lost'`
    // The claim of the write waits for this row, and takes the key once it is gone.
    await holder.query('begin')
    await holder.query(
      `insert into idempotency (venue_id, endpoint, key, body_hash, token, claimed_at)
       values ($1, 'POST /api/v1/guests', 'lost', '', gen_random_uuid(), now())`,
      [venue.id],
    )
    const first = postGuest('lost@example.com', 'lost')
    await eventually(async () => (await lockWaiters()).length === 1)
    await proxy.become('stopped')
    await holder.query('rollback')
    await holder.end()
    assertUnreachable(await first)
    await eventually(async () => (await rowsOf(service, `select ${claims}`, [venue.id])).length === 1)
    await proxy.become('works')
    await healthy()
    await eventually(async () => (await postGuest('lost@example.com', 'lost')).status === 201)
    assert.equal(await countOf(service, 'guest', venue.id), 2)
  })

  it('a lock that is not given up: one more try, then 503; given up in time, the write goes through', async () => {
    const never = await holdGuestBook()
    const refused = postGuest('locked@example.com', 'locked')
    const waits = new Set<string>()
    await eventually(async () => {
      for (const { since } of await lockWaiters()) waits.add(since)
      return waits.size === 2
    })
    assertUnreachable(await refused)
    assert.equal(await countOf(service, 'guest', venue.id), 1)

    const second = postGuest('locked@example.com', 'locked')
    await never.waiting(1)
    const [firstWait] = await lockWaiters()
    // Until it is the second try that waits.
    await eventually(async () => {
      const [waiting] = await lockWaiters()
      return waiting !== undefined && waiting.since > (firstWait as LockWaiter).since
    })
    await never.release()
    assert.equal((await second).status, 201)
    assert.equal(await countOf(service, 'guest', venue.id), 2)
  })

  it('backends killed under the writes of two venues: no 500, nothing half-written, nothing in the wrong venue', async () => {
    const venues = [venue, await service.venue()]
    await setRules(service, venues[1] as TestVenue)
    let over = false
    let killed = 0
    const mostKilled = 100
    const killing = (async () => {
      // Bounded: on a fast machine an endless killer lets nobody through.
      while (!over && killed < mostKilled) {
        killed += (
          await rowsOf(
            service,
            `select pg_terminate_backend(pid) from pg_stat_activity
              where datname = current_database() and application_name = 'venue-data'
                and state in ('active', 'idle in transaction') and pid <> pg_backend_pid()
              order by random() limit 1`,
          )
        ).length
      }
    })()
    const made: { venue: number; email: string }[] = []
    const booked: { venue: number; email: string }[] = []
    // As an integrator does it: the same key until there is an answer that is no fault.
    const persist = async (post: () => Promise<Answer>): Promise<void> => {
      const answer = await eventually(async () => {
        const { status, body } = await post()
        return status !== 503 && body.reason !== 'still-processing' && { status, reason: body.reason }
      })
      assert.deepEqual(answer, { status: 201, reason: undefined })
    }
    /** A guest, or every second time a booking with its new guest: each a trip in which one row takes its id from the other. */
    const write = async (one: TestVenue, n: number): Promise<void> => {
      const email = `${one.slug}-${n}@example.com`
      made.push({ venue: one.id, email })
      if (n % 2 === 0) return persist(() => postGuest(email, email, one.key))
      booked.push({ venue: one.id, email })
      const date = Temporal.Now.plainDateISO('UTC')
        .add({ days: 2 + n })
        .toString()
      return persist(() =>
        call('POST', '/api/v1/reservations', {
          key: one.key,
          body: { guestName: 'Maya Okafor', email, date, time: '19:00', partySize: 2 },
          headers: { 'idempotency-key': email },
        }),
      )
    }
    try {
      await Promise.all(venues.flatMap((one) => Array.from({ length: 40 }, (_, n) => write(one, n))))
    } finally {
      over = true
      await killing
    }
    assert.ok(killed > 10, `only ${killed} backends were killed`)
    const rows = await rowsOf<{ venue_id: number; email: string }>(
      service,
      `select venue_id, email from guest where venue_id = any($1) and email <> 'first@example.com'`,
      [venues.map(({ id }) => id)],
    )
    const written = (list: { venue: number; email: string }[]) =>
      list.map(({ venue, email }) => `${venue} ${email}`).toSorted()
    assert.deepEqual(written(rows.map((row) => ({ venue: row.venue_id, email: row.email }))), written(made))
    const bookings = await rowsOf<{ venue_id: number; email: string }>(
      service,
      `select r.venue_id, g.email from reservation r
         join guest g on g.venue_id = r.venue_id and g.id = r.guest_id and g.email = r.email
        where r.venue_id = any($1)`,
      [venues.map(({ id }) => id)],
    )
    assert.deepEqual(
      written(bookings.map((row) => ({ venue: row.venue_id, email: row.email }))),
      written(booked),
    )
    for (const one of venues) {
      assert.equal(
        (await rowsOf(service, `select from event where venue_id = $1 and name = 'guest.created'`, [one.id]))
          .length,
        await countOf(service, 'guest', one.id),
      )
      assert.equal(await countOf(service, 'reservation', one.id), 20)
      assert.equal(
        (
          await rowsOf(service, `select from event where venue_id = $1 and name = 'reservation.created'`, [
            one.id,
          ])
        ).length,
        20,
      )
    }
  })

  it('a client that hangs up does not abort its write, and the same key replays the answer', async () => {
    const held = await holdGuestBook()
    const body = JSON.stringify({ email: 'hung-up@example.com' })
    const socket = connect(running.port, '127.0.0.1')
    await once(socket, 'connect')
    socket.write(
      `POST /api/v1/guests HTTP/1.1\r\nhost: x\r\nx-service-key: ${venue.key}\r\nidempotency-key: hung-up\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    )
    await held.waiting(1)
    socket.destroy()
    await held.release()
    await eventually(async () => (await countOf(service, 'guest', venue.id)) === 2)
    const again = await postGuest('hung-up@example.com', 'other-body')
    assert.equal(again.body.created, false)
    const replayed = await call('POST', '/api/v1/guests', { body, headers: { 'idempotency-key': 'hung-up' } })
    assert.equal(replayed.status, 201)
    assert.equal(replayed.headers.get('idempotent-replayed'), 'true')
  })

  it('in all of this there was never a 500', () => {
    assert.deepEqual(
      [...seen].filter((status) => status >= 500 && status !== 503),
      [],
    )
  })
})
