import type { Moment } from '../kernel/time/moment.ts'
import { parentsFirst } from './parents-first.ts'
import type { Database, Queries } from './pool.ts'
import { type RowOf, type Shape, type Statement, fragment, sql } from './sql.ts'

/*
 * A snapshot of all tables, kept in a separate schema, and the way back to it. Each is one transaction
 * by the owner of the database, while the service runs: its requests wait meanwhile, and its connections stay open.
 * Copying the database was rejected: `create database … template` needs everybody disconnected, and an extra privilege.
 */

export type Snapshot = {
  readonly takenAt: Moment
  /** No migration has run since it was taken. */
  readonly fits: boolean
}

const schema = 'practice_snapshot'
const lastMigration = '(select max(name collate "C") from public.schema_migration)'

export const snapshotTaken = async (db: Queries): Promise<Snapshot | undefined> => {
  const { is_there } = await db.one(
    sql({ is_there: 'bool' })`select to_regclass(${`${schema}.taken`}) is not null as is_there`,
  )
  if (!is_there) return undefined
  const row = await db.maybe(
    plain(
      { taken_at: 'timestamptz', fits: 'bool' },
      `select taken_at, migration = ${lastMigration} as fits from ${schema}.taken`,
    ),
  )
  return row && { takenAt: row.taken_at, fits: row.fits }
}

/**
 * Takes a snapshot of every table except those in `except`, replacing an earlier snapshot; with `onlyFirst` it keeps an
 * earlier one. One at a time: processes that start together each want the first one.
 */
export const takeSnapshot = (
  db: Database,
  except: readonly string[],
  takenAt: Moment,
  { onlyFirst = false } = {},
): Promise<void> =>
  db.longTransaction(0, async (queries) => {
    const run = (text: string) => queries.run(plain({}, text))
    // All tables as of one moment, regardless of later writes: that of the first query, which comes after the lock.
    await run('set transaction isolation level repeatable read')
    await run('lock table public.practice in share update exclusive mode')
    if (onlyFirst && (await snapshotTaken(queries))) return
    await run(`drop schema if exists ${schema} cascade`)
    await run(`create schema ${schema}`)
    for (const { name } of await tables(queries, except)) {
      await run(`create table ${schema}.${quoted(name)} as table public.${quoted(name)}`)
    }
    await run(`
      create table ${schema}.next_id as
      select c.relname::text as table_name, a.attname::text as column_name,
             coalesce(s.last_value + s.increment_by, s.start_value) as next
        from pg_attribute a
        join pg_class c on c.oid = a.attrelid and c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
        join pg_sequences s
          on format('%I.%I', s.schemaname, s.sequencename) = pg_get_serial_sequence(format('%I.%I', 'public', c.relname), a.attname)
       where a.attidentity <> ''`)
    await run(`
      create table ${schema}.taken as select '${takenAt}'::timestamptz(3) as taken_at, ${lastMigration} as migration`)
  })

/**
 * Puts the tables back to the snapshot, their next ids included, and does `also` in the same transaction. The snapshot
 * must be there and fit.
 */
export const restoreSnapshot = <T>(
  db: Database,
  except: readonly string[],
  also: (queries: Queries) => Promise<T>,
): Promise<T> =>
  db.longTransaction(0, async (queries) => {
    const run = (text: string) => queries.run(plain({}, text))
    const all = await tables(queries, except)
    await run(`truncate ${all.map(({ name }) => `public.${quoted(name)}`).join(', ')}`)
    for (const { name, columns } of parentsFirst(all)) {
      const list = columns.map(quoted).join(', ')
      await run(
        `insert into public.${quoted(name)} (${list}) overriding system value select ${list} from ${schema}.${quoted(name)}`,
      )
    }
    const ids = await queries.many(
      plain(
        { table_name: 'text', column_name: 'text', next: 'int8' },
        `select table_name, column_name, next from ${schema}.next_id`,
      ),
    )
    for (const { table_name, column_name, next } of ids) {
      await run(
        `alter table public.${quoted(table_name)} alter column ${quoted(column_name)} restart with ${next}`,
      )
    }
    return also(queries)
  })

type Table = {
  readonly name: string
  readonly columns: readonly string[]
  readonly parents: readonly string[]
}

/** The tables, the columns that can be written, and the tables that their rows point to. */
const tables = (queries: Queries, except: readonly string[]): Promise<Table[]> =>
  queries.many(sql({ name: 'text', columns: 'text[]', parents: 'text[]' })`
    select c.relname::text as name,
           array(select a.attname::text from pg_attribute a
                  where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
                  order by a.attnum) as columns,
           array(select p.relname::text from pg_constraint k join pg_class p on p.oid = k.confrelid
                  where k.conrelid = c.oid and k.contype = 'f' and p.oid <> c.oid) as parents
      from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> all (${except}::text[])
     order by c.relname`)

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** A statement whose text is built here: it contains table names, never input. */
const plain = <const S extends Shape>(shape: S, text: string): Statement<RowOf<S>> =>
  sql(shape)`${fragment(text)}`
