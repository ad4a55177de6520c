import { codeOf } from '../kernel/code-of.ts'
import type { Moment } from '../kernel/time/moment.ts'
import { leapCounters } from './leap-counters.ts'
import type { Database, Queries } from './pool.ts'
import { renewEpochs } from './renew-epochs.ts'
import { sql } from './sql.ts'

/*
 * The mark in the database that says where it belongs. Every start of the service compares it with the place where the
 * database runs now; a copy that was restored or moved is recognized because its mark does not match. Sending is then put
 * on hold (sending-hold.ts) until the operator says otherwise, and the mark is replaced, so each copy is detected once. A
 * database without a mark is new, or older than the marks, and gets one without a hold.
 *
 * The mark has three parts. The server's system identifier changes with every initdb, so also with pg_upgrade. The
 * database's number changes with every `create database`, from a template too. The number of the mark's own table
 * changes when a dump is loaded, even into the same database. A copy of the files keeps all three; for the embedded
 * database the folder is known, and is part of the mark. A copy of an external server's files is not
 * recognized: a replica that takes over has the same mark, and must go on sending.
 */

/** The mark that a database must have here. `folder` names the embedded database's folder; '' for an external database. */
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

/** Every role may read it unless that right was revoked; then the rest of the mark has to suffice. */
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
 * @returns since when sending has been on hold; null if it is not
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
    // Another process came first, or there was no mark before.
    if (mark === here) return held_since
    // Everything else that must start over in a copy is renewed here, once per copy and in the same transaction.
    await renewEpochs(queries)
    await leapCounters(queries)
    const held = await queries.one(sql({ held_since: 'timestamptz?' })`
      update database_mark set mark = ${here}, made_at = ${now}, held_since = coalesce(held_since, ${now})
      returning held_since`)
    return held.held_since
  })
}

/** Ends the hold, even of a copy on which no service has started yet. Returns since when it was on hold, or null if it was not. */
export const releaseMark = async (
  db: Database,
  folder: string,
  now: Temporal.Instant,
): Promise<Moment | null> => {
  const heldSince = await checkMark(db, folder, now)
  await db.run(sql()`update database_mark set held_since = null where held_since is not null`)
  return heldSince
}

/**
 * Marks a database that was just restored from a backup: the mark matches nowhere, and sending is already on hold. If it was on
 * hold when the backup was made, it has been since then: what is looked at before sending goes back to before the first loss.
 */
export const markRestored = async (db: Queries, heldSince: Temporal.Instant): Promise<void> => {
  await db.run(sql()`
    insert into database_mark as m (mark, made_at, held_since) values ('restored from a backup', ${heldSince}, ${heldSince})
    on conflict (single) do update
      set mark = excluded.mark, made_at = excluded.made_at, held_since = coalesce(m.held_since, excluded.held_since)`)
}
