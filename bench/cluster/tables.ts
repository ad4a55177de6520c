import assert from 'node:assert/strict'
import { localTables } from '../../server/platform/db/local-tables.ts'
import { isOnCitus } from '../../server/platform/db/migrate.ts'
import { type Database, openDatabase } from '../../server/platform/db/pool.ts'

/** Except those that belong to an extension. */
const ownTables = `
  select c.relname as name from pg_class c left join pg_depend d on d.objid = c.oid and d.deptype = 'e'
   where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and d.objid is null`

/** Describes the database at the URL. Refuses one that is not empty. */
export const meet = async (url: string): Promise<string> => {
  const db = openDatabase({ url, size: 1 })
  try {
    return await db.session(async (client) => {
      const { rows: tables } = await client.query(ownTables)
      if (tables.length > 0) throw new Error('The database is not empty; name one that is.')
      const { rows: server } = await client.query(
        `select current_setting('server_version') as version, current_user as role, rolsuper as super
           from pg_roles where rolname = current_user`,
      )
      const [{ version, role, super: isSuper }] = server
      const plain = `PostgreSQL ${version}, as ${role}${isSuper ? ', a superuser' : ''}`
      if (!(await isOnCitus(client))) return `Met a plain ${plain}.`
      const { rows: citus } = await client.query(
        `select extversion as version, current_setting('citus.shard_count') as shards,
                (select count(*)::int from pg_dist_node where shouldhaveshards and isactive) as nodes
           from pg_extension where extname = 'citus'`,
      )
      const [{ version: ofCitus, shards, nodes }] = citus
      if (nodes === 0) throw new Error('No node of the cluster takes shards; add one with citus_add_node.')
      return `Met Citus ${ofCitus} with ${nodes} nodes that hold shards, ${shards} shards for each table; ${plain}.`
    })
  } finally {
    await db.close()
  }
}

/** On Citus: checks that every table is where it belongs, and that all distributed ones are colocated. */
export const lookAtTables = (db: Database): Promise<string> =>
  db.session(async (client) => {
    const { rows } = await client.query<{ name: string }>(ownTables)
    const all = rows.map(({ name }) => name)
    if (!(await isOnCitus(client))) return `${all.length}`
    const { rows: spread } = await client.query<{ name: string; group: number; shards: number }>(
      `select logicalrelid::text as name, colocationid as group,
              (select count(*)::int from pg_dist_shard s where s.logicalrelid = p.logicalrelid) as shards
         from pg_dist_partition p where partmethod = 'h'`,
    )
    assert.deepEqual(
      spread.map(({ name }) => name).toSorted(),
      all.filter((name) => !localTables.includes(name)).toSorted(),
    )
    assert.equal(new Set(spread.map(({ group }) => group)).size, 1)
    return `${spread.length} are spread in ${spread[0]?.shards} shards each, ${all.length - spread.length} are on the coordinator alone`
  })
