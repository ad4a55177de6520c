import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { buildApp } from '../../app.ts'
import { serveHealth } from '../http/health.ts'
import { staffOf, visitOffice } from '../../test/office.ts'
import { type TestService, type TestVenue, startService } from '../../test/service.ts'

/** PostgreSQL itself says that the disk is full, to every write; no table can be created either. */
const fullDisk = `
  create function no_room() returns trigger language plpgsql as
    $$ begin raise exception using errcode = '53100', message = 'could not extend file'; end $$;
  ${['key_window', 'api_key', 'session', 'task']
    .map((table) => `create trigger no_room before insert or update on ${table} execute function no_room();`)
    .join('\n')}
  do $$ begin execute format('revoke temporary on database %I from public, current_user', current_database()); end $$`
const roomAgain = `
  drop function no_room cascade;
  do $$ begin execute format('grant temporary on database %I to public', current_database()); end $$`

describe('a database without room to write', () => {
  let service: TestService
  let venue: TestVenue
  let app: FastifyInstance
  before(async () => {
    service = await startService({ RATE_LIMIT_PER_MINUTE: '5' })
    venue = await service.venue()
    app = buildApp(service.context)
    serveHealth(app, service.context, () => true)
    await app.ready()
  })
  after(async () => {
    await app.close()
    await service.stop()
  })
  const sql = (text: string) => service.db.session((client) => client.query(text))
  const ready = async () => {
    service.setClock(service.context.clock().add({ seconds: 5 }).toString())
    return (await app.inject('/readyz')).statusCode
  }
  const read = () => service.call('GET', '/api/v1/me', { key: venue.key })
  const leftAfter = async () => Number((await read()).headers.get('ratelimit-remaining'))

  it('answers what only reads and counts it in memory, from what the database knew; /readyz says so until there is room', async () => {
    const { email } = await staffOf(service, venue, 'host')
    const office = visitOffice(service)
    await office.signIn(email)
    const first = await read()
    assert.equal(first.status, 200)
    const left = Number(first.headers.get('ratelimit-remaining'))
    assert.equal(await ready(), 200)
    await sql(fullDisk)
    assert.equal(await ready(), 200, 'nobody has met it yet')
    assert.equal(await leftAfter(), left - 1)
    assert.equal(await leftAfter(), left - 2)
    assert.equal(await ready(), 503)
    const { body } = (await app.inject('/readyz')) as { body: string }
    assert.match(body, /no room left to write/)
    const together = await Promise.all([read(), read(), read()])
    assert.deepEqual(together.filter(({ status }) => status === 429).length, 1)
    service.setClock('2026-10-06T19:02:00Z')
    assert.equal(await leftAfter(), 4, 'a minute later the window is another one')
    assert.equal((await office.get('/office/today')).status, 200, 'so are the pages of the office')
    const write = await service.call('POST', '/api/v1/tasks', {
      key: venue.key,
      body: { title: 'Order wine' },
    })
    assert.equal(write.status, 503, 'who writes is refused, and nothing is lost')
    assert.equal(await ready(), 503)
    await sql(roomAgain)
    assert.equal(
      (await app.inject('/readyz')).statusCode,
      503,
      'it is not tried more often than every few seconds',
    )
    assert.equal(await ready(), 200)
    assert.equal(await leftAfter(), 4, 'the database counts again')
  })
})
