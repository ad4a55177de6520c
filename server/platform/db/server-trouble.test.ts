import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { after, before, describe, it } from 'node:test'
import { pino } from 'pino'
import { codeOf } from '../kernel/code-of.ts'
import { freshDatabase, openPatiently } from '../../test/database.ts'
import { type Database } from './pool.ts'
import { logServerTrouble } from './server-trouble.ts'
import { fragment, sql } from './sql.ts'

describe("the log of the database server's own trouble", () => {
  let database: Database
  let drop: () => Promise<void>
  let nowMs = 0
  let lines: { code: string; message: string; level: number }[] = []
  before(async () => {
    const fresh = await freshDatabase()
    drop = fresh.drop
    const stream = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        lines.push(JSON.parse(chunk.toString()))
        done()
      },
    })
    const onFailed = logServerTrouble(pino({ messageKey: 'sentence' }, stream), () => nowMs)
    database = openPatiently({ url: fresh.url, size: 1, onFailed })
  })
  after(async () => {
    await database.close()
    await drop()
  })
  /** PostgreSQL itself raises an error of that code, in a request (or a transaction). */
  const raised = async (code: string, message: string, where: 'alone' | 'in a transaction' = 'alone') => {
    const raise = sql()`${fragment(`do $$ begin raise exception using errcode = '${code}', message = '${message}'; end $$`)}`
    await assert.rejects(
      where === 'alone' ? database.run(raise) : database.transaction((db) => db.run(raise)),
      { code },
    )
  }
  const told = (): string[] => {
    const all = lines.map(({ code, message }) => `${code} ${message}`)
    lines = []
    return all
  }

  it('has its message for the classes 53, 0A and XX, wherever the statement came from', async () => {
    await raised('53100', 'the disk is full')
    await raised('0A000', 'that is not supported', 'in a transaction')
    await raised('XX001', 'an index is broken')
    assert.deepEqual(told(), [
      '53100 the disk is full',
      '0A000 that is not supported',
      'XX001 an index is broken',
    ])
  })

  it('has one line a minute for each class', async () => {
    nowMs += 59_999
    await raised('53200', 'no memory')
    await raised('0A000', 'not this either')
    assert.deepEqual(told(), [])
    nowMs += 1
    await raised('53200', 'no memory')
    await raised('53100', 'the disk is full')
    await raised('0A000', 'not this either')
    assert.deepEqual(told(), ['53200 no memory', '0A000 not this either'])
  })

  it('has no message of any other class, since those quote data', async () => {
    nowMs += 60_000
    await raised('23505', 'Key (email)=(maya@example.com) exists already')
    await raised('22P02', 'invalid input: maya@example.com')
    await raised('P0001', 'maya@example.com')
    assert.deepEqual(told(), [])
  })

  it('also mentions a connection that the server refuses', async () => {
    const url = new URL(process.env['TEST_DATABASE_URL'] as string)
    const name = `full_${process.pid}`
    const seen: unknown[] = []
    await database.session((client) => client.query(`create database ${name} connection limit 0`))
    url.pathname = `/${name}`
    // A superuser is never refused, so somebody else asks.
    const { isSuper } = await database.session(
      async (client) =>
        (await client.query('select rolsuper as "isSuper" from pg_roles where rolname = current_user'))
          .rows[0],
    )
    if (isSuper) {
      await database.session((client) => client.query(`create role ${name} login password 'x'`))
      url.username = name
      url.password = 'x'
    }
    const full = openPatiently({
      url: url.href,
      onFailed: (error) => seen.push(codeOf(error)),
    })
    try {
      await assert.rejects(full.one(sql({ one: 'int4' })`select 1 as one`), { code: '53300' })
      assert.deepEqual(seen, ['53300'])
    } finally {
      await full.close()
      await database.session((client) => client.query(`drop database ${name}`))
      if (isSuper) await database.session((client) => client.query(`drop role ${name}`))
    }
  })
})
