import type pg from 'pg'
import { parentsFirst } from '../parents-first.ts'

/** A table as stored in a backup. */
export type Table = {
  readonly name: string
  readonly columns: readonly string[]
  /** Identity columns with their sequences: an id once given is never given again. */
  readonly counters: readonly Counter[]
}

type Counter = { readonly column: string; readonly last: string; readonly called: boolean }

/** Excludes everything that belongs to an extension. */
const ownRelations = `c.relnamespace = 'public'::regnamespace
   and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')`

/** Everything in the database that does not belong to an extension: what a restore would collide with. */
export const namesOfRelations = async (client: pg.ClientBase): Promise<string[]> =>
  (
    await client.query<{ name: string }>(
      `select c.relname::text as name from pg_class c
        where ${ownRelations} and c.relkind in ('r', 'p', 'v', 'm', 'f', 'S') order by 1`,
    )
  ).rows.map(({ name }) => name)

/** Every table, referenced tables first. A table's foreign keys to itself are checked once it is complete. */
export const tablesInOrder = async (client: pg.ClientBase): Promise<Table[]> => {
  const names = await namesOfTables(client)
  const parents = await parentsOfTables(client)
  const tables: Table[] = []
  for (const { name } of parentsFirst(names.map((name) => ({ name, parents: parents.get(name) ?? [] }))))
    tables.push({ name, columns: await columnsOf(client, name), counters: await countersOf(client, name) })
  return tables
}

export const namesOfTables = async (client: pg.ClientBase): Promise<string[]> =>
  (
    await client.query<{ name: string }>(
      `select c.relname::text as name from pg_class c
        where ${ownRelations} and c.relkind in ('r', 'p') order by c.relname::text collate "C"`,
    )
  ).rows.map(({ name }) => name)

const parentsOfTables = async (client: pg.ClientBase): Promise<Map<string, string[]>> => {
  const { rows } = await client.query<{ child: string; parent: string }>(
    `select child.relname::text as child, parent.relname::text as parent
       from pg_constraint k
       join pg_class child on child.oid = k.conrelid
       join pg_class parent on parent.oid = k.confrelid
      where k.contype = 'f' and k.conrelid <> k.confrelid and child.relnamespace = 'public'::regnamespace`,
  )
  return new Map(
    [...Map.groupBy(rows, ({ child }) => child)].map(([child, some]) => [
      child,
      some.map(({ parent }) => parent),
    ]),
  )
}

/** Generated columns are left out: the database computes them again. */
const columnsOf = async (client: pg.ClientBase, table: string): Promise<string[]> =>
  (
    await client.query<{ name: string }>(
      `select attname::text as name from pg_attribute
        where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`,
      [client.escapeIdentifier(table)],
    )
  ).rows.map(({ name }) => name)

/** Read after the snapshot began, so no row of it has a higher number. */
const countersOf = async (client: pg.ClientBase, table: string): Promise<Counter[]> => {
  const { rows } = await client.query<{ column: string; sequence: string }>(
    `select attname::text as column, pg_get_serial_sequence($1, attname) as sequence from pg_attribute
      where attrelid = $1::regclass and attidentity <> '' and not attisdropped order by attnum`,
    [client.escapeIdentifier(table)],
  )
  const counters: Counter[] = []
  for (const { column, sequence } of rows) {
    // The catalog returns the name already quoted.
    const { rows: found } = await client.query<Omit<Counter, 'column'>>(
      `select last_value::text as last, is_called as called from ${sequence}`,
    )
    counters.push({ column, ...(found[0] as Omit<Counter, 'column'>) })
  }
  return counters
}
