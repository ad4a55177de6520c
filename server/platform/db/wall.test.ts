import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { readConfig } from '../../config.ts'
import { openPatientProgram } from '../../test/program.ts'
import { type TestService, type TestVenue, startService } from '../../test/service.ts'
import type { Database, Queries } from './pool.ts'
import { type Statement, sql } from './sql.ts'
import { venueTables } from './wall.ts'

describe('the second wall between venues', () => {
  let service: TestService
  let own: TestVenue
  let other: TestVenue
  before(async () => {
    service = await startService()
    own = await service.venue()
    other = await service.venue()
  })
  after(() => service.stop())

  const guestsOf = (venue: number): Statement<{ id: number }> =>
    sql({ id: 'int8' })`select id from guest where venue_id = ${venue}`
  const refuses = (work: Promise<unknown>, said: RegExp) =>
    assert.rejects(
      work,
      (error: Error) => said.test(error.message) && /: (?:select|insert)/.test(error.message),
    )

  it('surrounds every table whose key begins with the venue', async () => {
    const tables = await venueTables(service.db)
    for (const name of ['guest', 'reservation', 'delivery', 'event', 'idempotency', 'recipient'])
      assert.ok(tables.has(name), name)
    for (const name of ['venue', 'staff', 'session', 'api_key']) assert.ok(!tables.has(name), name)
  })

  const ways: readonly (readonly [
    way: string,
    run: (db: Database, work: (queries: Queries) => Promise<unknown>) => Promise<unknown>,
  ])[] = [
    ['a statement by itself', (db, work) => work(db)],
    ['a transaction', (db, work) => db.transaction(work)],
    ['a rehearsal', (db, work) => db.rehearse(work)],
    ['a long transaction', (db, work) => db.longTransaction(own.id, work)],
    ['statements together', (db, work) => db.together(work)],
  ]
  for (const [way, run] of ways) {
    it(`lets a unit of work see its venue and no other: ${way}`, async () => {
      for (const db of [service.context.db, service.context.workerDb]) {
        await run(db, async (queries) => {
          assert.deepEqual(await queries.within(own.id).many(guestsOf(own.id)), [])
        })
        await refuses(
          run(db, (queries) => queries.within(own.id).many(guestsOf(other.id))),
          new RegExp(
            `^A unit of work of venue ${own.id} sent a statement whose \\$1 is another venue: select id from guest`,
          ),
        )
      }
    })
  }

  it('refuses a statement that leaves the venue out, no matter what else it carries', async () => {
    const { db } = service.context
    const work = db.within(own.id)
    // The id is the same number as the venue's: that the statement carries it somewhere is not enough.
    await refuses(
      work.maybe(sql({ id: 'int8' })`select id from guest where id = ${own.id}`),
      /does not hold guest to a venue/,
    )
    await refuses(
      work.run(
        sql()`insert into tag (venue_id, name, name_key) values (${other.id}, 'x', ${String(own.id)})`,
      ),
      /\$1 is another venue/,
    )
    await refuses(
      work.many(
        sql({ id: 'int8' })`select id from guest where venue_id = any(${[own.id, other.id]}::bigint[])`,
      ),
      /\$1 is another venue/,
    )
    await refuses(
      work.many(sql({ id: 'int8' })`
        select g.id from guest g
         where g.venue_id = ${own.id} and exists (select from reservation r where r.guest_id = g.id)`),
      /does not hold reservation to a venue/,
    )
  })

  it('is not bypassed by a unit inside a unit', () => {
    assert.throws(() => service.db.within(own.id).within(other.id), /was to work for venue/)
  })

  it('leaves statements outside a unit, and local tables, alone', async () => {
    assert.deepEqual(await service.db.many(sql({ id: 'int8' })`select id from guest`), [])
    const { slug } = await service.db
      .within(own.id)
      .one(sql({ slug: 'text' })`select slug from venue where id = ${other.id}`)
    assert.equal(slug, other.slug)
  })

  it('is up on a practice instance and costs nothing elsewhere: there `within` returns its argument', async () => {
    for (const practice of ['on', 'off']) {
      const config = readConfig({
        DATABASE_URL: service.databaseUrl,
        SECRETS: service.context.config.secrets,
        PRACTICE: practice,
      })
      const { context, close } = await openPatientProgram(config, 'command')
      try {
        for (const db of [context.db, context.workerDb]) {
          const asked = db.within(own.id).many(guestsOf(other.id))
          if (practice === 'on') await refuses(asked, /another venue/)
          else assert.deepEqual(await asked, [])
          await db.transaction(async (queries) => {
            assert.equal(queries.within(own.id) === queries, practice === 'off')
          })
        }
      } finally {
        await close()
      }
    }
  })
})
