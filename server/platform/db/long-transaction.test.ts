import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { freshDatabase, openPatiently, patience } from '../../test/database.ts'
import { type Database } from './pool.ts'
import { sql } from './sql.ts'

describe('a long transaction', () => {
  let db: Database
  let drop: () => Promise<void>
  before(async () => {
    const database = await freshDatabase()
    drop = database.drop
    db = openPatiently({ url: database.url, size: 2 })
  })
  after(async () => {
    await db.close()
    await drop()
  })

  it('has time for a statement over a million rows; an ordinary one does not', async () => {
    const limit = sql({ ms: 'int4' })`
      select setting::int4 as ms from pg_settings where name = 'statement_timeout'`
    assert.equal((await db.longTransaction(1, (long) => long.one(limit))).ms, 50_000)
    assert.equal((await db.one(limit)).ms, Math.trunc(3_000 * patience))
  })

  it('runs one at a time per group, and takes no connection from ordinary work', async () => {
    const first = Promise.withResolvers<void>()
    const order: string[] = []
    const one = db.longTransaction(1, async () => {
      order.push('one begins')
      await first.promise
      order.push('one ends')
    })
    const two = db.longTransaction(1, async () => void order.push('two'))
    await db.longTransaction(2, async () => void order.push('other group'))
    for (let i = 0; i < 4; i++) await db.one(sql({ n: 'int4' })`select 1 as n`)
    assert.ok(order.includes('other group') && !order.includes('two'))
    first.resolve()
    await Promise.all([one, two])
    assert.ok(order.indexOf('one ends') < order.indexOf('two'))
  })

  it('rolls back as a whole', async () => {
    await assert.rejects(
      db.longTransaction(1, async (long) => {
        await long.run(sql()`insert into mail_settings (venue_id) values (77)`)
        throw new Error('no')
      }),
      /no/,
    )
    const found = await db.maybe(sql({ venue_id: 'int8' })`
      select venue_id from mail_settings where venue_id = 77`)
    assert.equal(found, undefined)
  })
})
