import assert from 'node:assert/strict'
import { mkdtemp, readFile, readdir, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { readKeyRing, ringMarks } from '../../kernel/secrets.ts'
import { freshDatabase, withDatabase, openPatiently } from '../../../test/database.ts'
import { contentsButTheMark, contentsOf } from '../../../test/statements/table-contents.ts'
import { checkMark, markRestored } from '../database-mark.ts'
import { isUnfinished, migrate, migrationFiles } from '../migrate.ts'
import { type Database } from '../pool.ts'
import { inspectBackup } from './read-backup.ts'
import { restoreBackup } from './restore-backup.ts'
import { writeBackup } from './write-backup.ts'

const now = Temporal.Instant.from('2026-10-06T19:00:00Z')
const madeAt = '2026-10-06T19:00:00.000Z' as never
const ring = readKeyRing(`first:${Buffer.alloc(32, 7).toString('base64')}`)
const about = { madeAt, secrets: ringMarks(ring) }

/** What a value may look like at its worst. */
const awkward = 'a\tb\\c\nd\r\n\\.\n"é" – \\N {} ,;'

describe('a backup of our own', () => {
  let folder: string
  const endings: (() => Promise<unknown>)[] = []
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'venue-backup-'))
  })
  after(async () => {
    for (const end of endings.toReversed()) await end()
    await rm(folder, { recursive: true })
  })

  const opened = async (kind: 'migrated' | 'empty'): Promise<{ db: Database; url: string }> => {
    const { url, drop } = await freshDatabase(kind)
    const db = openPatiently({ url, size: 4 })
    endings.push(drop, () => db.close())
    return { db, url }
  }
  const run = (url: string, ...statements: string[]) =>
    withDatabase(url, async (client) => {
      for (const statement of statements) await client.query(statement)
    })
  /** A venue with a few records that are hard to copy. */
  const furnish = (url: string) =>
    withDatabase(url, async (client) => {
      await client.query(
        `insert into venue (slug, name, timezone, plan, created_at, rooms, test_addresses)
         values ('blue', $1, 'UTC', 'pro', '2026-01-01T00:00:00.001Z', $2, '{}')`,
        [awkward, ['', awkward, 'NULL']],
      )
      await client.query(
        `insert into guest (venue_id, name, staff_notes, created_at, updated_at)
         select 1, case when n % 2 = 0 then $1 end, repeat($1, n), now(), now() from generate_series(1, 300) as n`,
        [awkward],
      )
      // Numbers that were given and whose records are gone: they must not be given again.
      await client.query('delete from guest where id > 290')
      await client.query(
        `insert into lead (venue_id, guest_id, stage, priority, submitted_via, created_at, updated_at)
         values (1, 5, 'Inquiry', 'High', 'web', now(), now())`,
      )
      await client.query(
        `insert into guest_merge (venue_id, kept_id, gone_id, record, merged_at) values (1, 1, 2, 'null', now())`,
      )
      await client.query(`insert into lane (venue_id, due_at) values (1, 'infinity')`)
      await client.query(
        `insert into api_key (venue_id, kind, scope, name, fingerprint, last_four, created_by, created_at)
         values (1, 'api', 'read', 'k', '\\x00ff0a5c', 'abcd', 'test', now())`,
      )
    })
  const backupOf = async (db: Database, name: string) => {
    const path = join(folder, name)
    return { path, ...(await writeBackup(db, path, about)) }
  }
  const restored = async (db: Database, path: string) =>
    restoreBackup(db, path, (await inspectBackup(path)).header, now)
  const refusal = async (work: Promise<unknown>): Promise<string> =>
    work.then(
      () => assert.fail('it was not refused'),
      (error: unknown) => (error as Error).message,
    )

  it('restored into an empty database, has every row of every table and goes on with the next ids', async () => {
    const [source, target] = [await opened('migrated'), await opened('empty')]
    await furnish(source.url)
    const { path, rows, bytes } = await backupOf(source.db, 'whole')
    assert.ok(rows > 290 && bytes > 1_000)
    assert.equal((await stat(path)).mode & 0o777, 0o600)
    assert.deepEqual(
      (await readdir(folder)).filter((name) => name.includes('unfinished')),
      [],
    )

    await restored(target.db, path)
    assert.deepEqual(await contentsButTheMark(target.db), await contentsButTheMark(source.db))
    const [{ id } = {}] = await withDatabase(
      target.url,
      async (client) =>
        (
          await client.query(
            `insert into guest (venue_id, name, created_at, updated_at) values (1, 'next', now(), now()) returning id::int`,
          )
        ).rows,
    )
    assert.equal(id, 301)
    assert.notEqual(await checkMark(target.db, '', now), null, 'sending is on hold')
  })

  it('of a copy on hold is on hold since then, so that resuming looks back to before the first loss', async () => {
    const [source, target] = [await opened('migrated'), await opened('empty')]
    const heldSince = '2026-10-01T08:00:00.000Z'
    await source.db.transaction((queries) => markRestored(queries, Temporal.Instant.from(heldSince)))
    const { path } = await backupOf(source.db, 'on-hold')
    await restored(target.db, path)
    assert.equal(await checkMark(target.db, '', now), heldSince)
  })

  it('shows one moment, even if rows are written while it is made', async () => {
    const [source, target] = [await opened('migrated'), await opened('empty')]
    await furnish(source.url)
    // The lock of another session holds the copy up in its middle; a guest and a lead come in the meantime.
    await withDatabase(source.url, async (client) => {
      await client.query('begin')
      await client.query('lock table lead in access exclusive mode')
      const made = backupOf(source.db, 'moment')
      await waitsForLock(source.url)
      await run(
        source.url,
        `insert into guest (venue_id, name, created_at, updated_at) values (1, 'late', now(), now())`,
      )
      await client.query(
        `insert into lead (venue_id, guest_id, stage, priority, submitted_via, created_at, updated_at)
         values (1, 301, 'Inquiry', 'High', 'web', now(), now())`,
      )
      await client.query('commit')
      await restored(target.db, (await made).path)
    })
    await withDatabase(target.url, async (client) => {
      assert.equal((await client.query(`select from guest where name = 'late'`)).rowCount, 0)
      assert.equal((await client.query('select from lead')).rowCount, 1)
    })
  })

  it('cut off or altered, is refused before anything is changed', async () => {
    const [source, target] = [await opened('migrated'), await opened('empty')]
    await furnish(source.url)
    const { path, bytes } = await backupOf(source.db, 'cut')
    const whole = await readFile(path)
    for (const length of [4, 20, 1_000, Math.floor(bytes / 2), bytes - 40, bytes - 1]) {
      await writeFile(path, whole)
      await truncate(path, length)
      assert.match(
        await refusal(inspectBackup(path)),
        /cannot be used \(.*\)\. Nothing was changed\.$/,
        String(length),
      )
    }
    for (const at of [6, 100, Math.floor(bytes / 3), bytes - 60, bytes - 3]) {
      const altered = Buffer.from(whole)
      altered[at] = (altered[at] as number) ^ 0x11
      await writeFile(path, altered)
      assert.match(await refusal(restored(target.db, path)), /cannot be used/, String(at))
    }
    await withDatabase(target.url, async (client) => {
      const { rowCount } = await client.query(
        `select from pg_class where relnamespace = 'public'::regnamespace`,
      )
      assert.equal(rowCount, 0)
    })
  })

  it('is restored only into an empty database', async () => {
    const [source, target] = [await opened('migrated'), await opened('migrated')]
    const { path } = await backupOf(source.db, 'second')
    const before = await contentsOf(target.db)
    assert.match(
      await refusal(restored(target.db, path)),
      /^The database is not empty \(.* …\): .* Nothing was changed\.$/,
    )
    assert.deepEqual(await contentsOf(target.db), before)
    assert.match(
      await refusal(writeBackup((await opened('empty')).db, join(folder, 'none'), about)),
      /^There is nothing to back up/,
    )
  })

  it('of an older schema, is migrated to this one; of an unknown schema, it is refused', async () => {
    const [source, target, other] = [await opened('empty'), await opened('empty'), await opened('empty')]
    const files = await migrationFiles()
    await migrate(source.db, { restoring: { first: 5 } })
    await run(
      source.url,
      `insert into venue (slug, name, timezone, plan, created_at) values ('blue', 'Blue', 'UTC', 'pro', now())`,
    )
    const { path, schema } = await backupOf(source.db, 'old')
    assert.equal(schema, files[4]?.name)
    await restored(target.db, path)
    await withDatabase(target.url, async (client) => {
      assert.equal((await client.query(`select from venue where slug = 'blue'`)).rowCount, 1)
      assert.equal((await client.query('select from schema_migration')).rowCount, files.length)
    })
    assert.notEqual(
      await checkMark(target.db, '', now),
      null,
      'sending is on hold though the backup had no mark',
    )

    await run(source.url, `insert into schema_migration (name, sha256) values ('9999-to-come.sql', 'x')`)
    const { path: newer } = await backupOf(source.db, 'newer')
    assert.match(
      await refusal(restored(other.db, newer)),
      /another version of this program \(its migration 9999-to-come\.sql/,
    )
  })

  it('names the entries of SECRETS it belongs to, and holds nothing of the secrets', async () => {
    const source = await opened('migrated')
    const { path } = await backupOf(source.db, 'ring')
    const { header } = await inspectBackup(path)
    assert.deepEqual(
      header.secrets.map(({ id }) => id),
      ['first'],
    )
    for (const { pepper, seal, link } of ring)
      for (const key of [pepper, seal, link])
        for (const form of ['hex', 'base64', 'base64url'] as const)
          assert.ok(!JSON.stringify(header).includes(key.toString(form).slice(0, 16)))
  })

  it('leaves no file behind when the database goes away halfway through', async () => {
    const source = await opened('migrated')
    await withDatabase(source.url, async (client) => {
      await client.query('begin')
      await client.query('lock table lead in access exclusive mode')
      const broken = assert.rejects(backupOf(source.db, 'broken'), { code: '57P01' })
      const pid = await waitsForLock(source.url)
      await client.query('select pg_terminate_backend($1)', [pid])
      await broken
    })
    assert.deepEqual(
      (await readdir(folder)).filter((name) => name.startsWith('broken')),
      [],
    )
  })

  it('whose restore was interrupted leaves a database that no start accepts; restored again it is complete', async () => {
    const [source, target] = [await opened('migrated'), await opened('empty')]
    await furnish(source.url)
    const { path } = await backupOf(source.db, 'killed')
    // Of a restore that is ended nothing but this is left, wherever it was.
    await migrate(target.db, { restoring: { first: 7 } })
    await run(target.url, 'create table unfinished_restore (began_at timestamptz)')
    await assert.rejects(migrate(target.db), /^Error: A restore into this database has not finished/)
    assert.match(await refusal(writeBackup(target.db, join(folder, 'half'), about)), /has not finished/)
    await restored(target.db, path)
    assert.deepEqual(await contentsButTheMark(target.db), await contentsButTheMark(source.db))
    assert.equal(await target.db.session(isUnfinished), false)
    assert.deepEqual(await migrate(target.db), [])
  })
})

/** The process id of the session that waits for a lock in this database. */
const waitsForLock = (url: string): Promise<number> =>
  withDatabase(url, async (client) => {
    for (;;) {
      const { rows } = await client.query(
        `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      )
      if (rows[0]) return rows[0].pid
    }
  })
