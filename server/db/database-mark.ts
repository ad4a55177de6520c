import { codeOf } from '../kernel/code-of.ts'
import type { Moment } from '../kernel/moment.ts'
import type { Database, Queries } from './pool.ts'
import { renewEpochs } from './renew-epochs.ts'
import { sql } from './sql.ts'

/*
 * The mark in the database that says where it belongs. Every start of the service compares it with the place the
 * database runs in now; a copy that was restored or moved is found because its mark does not fit. Then sending is on hold
 * (sending-hold.ts) until the operator says otherwise, and the mark is replaced: each copy is found once. A database
 * without a mark is new, or from before there were marks, and gets its mark without a hold.
 *
 * Three things make the mark. The server's system identifier differs after every initdb, so also after pg_upgrade. The
 * number of the database differs after every `create database`, from a template too. The number of the mark's own table
 * differs once a dump was loaded, even into the same database. A copy of the files has all three the same; of the
 * embedded database the folder is known, and belongs to the mark. A copy of the files of another server is not
 * recognized: a replica that takes over has the same mark as well, and must go on sending.
 */

/** What the mark of a database must say here. `folder` names the embedded database's folder; '' for any other. */
const markOfPlace = async (db: Queries, folder: string): Promise<string> => {
  const [system, { database, mark_table }] = await Promise.all([
    systemIdentifier(db),
    db.one(sql({ database: 'int8', mark_table: 'int8' })`
      select d.oid::int8 as database, 'database_mark'::regclass::oid::int8 as mark_table
        from pg_database d where d.datname = current_database()`),
  ])
  return [
    `system ${system}`,
    `database ${database}`,
    `table ${mark_table}`,
    ...(folder ? [folder] : []),
  ].join(', ')
}

/** Everybody may ask for it unless somebody took that right away; then the rest of the mark has to do. */
const systemIdentifier = (db: Queries): Promise<string> =>
  db.one(sql({ id: 'text' })`select system_identifier::text as id from pg_control_system()`).then(
    ({ id }) => id,
    (error: unknown) => {
      if (codeOf(error) === notAllowed) return 'unknown'
      throw error
    },
  )

const notAllowed = '42501'

const readMark = (db: Queries) =>
  db.maybe(sql({ mark: 'text', held_since: 'timestamptz?' })`select mark, held_since from database_mark`)

/**
 * Reads the mark, creates it if missing, and puts sending on hold if it does not match.
 * @returns since when sending is on hold; null: it is not
 */
export const checkMark = async (
  db: Database,
  folder: string,
  now: Temporal.Instant,
): Promise<Moment | null> => {
  const [here, found] = await Promise.all([markOfPlace(db, folder), readMark(db)])
  if (found?.mark === here) return found.held_since
  return db.transaction(async (queries) => {
    await queries.run(sql()`
      insert into database_mark (mark, made_at) values (${here}, ${now}) on conflict (single) do nothing`)
    const { mark, held_since } = await queries.one(
      sql({
        mark: 'text',
        held_since: 'timestamptz?',
      })`select mark, held_since from database_mark for update`,
    )
    // Another process was here in the meantime, or there was no mark before.
    if (mark === here) return held_since
    // Here, and once for each copy: whatever else a copy must start over is renewed in this transaction.
    await renewEpochs(queries)
    const held = await queries.one(sql({ held_since: 'timestamptz?' })`
      update database_mark set mark = ${here}, made_at = ${now}, held_since = coalesce(held_since, ${now})
      returning held_since`)
    return held.held_since
  })
}

/** Ends the hold, also of a copy that no service has started on yet. Since when it was held; null: it was not. */
export const releaseMark = async (
  db: Database,
  folder: string,
  now: Temporal.Instant,
): Promise<Moment | null> => {
  const heldSince = await checkMark(db, folder, now)
  await db.run(sql()`update database_mark set held_since = null where held_since is not null`)
  return heldSince
}

/** The mark of a database that was just filled from a backup: it matches nowhere, and sending is already on hold. */
export const markRestored = async (db: Queries, now: Temporal.Instant): Promise<void> => {
  await db.run(sql()`
    insert into database_mark (mark, made_at, held_since) values ('restored from a backup', ${now}, ${now})
    on conflict (single) do update
      set mark = excluded.mark, made_at = excluded.made_at, held_since = excluded.held_since`)
}
