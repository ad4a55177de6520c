import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { snapshotTaken, takeSnapshot } from '../../platform/db/snapshot.ts'
import { toMoment } from '../../platform/kernel/time/moment.ts'
import { eventually } from '../../test/eventually.ts'
import { type TestService, startService } from '../../test/service.ts'
import { beginPractice } from './instance.ts'
import { firstSnapshot, resetPractice, snapshotPractice } from './reset.ts'
import { type TestInstance, startInstance } from './test/instance.ts'
import { openPatiently } from '../../test/database.ts'

describe('a practice instance that is put back to its snapshot', () => {
  let instance: TestInstance
  before(async () => {
    instance = await startInstance()
  })
  after(() => instance.stop())

  const reset = () => resetPractice(instance.service.db, instance.system)
  const clock = () => instance.service.context.clock()

  /** Every row of every table that holds data of venues, as text. The feeds of changes begin another epoch. */
  const everything = async (): Promise<Record<string, string>> => {
    const names = await instance.query<{ name: string }>(
      `select relname as name from pg_class
        where relnamespace = 'public'::regnamespace and relkind = 'r'
          and relname not in ('schema_migration', 'database_mark', 'practice', 'practice_process', 'mail_process', 'change_head') order by 1`,
    )
    const found: Record<string, string> = {}
    for (const { name } of names) {
      const [row] = await instance.query<{ hash: string }>(
        `select md5(coalesce(string_agg(t::text, e'\\n' order by t::text), '')) || ' ' || count(*) as hash from "${name}" t`,
      )
      found[name] = row?.hash ?? ''
    }
    return found
  }
  const makeGuest = async (email: string): Promise<number> => {
    const { status, body, text } = await instance.call('POST', 'guests', { body: { name: 'Ada', email } })
    assert.equal(status, 201, text)
    return body.guest.id
  }

  it('has one first snapshot, also when several processes start together', async () => {
    const { db } = instance.service
    await instance.query('drop schema if exists practice_snapshot cascade')
    const moments = [0, 1, 2, 3].map((hours) => clock().add({ hours }))
    const others = moments.map(() => openPatiently({ url: instance.service.databaseUrl, size: 2 }))
    try {
      await Promise.all(
        others.map((other, at) => firstSnapshot({ db: other, clock: () => moments[at] ?? clock() })),
      )
    } finally {
      await Promise.all(others.map((other) => other.close()))
    }
    const taken = (await snapshotTaken(db))?.takenAt
    assert.ok(moments.some((moment) => toMoment(moment) === taken))
    await firstSnapshot({ db, clock: () => clock().add({ hours: 9 }) })
    assert.equal((await snapshotTaken(db))?.takenAt, taken)
    // One that looked before there was any.
    await takeSnapshot(db, [], toMoment(clock().add({ hours: 9 })), { onlyFirst: true })
    assert.equal((await snapshotTaken(db))?.takenAt, taken)
  })

  it('has every row, id and key of the snapshot, none made since, and its clock', async () => {
    await snapshotPractice(instance.service.db, instance.system)
    const then = { rows: await everything(), clock: toMoment(clock()) }

    const receiver = await instance.receiver(['guest.created'])
    const id = await makeGuest('ada@example.com')
    const cursor = (await instance.call('GET', 'changes?after=latest')).body.next
    await eventually(() => receiver.received.length === 1)
    await instance.query(`update api_key set revoked_at = $1 where scope = 'read'`, [then.clock])
    await instance.query('delete from task')
    await instance.advance('PT2H')
    assert.equal((await instance.call('GET', 'me', { key: instance.demo.keys.readOnly })).status, 401)

    assert.equal(await reset(), then.clock)
    await instance.service.context.usage.flush()
    assert.deepEqual(await everything(), then.rows)
    assert.equal(toMoment(clock()), then.clock)
    assert.equal((await instance.call('GET', `changes?after=${cursor}`)).status, 410)
    assert.equal((await instance.call('GET', 'me', { key: instance.demo.keys.readOnly })).status, 200)
    assert.deepEqual((await instance.call('GET', 'webhooks')).body, [])
    assert.equal(await makeGuest('ada@example.com'), id, 'ids begin where they did')
  })

  it('delivers nothing made before, and everything made since', async () => {
    const failing = await instance.receiver(['guest.created'], 500)
    await makeGuest('before@example.com')
    await eventually(() => failing.received.length === 1)
    await reset()
    const again = await instance.receiver(['guest.created'])
    await makeGuest('since@example.com')
    await instance.advance('PT1H')
    assert.equal(failing.received.length, 1)
    assert.deepEqual(
      again.received.map(({ body }) => JSON.parse(body.toString()).data.email),
      ['since@example.com'],
    )
  })

  it('goes on answering meanwhile: requests wait or are 503, and no connection is lost', async () => {
    let over = false
    const statuses = new Set<number>()
    const lost: unknown[] = []
    const ask = async (): Promise<void> => {
      try {
        statuses.add((await instance.call('GET', 'guests?limit=1')).status)
      } catch (error) {
        lost.push(error instanceof Error ? (error.cause ?? error) : error)
      }
    }
    const asking = (async () => {
      while (!over) await ask()
    })()
    await reset()
    over = true
    await asking
    assert.deepEqual(lost, [])
    assert.deepEqual(
      [...statuses].filter((status) => status !== 200 && status !== 503),
      [],
    )
    assert.equal((await instance.call('GET', 'guests?limit=1')).status, 200)
  })

  it('is put back to the newest snapshot', async () => {
    const id = await makeGuest('kept@example.com')
    await snapshotPractice(instance.service.db, instance.system)
    await instance.call('POST', 'guests', { body: { name: 'Bo', email: 'bo@example.com' } })
    await reset()
    const { body } = await instance.call('GET', 'guests?limit=1')
    assert.equal(body[0].id, id)
  })

  it('refuses a snapshot from before an upgrade', async () => {
    await instance.query(`update practice_snapshot.taken set migration = '0001-venue-and-keys.sql'`)
    await assert.rejects(reset(), { message: /^The snapshot was taken before an upgrade/ })
  })
})

describe('a reset that cannot be', () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.stop())

  it('is one of anything but a practice instance, and one without a snapshot', async () => {
    await assert.rejects(resetPractice(service.db), { message: /^This is not a practice instance/ })
    await assert.rejects(snapshotPractice(service.db), { message: /^This is not a practice instance/ })
    await beginPractice(service.db, '', 0)
    await assert.rejects(resetPractice(service.db), { message: /^There is no snapshot yet/ })
  })

  it('works without a running service, too', async () => {
    await snapshotPractice(service.db)
    const venue = await service.venue()
    await resetPractice(service.db)
    assert.equal((await service.call('GET', '/api/v1/me', { key: venue.key })).status, 401)
  })
})
