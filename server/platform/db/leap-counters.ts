import type { Queries } from './pool.ts'
import { sql } from './sql.ts'

/** More than any instance gives between two backups. */
const leap = 1_000_000

/**
 * Moves every counter far ahead. When a database goes back to an earlier state, its counters do too, and numbers given
 * since then would be given again: a private link from that time, which says a number, would open what belongs to somebody
 * else, and what an integrator keeps under a number would be taken for another record.
 */
export const leapCounters = async (db: Queries): Promise<number> => {
  const { counters } = await db.one(sql({ counters: 'int4' })`
    select count(setval(s.name, nextval(s.name) + ${leap}))::integer as counters
      from (select pg_get_serial_sequence(c.oid::regclass::text, a.attname)::regclass as name
              from pg_class c join pg_attribute a on a.attrelid = c.oid
             where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
               and a.attidentity <> '' and a.atttypid = 'int8'::regtype and not a.attisdropped) as s`)
  return counters
}
