import pg from 'pg'
import type { Database } from '../../platform/db/pool.ts'

/**
 * Every row of every table of a database as a count and a sum for each table, and the value of every counter; but for
 * what a service that runs goes on writing by itself: the processes of a practice instance every second, and every
 * ten how often keys were used, what was refused and which pages were shown.
 */
export const contentsOf = (
  db: Pick<Database, 'session'>,
): Promise<{ tables: Record<string, string>; counters: Record<string, string> }> =>
  db.session(async (client) => {
    const named = async (
      kind: 'r' | 'S',
      text: (name: string) => string,
    ): Promise<Record<string, string>> => {
      const found: Record<string, string> = {}
      const { rows } = await client.query<{ name: string }>(
        `select relname as name from pg_class
          where relnamespace = 'public'::regnamespace and relkind = $1 and relname not in ('practice_process', 'key_usage_day', 'refused_request', 'visit_day')
          order by 1`,
        [kind],
      )
      for (const { name } of rows)
        found[name] = (await client.query<{ is: string }>(text(pg.escapeIdentifier(name)))).rows[0]?.is ?? ''
      return found
    }
    return {
      tables: await named(
        'r',
        (name) =>
          `select count(*) || ' ' || coalesce(md5(string_agg(md5(t::text), '' order by md5(t::text))), '') as is from ${name} t`,
      ),
      counters: await named('S', (name) => `select last_value || ' ' || is_called as is from ${name}`),
    }
  })

/** The same of a restored copy but for the mark, which says that it is one. */
export const contentsButTheMark = async (db: Pick<Database, 'session'>) => {
  const { tables, counters } = await contentsOf(db)
  const { database_mark: _, ...others } = tables
  return { tables: others, counters }
}
