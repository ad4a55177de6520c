import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'
import { expectLargeVenues } from './expect-large-venues.ts'
import { localTables } from './local-tables.ts'
import type { Database } from './pool.ts'

/*
 * Numbered SQL files, forward only, each in a transaction with the row that says it ran. Several processes may
 * start at once: one holds the lock, the others poll for it. Polling, because a session that waits inside
 * pg_advisory_lock holds a snapshot that `create index concurrently` would wait for in turn. A database with an
 * unfinished restore is refused, since part of its data is missing (backup/restore-backup.ts).
 *
 * A file that ran somewhere never changes. One that Citus cannot run has a second form, the file of the same name in
 * `migrations/citus/`: another way to the same schema, recorded as the first one is.
 */

const lockNumber = 7_261_015
const folder = new URL('./migrations/', import.meta.url)
const citusFolder = new URL('./citus/', folder)

export type MigrateOptions = {
  readonly waitMs?: number
  readonly signal?: AbortSignal | undefined
  /** For the restore itself, in its unfinished database: how many of the first migrations to run; by default all. */
  readonly restoring?: { readonly first?: number }
  /** Whether to run the second forms; by default those who need them do: Citus clusters. */
  readonly secondForms?: boolean
}

/**
 * Brings the database to the newest migration; returns the names of those that ran. Refuses a file that changed after it
 * ran, and a database with an unfinished restore.
 */
export const migrate = (
  database: Database,
  { waitMs = 60_000, signal, restoring, secondForms }: MigrateOptions = {},
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
    const citus = await isOnCitus(client)
    const fresh: string[] = []
    for (const file of (await migrationFiles()).slice(0, restoring?.first)) {
      const { name, sha256 } = file
      const before = ran.get(name)
      if (before === sha256) continue
      if (before) throw new Error(`The migration ${name} was changed after it ran; add a new one instead.`)
      await runFile(client, file, { citus, second: secondForms ?? citus })
      fresh.push(name)
    }
    // Citus plans each statement for its own values, and takes no such setting.
    if (!citus) await expectLargeVenues(client)
    return fresh
  })

/** Whether a restore into this database was started and has not finished. */
export const isUnfinished = async (client: pg.ClientBase): Promise<boolean> =>
  (await client.query("select to_regclass('unfinished_restore') is not null as unfinished")).rows[0]
    .unfinished

export const unfinishedSentence =
  'A restore into this database has not finished: it is still under way, or it broke off. If it broke off, run the same restore again; it starts over.'

export type MigrationFile = {
  readonly name: string
  readonly text: string
  readonly sha256: string
  /** Its second form, for Citus, if it needs one. */
  readonly onCitus?: string
}

/** Every migration, in order. */
export const migrationFiles = async (): Promise<MigrationFile[]> => {
  const [names, others] = await Promise.all([readdir(folder), readdir(citusFolder)])
  return Promise.all(
    names
      .filter(isMigration)
      .toSorted()
      .map(async (name) => {
        const text = await readFile(new URL(name, folder), 'utf8')
        const sha256 = createHash('sha256').update(text).digest('hex')
        if (!others.includes(name)) return { name, text, sha256 }
        return { name, text, sha256, onCitus: await readFile(new URL(name, citusFolder), 'utf8') }
      }),
  )
}

const isMigration = (name: string): boolean => /^\d{4}-.*\.sql$/.test(name)

const runFile = async (
  client: pg.ClientBase,
  { name, text: first, sha256, onCitus }: MigrationFile,
  { citus, second }: { citus: boolean; second: boolean },
): Promise<void> => {
  const text = (second && onCitus) || first
  const inTransaction = !text.startsWith('-- no transaction')
  if (inTransaction) await client.query('begin')
  try {
    // One statement per call: a file sent as one string fails on sharded tables.
    for (const statement of statementsOf(text)) await client.query(statement)
    await client.query('insert into schema_migration (name, sha256) values ($1, $2)', [name, sha256])
    if (citus) await distribute(client)
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

/** On a Citus cluster: distributes every new table whose key starts with venue_id. */
const distribute = async (client: pg.ClientBase): Promise<void> => {
  await client.query("select set_config('venue_data.local_tables', $1::text[]::text, false)", [localTables])
  await client.query(await readFile(new URL('distribute.sql', citusFolder), 'utf8'))
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
