import type pg from 'pg'

/*
 * A statement of a request has one plan for all venues (db/pool.ts). PostgreSQL would make it for the average venue: where
 * one has a million bookings and two thousand have a few dozen, it expects a few dozen, and for these any index does, even
 * one that is read from end to end. A plan made for a large venue is as good for a small one. So each table is said to
 * hold the rows of two venues, and a venue to have half of them: `docs/decisions/0062-planned-for-a-large-venue.md`.
 */

/**
 * What the worker that delivers reads for many venues in one statement, of each only what waits: a plan that expects half
 * of a table for one of them would go through all that ever was delivered.
 */
export const readForManyVenues = ['attempt', 'delivery', 'delivery_turn', 'event', 'webhook_endpoint']

/**
 * Has plans expect large venues in every table whose key starts with the venue. For tables that have statistics, these are
 * made again, as they hold the number. Run at each start, since new tables need it, too; it changes nothing the second time.
 */
export const expectLargeVenues = async (client: pg.ClientBase): Promise<void> => {
  const { rows } = await client.query<{ name: string; has_statistics: boolean }>(
    `
    select c.oid::regclass::text as name, c.reltuples > 0 as has_statistics
      from pg_class c
      join pg_constraint p on p.conrelid = c.oid and p.contype = 'p'
      join pg_attribute a on a.attrelid = c.oid and a.attnum = p.conkey[1] and a.attname = 'venue_id'
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
       and a.attoptions is distinct from array['n_distinct=2'] and c.relname <> all ($1::text[])
     order by c.oid`,
    [readForManyVenues],
  )
  for (const { name, has_statistics } of rows) {
    await client.query(`alter table ${name} alter column venue_id set (n_distinct = 2)`)
    if (has_statistics) await client.query(`analyze ${name}`)
  }
}
