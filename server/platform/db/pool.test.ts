import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { codeOf } from '../kernel/code-of.ts'
import { freshDatabase, openPatiently } from '../../test/database.ts'
import { eventually } from '../../test/eventually.ts'
import { startFaultyProxy } from '../../test/processes/faulty-proxy.ts'
import { patience } from '../../test/patience.ts'
import { readForManyVenues } from './expect-large-venues.ts'
import { CommitUnknown, isDatabaseDown } from './faults.ts'
import { type Database, type Queries, openDatabase } from './pool.ts'
import { columnsOf, quickRead, sql } from './sql.ts'

const answer = sql({ answer: 'int4' })

describe('a connection', () => {
  it('that takes longer than its caller waits is still opened, for the next', async () => {
    const fresh = await freshDatabase()
    const proxy = await startFaultyProxy(fresh.url)
    const database = openDatabase({ url: proxy.url, patience: patience.ms() / 8_000 })
    try {
      await proxy.become('silent')
      await assert.rejects(database.run(sql()`select`), /timeout exceeded when trying to connect/)
      assert.deepEqual(database.counts().ordinary, { total: 1, idle: 0, waiting: 0 })
      await proxy.become('works')
      await eventually(() => database.counts().ordinary.idle === 1)
      await database.run(sql()`select`)
      assert.equal(database.counts().ordinary.total, 1)
    } finally {
      await database.close()
      await proxy.stop()
      await fresh.drop()
    }
  })

  it('of background work is waited for, since nobody waits behind it', async () => {
    const fresh = await freshDatabase()
    const proxy = await startFaultyProxy(fresh.url)
    const options = { url: proxy.url, patience: patience.ms() / 8_000 }
    const [database, background] = [openDatabase(options), openPatiently({ ...options, background: true })]
    try {
      await proxy.become('silent')
      const waiting = background.run(sql()`select`)
      await assert.rejects(database.run(sql()`select`), /timeout exceeded when trying to connect/)
      await proxy.become('works')
      await waiting
    } finally {
      await Promise.all([database.close(), background.close()])
      await proxy.stop()
      await fresh.drop()
    }
  })
})

describe('a transaction', () => {
  let database: Database
  let url: string
  let drop: () => Promise<void>
  before(async () => {
    const fresh = await freshDatabase()
    ;({ url, drop } = fresh)
    // One connection: anything one transaction leaves behind, the next one would meet.
    database = openPatiently({ url: fresh.url, size: 1 })
    await database.session((client) =>
      client.query('create table note (venue_id bigint, id bigint primary key)'),
    )
  })
  after(async () => {
    await database.close()
    await drop()
  })
  const insert = (id: number) => sql()`insert into note (venue_id, id) values (1, ${id})`
  const notes = async (): Promise<number[]> =>
    (await database.many(sql({ id: 'int8' })`select id from note order by id`)).map(({ id }) => id)

  it('keeps everything or nothing', async () => {
    await database.transaction(async (db) => {
      await Promise.all([db.run(insert(1)), db.run(insert(2))])
    })
    await assert.rejects(
      database.transaction(async (db) => {
        await db.run(insert(3))
        throw new Error('no')
      }),
      /^Error: no$/,
    )
    assert.deepEqual(await notes(), [1, 2])
  })

  it('includes the statements sent with its commit: if one fails, nothing is kept', async () => {
    const before = await notes()
    await database.transaction(async (db) => {
      db.inTransaction?.beforeCommit(() => db.run(insert(11)))
      await db.run(insert(10))
    })
    await assert.rejects(
      database.transaction(async (db) => {
        db.inTransaction?.beforeCommit(() => db.run(insert(10)))
        await db.run(insert(12))
      }),
      { code: '23505' },
    )
    await assert.rejects(
      database.transaction(async (db) => {
        db.inTransaction?.beforeCommit(() => db.run(insert(13)))
        throw new Error('no')
      }),
      /^Error: no$/,
    )
    assert.deepEqual(await notes(), [...before, 10, 11])
    await database.transaction((db) => db.run(sql()`delete from note where id in (10, 11)`))
  })

  it('sends with its commit only what does not wait for an answer: what comes later is refused, and takes nothing back', async () => {
    const before = await notes()
    await assert.rejects(
      database.transaction(async (db) => {
        db.inTransaction?.beforeCommit(async () => {
          await db.run(insert(31))
          await db.run(insert(32))
        })
        await db.run(insert(30))
      }),
      /after its transaction had ended/,
    )
    assert.deepEqual(await notes(), [...before, 30, 31])
    await database.transaction((db) => db.run(sql()`delete from note where id in (30, 31)`))
  })

  it('rehearsed, does everything, the statements sent with the commit included, and keeps nothing', async () => {
    const before = await notes()
    let last = 0
    const seen = await database.rehearse(async (db) => {
      db.inTransaction?.beforeCommit(async () => (last = await db.run(insert(21))))
      await db.run(insert(20))
      return (await db.many(sql({ id: 'int8' })`select id from note where id = 20`)).length
    })
    assert.deepEqual([seen, last], [1, 1])
    await assert.rejects(
      database.rehearse(async (db) => {
        db.inTransaction?.beforeCommit(() => db.run(insert(22)))
        await db.run(insert(22))
      }),
      { code: '23505' },
    )
    assert.deepEqual(await notes(), before)
  })

  it('a statement that one branch sends after another branch failed is refused, and not sent in the next transaction', async () => {
    const next = Promise.withResolvers<void>()
    let late: Promise<unknown> | undefined
    await assert.rejects(
      database.transaction(async (db) => {
        late = next.promise.then(() => db.run(insert(4)))
        await Promise.all([db.run(insert(1)), late])
      }),
      { code: '23505' },
    )
    await database.transaction(async (db) => {
      await db.one(answer`select 42 as answer`)
      next.resolve()
      await assert.rejects(late as Promise<unknown>, /after its transaction had ended/)
    })
    assert.deepEqual(await notes(), [1, 2])
  })

  it('in which a failed statement was ignored does not count as committed', async () => {
    await assert.rejects(
      database.transaction(async (db) => {
        await db.run(insert(5))
        await db.run(insert(1)).catch(() => undefined)
      }),
      (error) => !(error instanceof CommitUnknown),
    )
    assert.deepEqual(await notes(), [1, 2])
  })

  it('refuses at its first run a statement of which one column would hide another', async () => {
    const [one, other] = [{ id: 'int8' }, { id: 'int8', venue_id: 'int8' }] as const
    await assert.rejects(
      database.many(sql({ ...one, ...other })`
        select ${columnsOf(one, 'n')}, ${columnsOf(other, 'm')} from note n join note m on m.id = n.id`),
      /^Error: two columns are called id, so that one would hide the other: a statement declares /,
    )
  })

  it('recovers by itself when the columns that a named statement returns have changed', async () => {
    const wide = sql({ venue_id: 'int8', id: 'int8' })`select * from note where id = ${1}`
    const read = () => database.transaction((db) => db.one(wide))
    assert.deepEqual(await read(), { venue_id: 1, id: 1 })
    await database.session((client) => client.query('alter table note alter venue_id type integer'))
    assert.deepEqual(await read(), { venue_id: 1, id: 1 })
  })

  it('for which no connection is free in time fails with a code that a log may show, and without sending anything', async () => {
    // No more patient than a request: nobody is waited for but the transaction around it.
    const ordinary = openDatabase({ url, size: 1, patience: patience.ms() / 8_000 })
    const failure = await ordinary.transaction(async () => {
      try {
        return await ordinary.run(insert(90))
      } catch (error) {
        return error
      }
    })
    await ordinary.close()
    assert.equal(codeOf(failure), 'no-connection')
    assert.ok(isDatabaseDown(failure))
    assert.ok(!(await notes()).includes(90))
  })

  it('a session has no time limits: a migration may take its time', async () => {
    const limits = await database.session(
      async (client) =>
        (
          await client.query(
            `select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock`,
          )
        ).rows[0],
    )
    assert.deepEqual(limits, { statement: '0', lock: '0' })
  })

  it('no statement is compiled, whatever the database says', async () => {
    const fresh = await freshDatabase()
    const setting = sql({ jit: 'text' })`select current_setting('jit') as jit`
    const plain = openPatiently({ url: fresh.url, size: 1 })
    try {
      await plain.session((client) =>
        client.query(
          `do $$ begin execute format('alter database %I set jit = on', current_database()); end $$`,
        ),
      )
      const later = openPatiently({ url: fresh.url, size: 1 })
      try {
        assert.equal((await later.one(setting)).jit, 'off')
      } finally {
        await later.close()
      }
    } finally {
      await plain.close()
      await fresh.drop()
    }
  })
})

describe('statements asked together', () => {
  let database: Database
  let drop: () => Promise<void>
  before(async () => {
    const fresh = await freshDatabase()
    drop = fresh.drop
    database = openPatiently({ url: fresh.url, size: 1 })
  })
  after(async () => {
    await database.close()
    await drop()
  })
  const divided = (by: number) => sql({ answer: 'int4' })`select 12 / ${by}::int4 as answer`

  it('each have their own answer, and one that fails fails alone', async () => {
    const outcomes = await database.together((db) =>
      Promise.allSettled([1, 0, 3].map((by) => db.one(divided(by)))),
    )
    assert.deepEqual(
      outcomes.map((one) => (one.status === 'fulfilled' ? one.value.answer : one.reason.code)),
      [12, '22012', 4],
    )
  })

  it('are independent: what was done stays done when a later one fails', async () => {
    await database.session((client) => client.query('create table kept (venue_id bigint, id bigint)'))
    const insert = sql()`insert into kept (venue_id, id) values (1, 1)`
    await assert.rejects(
      database.together(async (db) => {
        await db.run(insert)
        await db.one(divided(0))
      }),
    )
    assert.equal((await database.many(sql({ id: 'int8' })`select id from kept`)).length, 1)
  })

  it('are asked again when a migration has changed what they return', async () => {
    await database.session((client) =>
      client.query('create table changing (venue_id bigint, id bigint); insert into changing values (1, 7)'),
    )
    const read = sql({ venue_id: 'int8' })`select venue_id from changing where id = 7`
    const twice = () => database.together((db) => Promise.all([db.one(read), db.one(divided(3))]))
    const expected = [{ venue_id: 1 }, { answer: 4 }]
    assert.deepEqual(await twice(), expected)
    await database.session((client) => client.query('alter table changing alter venue_id type integer'))
    assert.deepEqual(await twice(), expected)
  })

  it('are sent on one connection, which is free again afterwards; none may follow later', async () => {
    const backend = sql({ pid: 'int4' })`select pg_backend_pid() as pid`
    let late: Queries | undefined
    const pids = await database.together((db) => {
      late = db
      return Promise.all([db.one(backend), db.one(backend)])
    })
    assert.equal(pids[0]?.pid, pids[1]?.pid)
    assert.equal((await database.one(divided(2))).answer, 6)
    await assert.rejects(async () => late?.one(backend), /after its connection was given back/)
  })
})

describe('quick reads', () => {
  let database: Database
  let drop: () => Promise<void>
  before(async () => {
    const fresh = await freshDatabase()
    drop = fresh.drop
    database = openPatiently({ url: fresh.url, size: 4 })
  })
  after(async () => {
    await database.close()
    await drop()
  })
  const backend = quickRead(sql({ pid: 'int4' })`select pg_backend_pid() as pid`)
  const divided = (by: number) => quickRead(sql({ answer: 'int4' })`select 12 / ${by}::int4 as answer`)
  const endOfItsConnection = quickRead(
    sql({ ended: 'bool' })`select pg_terminate_backend(pg_backend_pid()) as ended`,
  )

  it('asked in one turn share a connection, four at a time', async () => {
    const pids = await Promise.all([1, 2, 3, 4, 5, 6].map(async () => (await database.one(backend)).pid))
    assert.equal(new Set(pids.slice(0, 4)).size, 1)
    assert.equal(new Set(pids.slice(4)).size, 1)
    assert.notEqual(pids[0], pids[4])
  })

  it('each have their own answer, and one that fails fails alone', async () => {
    const outcomes = await Promise.allSettled([1, 0, 3].map((by) => database.one(divided(by))))
    assert.deepEqual(
      outcomes.map((one) => (one.status === 'fulfilled' ? one.value.answer : one.reason.code)),
      [12, '22012', 4],
    )
  })

  it('that failed because their connection ended are read once more on another one', async () => {
    const outcomes = await Promise.allSettled([
      database.one(endOfItsConnection),
      database.one(divided(2)),
      database.one(divided(3)),
    ])
    assert.deepEqual(
      outcomes.map((one) => (one.status === 'fulfilled' ? one.value : one.reason.code)),
      ['57P01', { answer: 6 }, { answer: 4 }],
    )
  })

  it('inside a transaction are part of it', async () => {
    const pids = await database.transaction((db) => Promise.all([1, 2, 3, 4, 5].map(() => db.one(backend))))
    assert.equal(new Set(pids.map(({ pid }) => pid)).size, 1)
  })

  it('are planned once, like every statement of a request; those of long transactions are planned for their values', async () => {
    const mode = sql({ mode: 'text' })`select current_setting('plan_cache_mode') as mode`
    assert.equal((await database.one(mode)).mode, 'force_generic_plan')
    assert.equal((await database.longTransaction(1, (db) => db.one(mode))).mode, 'auto')
  })

  it('are planned for a large venue in every table of venues, and by indexes', async () => {
    const planned = sql({ scans: 'text', venues: 'text[]' })`
      select current_setting('enable_seqscan') as scans,
             array(select distinct coalesce(attoptions::text, c.relname::text)
                     from pg_attribute a
                     join pg_class c on c.oid = a.attrelid and c.relnamespace = 'public'::regnamespace
                     join pg_constraint p on p.conrelid = c.oid and p.contype = 'p' and p.conkey[1] = a.attnum
                    where a.attname = 'venue_id' and c.relname <> all (${readForManyVenues})) as venues`
    assert.deepEqual(await database.one(planned), { scans: 'off', venues: ['{n_distinct=2}'] })
    assert.equal((await database.longTransaction(1, (db) => db.one(planned))).scans, 'off')
  })
})
