import assert from 'node:assert/strict'
import { cp, mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import type { Database } from './pool.ts'
import { freshDatabase, withDatabase, openPatiently } from '../../test/database.ts'
import { eventually } from '../../test/eventually.ts'
import { checkMark, releaseMark } from './database-mark.ts'
import { folderName } from './embedded/folder-name.ts'
import { makeSendingHold } from './sending-hold.ts'

const now = Temporal.Instant.from('2026-10-06T19:00:00Z')
const later = now.add({ hours: 1 })
const folder = 'folder /srv/data/postgres, inode 12'

/** A database, asked as often as wanted; nobody stays connected in between, so that it can be a template. */
const freshlyMarked = async () => {
  const database = await freshDatabase()
  const open = async <T>(url: string, work: (db: Database) => Promise<T>): Promise<T> => {
    const db = openPatiently({ url, size: 2 })
    try {
      return await work(db)
    } finally {
      await db.close()
    }
  }
  const check = (at = now, inFolder = folder, url = database.url) =>
    open(url, (db) => checkMark(db, inFolder, at))
  await check()
  return { ...database, open, check }
}

describe('the mark of a database', () => {
  it('is made at the first start, without a hold, and matches at every later one', async () => {
    const { check, drop } = await freshlyMarked()
    assert.deepEqual([await check(), await check(later)], [null, null])
    await drop()
  })

  it('does not match in a copy: the hold begins, survives restarts, and ends only by the command', async () => {
    const { url, open, check, drop } = await freshlyMarked()
    const copy = new URL(url)
    copy.pathname = `${copy.pathname}_copy`
    const server = process.env.TEST_DATABASE_URL as string
    await withDatabase(server, (admin) =>
      admin.query(`create database ${copy.pathname.slice(1)} template ${new URL(url).pathname.slice(1)}`),
    )
    assert.equal(await check(now, folder, copy.href), '2026-10-06T19:00:00.000Z')
    assert.equal(await check(later, folder, copy.href), '2026-10-06T19:00:00.000Z')
    assert.equal(await check(later), null, 'the database it was copied from goes on')
    assert.equal(await open(copy.href, (db) => releaseMark(db, folder, later)), '2026-10-06T19:00:00.000Z')
    assert.equal(await check(later, folder, copy.href), null)
    await withDatabase(server, (admin) => admin.query(`drop database ${copy.pathname.slice(1)} with (force)`))
    await drop()
  })

  it('does not match after a dump was loaded into the same database again', async () => {
    const { url, check, drop } = await freshlyMarked()
    await withDatabase(url, async (client) => {
      // What pg_restore --clean does.
      const { rows } = await client.query('select * from database_mark')
      await client.query('create table kept (like database_mark including all)')
      await client.query('drop table database_mark')
      await client.query('alter table kept rename to database_mark')
      await client.query(
        'insert into database_mark select * from jsonb_populate_record(null::database_mark, $1)',
        [JSON.stringify(rows[0])],
      )
    })
    assert.notEqual(await check(), null)
    await drop()
  })

  it('does not match after the folder of the embedded database was copied back, or moved', async () => {
    const above = await mkdtemp(join(tmpdir(), 'venue-mark-'))
    const dataDir = join(above, 'data')
    await mkdir(join(dataDir, 'postgres'), { recursive: true })
    const before = await folderName(dataDir)
    assert.equal(await folderName(dataDir), before)
    await cp(dataDir, join(above, 'backup'), { recursive: true })
    await rename(dataDir, join(above, 'broken'))
    await cp(join(above, 'backup'), dataDir, { recursive: true })
    assert.notEqual(await folderName(dataDir), before)

    const { check, drop } = await freshlyMarked()
    assert.equal(await check(now, folder), null)
    assert.notEqual(await check(now, 'folder /srv/data/postgres, inode 13'), null)
    await drop()
    await rm(above, { recursive: true })
  })

  it('every process sees the hold end within moments, whichever of them ended it', async () => {
    const { url, check, drop } = await freshlyMarked()
    await check(now, 'folder elsewhere')
    const db = openPatiently({ url, size: 4 })
    const clock = () => later
    const [one, other] = [
      makeSendingHold({ db, clock }, 'folder elsewhere'),
      makeSendingHold({ db, clock }, 'folder elsewhere'),
    ]
    for (const hold of [one, other]) {
      await hold.look()
      hold.watch()
      assert.equal(hold.isOn(), true)
    }
    await one.release()
    assert.equal(one.isOn(), false)
    await eventually(() => !other.isOn())
    one.close()
    other.close()
    await db.close()
    await drop()
  })
})
