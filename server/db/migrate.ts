import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'
import { localTables } from './local-tables.ts'
import type { Database } from './pool.ts'

/*
 * Numbered SQL files, forward only, each in a transaction with the row that says it ran. Several processes may
 * start at once: one holds the lock, the others poll for it. Polling, because a session that waits inside
 * pg_advisory_lock holds a snapshot that `create index concurrently` would wait for in turn. A database with an
 * unfinished restore is refused, since part of its data is missing (backup/restore-backup.ts).
 */

const lockNumber = 7_261_015
const folder = new URL('./migrations/', import.meta.url)

export type MigrateOptions = {
  readonly waitMs?: number
  readonly signal?: AbortSignal | undefined
  /** For the restore itself, in its unfinished database: how many of the first migrations to run; by default all. */
  readonly restoring?: { readonly first?: number }
}

/**
 * Brings the database to the newest migration; returns the names of those that ran. Refuses a file that changed after it
 * ran, and a database with an unfinished restore.
 */
export const migrate = (
  database: Database,
  { waitMs = 60_000, signal, restoring }: MigrateOptions = {},
): Promise<string[]> =>
  database.session(async (client) => {
    await takeMigrationLock(client, waitMs, signal)
    if (!restoring && (await isUnfinished(client))) throw new Error(unfinishedSentence)
    await client.query(
      'create table if not exists schema_migration (name text primary key, sha256 text not null, ran_at timestamptz(3) not null default now())',
    )
    const ran = new Map<string, string>(
      (await client.query('select name, sha256 from schema_migration')).rows.map((row) => [
        row.name,
        row.sha256,
      ]),
    )
    const fresh: string[] = []
    for (const { name, text, sha256 } of (await migrationFiles()).slice(0, restoring?.first)) {
      const before = ran.get(name)
      if (before === sha256) continue
      if (before) throw new Error(`The migration ${name} was changed after it ran; add a new one instead.`)
      await runFile(client, name, text, sha256)
      fresh.push(name)
    }
    return fresh
  })

/** Whether a restore into this database was started and has not finished. */
export const isUnfinished = async (client: pg.ClientBase): Promise<boolean> =>
  (await client.query("select to_regclass('unfinished_restore') is not null as unfinished")).rows[0]
    .unfinished

export const unfinishedSentence =
  'A restore into this database has not finished: it is still under way, or it broke off. If it broke off, run the same restore again; it starts over.'

/** Every migration, in order. */
export const migrationFiles = async (): Promise<{ name: string; text: string; sha256: string }[]> => {
  const names = (await readdir(folder)).filter((name) => /^\d{4}-.*\.sql$/.test(name)).toSorted()
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(new URL(name, folder), 'utf8')
      return { name, text, sha256: createHash('sha256').update(text).digest('hex') }
    }),
  )
}

const runFile = async (client: pg.ClientBase, name: string, text: string, sha256: string): Promise<void> => {
  const inTransaction = !text.startsWith('-- no transaction')
  if (inTransaction) await client.query('begin')
  try {
    // One statement per call: a file sent as one string fails on sharded tables.
    for (const statement of statementsOf(text)) await client.query(statement)
    await client.query('insert into schema_migration (name, sha256) values ($1, $2)', [name, sha256])
    await distribute(client)
    if (inTransaction) await client.query('commit')
  } catch (error) {
    if (inTransaction) await client.query('rollback')
    throw new Error(`The migration ${name} failed: ${(error as Error).message}`, { cause: error })
  }
}

/** Splits at semicolons that end a line; a file must be written so that this is enough. */
export const statementsOf = (text: string): string[] =>
  text
    .split(/;[ \t]*(?:\n|$)/)
    .map((statement) => statement.replaceAll(/^\s*--.*$/gm, '').trim())
    .filter((statement) => statement !== '')

/** Whether the database is the coordinator of a Citus cluster. */
export const isOnCitus = async (client: pg.ClientBase): Promise<boolean> =>
  (await client.query("select from pg_extension where extname = 'citus'")).rowCount === 1

/** On a Citus cluster, distributes every new table whose key starts with venue_id; does nothing elsewhere. */
const distribute = async (client: pg.ClientBase): Promise<void> => {
  if (!(await isOnCitus(client))) return
  await client.query("select set_config('venue_data.local_tables', $1::text[]::text, false)", [localTables])
  await client.query(await readFile(new URL('citus.sql', folder), 'utf8'))
}

/** Waits until no other process is migrating; the lock is held until the session ends. */
export const takeMigrationLock = async (
  client: pg.ClientBase,
  waitMs = 60_000,
  signal?: AbortSignal,
): Promise<void> => {
  const pollMs = 250
  for (let waited = 0; ; waited += pollMs) {
    const { rows } = await client.query('select pg_try_advisory_lock($1) as taken', [lockNumber])
    if (rows[0].taken) return
    if (waited >= waitMs) throw new Error('Another process is migrating this database and has not finished.')
    await wait(pollMs, undefined, signal && { signal })
  }
}
