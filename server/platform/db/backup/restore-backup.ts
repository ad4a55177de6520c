import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { badRequest } from '../../kernel/refusal.ts'
import { toInstant } from '../../kernel/time/moment.ts'
import { markRestored } from '../database-mark.ts'
import { isUnfinished, migrate, migrationFiles, takeMigrationLock } from '../migrate.ts'
import type { Database } from '../pool.ts'
import { sql } from '../sql.ts'
import type { Header } from './header.ts'
import { tablesOfBackup } from './read-backup.ts'
import { namesOfRelations, namesOfTables } from './tables.ts'
import { columnsIn } from './write-backup.ts'

/*
 * The cast: `restore` marks an empty database as unfinished, migrates it to the schema of the backup,
 * loads every table and every sequence in one transaction, runs the later migrations, puts sending on hold
 * and removes the mark. Until then every start refuses the database (migrate.ts). Any interruption, kill -9 or a power
 * cut, leaves that mark; the next `restore` finds it, deletes everything there, and starts over. Only a restore can
 * have put anything into a database with the mark.
 */

/** Locked by a running restore, so that a second one does not drop its tables. */
const restoreLock = 7_261_016

/**
 * Runs `fill` between the mark and the end of a restore. Refuses a database that is not empty, and a second restore.
 *
 * @param heldSince since when sending is on hold then
 */
export const restoring = async <T>(
  database: Database,
  heldSince: Temporal.Instant,
  fill: (client: pg.ClientBase) => Promise<T>,
): Promise<T> =>
  database.session(async (client) => {
    await client.query('set statement_timeout = 0')
    await client.query('set idle_in_transaction_session_timeout = 0')
    await begin(database, client)
    const filled = await fill(client)
    await migrate(database, { restoring: {} })
    // The planner has no statistics yet about what was loaded.
    await client.query('analyze')
    await database.transaction(async (queries) => {
      await markRestored(queries, heldSince)
      await queries.run(sql()`drop table unfinished_restore`)
    })
    return filled
  })

/** Under the migration lock, so that no start can find the database empty and claim it in the meantime. */
const begin = (database: Database, client: pg.ClientBase): Promise<void> =>
  database.session(async (locking) => {
    await takeMigrationLock(locking)
    const { rows } = await client.query('select pg_try_advisory_lock($1) as taken', [restoreLock])
    if (!rows[0].taken) throw badRequest('Another restore into this database is under way.')
    if (await isUnfinished(client)) await removeTables(client)
    const there = await namesOfRelations(client)
    if (there.length > 0) throw notEmpty(there)
    await client.query('create table unfinished_restore (began_at timestamptz not null default now())')
  })

const removeTables = async (client: pg.ClientBase): Promise<void> => {
  const names = (await namesOfTables(client)).map((name) => client.escapeIdentifier(name))
  await client.query(`drop table ${names.join(', ')} cascade`)
}

const notEmpty = (there: readonly string[]) =>
  badRequest(
    `The database is not empty (${there.slice(0, 3).join(', ')}${there.length > 3 ? ' …' : ''}): a restore only fills an empty one. Nothing was changed.`,
  )

/** Loads a backup whose file was inspected into the database. Refuses a backup of a schema that this program does not know. */
export const restoreBackup = async (
  database: Database,
  path: string,
  header: Header,
  now: Temporal.Instant,
): Promise<void> => {
  await checkSchema(header)
  const { heldSince } = header
  await restoring(database, heldSince ? toInstant(heldSince) : now, async (client) => {
    await migrate(database, { restoring: { first: header.migrations.length } })
    await client.query('set datestyle = ISO')
    await client.query('begin')
    const names = header.tables.map(({ name }) => client.escapeIdentifier(name))
    // Rows that migrations inserted; the backup has its own.
    await client.query(`truncate ${names.join(', ')}`)
    await fillTables(client, path, header)
    await client.query('commit')
  })
}

/** Its migrations must be the first of ours, byte for byte. */
const checkSchema = async ({ migrations }: Header): Promise<void> => {
  const ours = await migrationFiles()
  const foreign = migrations.find(
    ({ name, sha256 }, i) => ours[i]?.name !== name || ours[i].sha256 !== sha256,
  )
  if (!foreign) return
  throw badRequest(
    `The backup was made by another version of this program (its migration ${foreign.name} is not among those here): bring the program to that version first. Nothing was changed.`,
  )
}

const fillTables = async (client: pg.ClientBase, path: string, { tables }: Header): Promise<void> => {
  const byName = new Map(tables.map((table) => [table.name, table]))
  for await (const { name, rows } of tablesOfBackup(path)) {
    const table = byName.get(name)
    if (!table) throw new Error(`The backup has a table that its header lacks: ${name}.`)
    await pipeline(rows, client.query(copyFrom(`copy ${columnsIn(client, table)} from stdin`)))
    for (const { column, last, called } of table.counters) {
      await client.query('select setval(pg_get_serial_sequence($1, $2), $3::int8, $4)', [
        client.escapeIdentifier(name),
        column,
        last,
        called,
      ])
    }
  }
}
