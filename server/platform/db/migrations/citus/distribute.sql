-- Run after each migration on a Citus cluster only: spreads every new table whose primary key starts with venue_id, but
-- for those that db/local-tables.ts names.
do $$
declare
  made regclass;
  anchor text;
begin
  for made in
    select c.oid
      from pg_class c
      join pg_constraint p on p.conrelid = c.oid and p.contype = 'p'
      join pg_attribute a on a.attrelid = c.oid and a.attnum = p.conkey[1]
     where c.relnamespace = 'public'::regnamespace
       and c.relkind = 'r'
       and c.relpersistence = 'p'
       and a.attname = 'venue_id'
       and c.relname <> all (current_setting('venue_data.local_tables')::text[])
       and not exists (select from pg_dist_partition d where d.logicalrelid = c.oid)
     order by c.oid
  loop
    select logicalrelid::text into anchor
      from pg_dist_partition where partmethod = 'h' order by logicalrelid limit 1;
    perform create_distributed_table(made, 'venue_id', colocate_with => coalesce(anchor, 'none'));
  end loop;
  execute format('alter role %I set lock_timeout = %L', current_user, '2s');
end $$;
