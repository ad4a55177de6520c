import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { freshDatabase, openPatiently } from '../../test/database.ts'
import { migrate, migrationFiles } from './migrate.ts'
import { type Database } from './pool.ts'

/*
 * A migration that Citus cannot run has a second form, which Citus alone runs. Both run here on plain PostgreSQL, so that
 * a cluster never has another schema than everybody else.
 */

describe('the second forms of migrations', () => {
  const endings: (() => Promise<unknown>)[] = []
  after(async () => {
    for (const end of endings.toReversed()) await end()
  })
  const empty = async (): Promise<Database> => {
    const { url, drop } = await freshDatabase('empty')
    const db = openPatiently({ url, size: 1 })
    endings.push(drop, () => db.close())
    return db
  }

  it('lead to the schema of the first ones, by every name, and leave the same record of what ran', async () => {
    const [first, second] = [await empty(), await empty()]
    const files = await migrationFiles()
    // After each file that has two forms as well: the next ones may not hide what one of them did.
    for (const [at, { name, onCitus }] of files.entries()) {
      if (onCitus === undefined && at < files.length - 1) continue
      await migrate(first, { restoring: { first: at + 1 } })
      await migrate(second, { restoring: { first: at + 1 }, secondForms: true })
      const schema = await catalogOf(first)
      assert.ok(schema.length > 300)
      assert.deepEqual(await catalogOf(second), schema, name)
    }
  })

  it('are passed over when the first ones ran before', async () => {
    const db = await empty()
    await migrate(db)
    assert.deepEqual(await migrate(db, { secondForms: true }), [])
  })
})

/** Every column in its place, every constraint and index by its name, and what is recorded of the migrations. */
const catalogOf = (db: Database): Promise<string[]> =>
  db.session(async (client) => {
    const { rows } = await client.query<{ line: string }>(`
      select concat_ws(' ', attrelid::regclass, attnum, attname, format_type(atttypid, atttypmod), attnotnull,
                       attidentity::text, attgenerated::text, pg_get_expr(d.adbin, d.adrelid)) as line
        from pg_attribute a
        join pg_class c on c.oid = a.attrelid
        left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
       where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and attnum > 0
      union all
      select concat_ws(' ', conrelid::regclass, conname, convalidated, pg_get_constraintdef(oid)) from pg_constraint
       where connamespace = 'public'::regnamespace
      union all
      select indexdef from pg_indexes where schemaname = 'public'
      union all
      select concat_ws(' ', oid::regclass, reloptions) from pg_class where relnamespace = 'public'::regnamespace
      union all
      select concat_ws(' ', name, sha256) from schema_migration
       order by line`)
    return rows.map(({ line }) => line)
  })
