-- Where the feed of a venue's changes stands: made with the venue. A venue from before has one by this migration, and its
-- feed is filled afterwards with the records that are there.
create table change_head (
  venue_id bigint primary key,
  -- The last number that was given.
  seq bigint not null default 0,
  -- The highest number of a record that is gone and forgotten.
  gone_seq bigint not null default 0,
  -- Another one after a restore: numbers that were given since the backup are given again, for other changes.
  epoch uuid not null,
  -- Since when every record of the venue is among its changes; null: not yet.
  filled_at timestamptz(3)
) with (fillfactor = 50);

insert into change_head (venue_id, epoch) select id, gen_random_uuid() from venue;
