-- Staff said that this booking is to be without a table: no machine gives it one.
alter table reservation_house add column no_table boolean not null default false;

-- What a press of staff freed is kept from machines while the press can be undone: until when, which tables from when to when,
-- and in which minute of the service how many guests. All null: whoever freed it has no Undo, and machines may have it at once.
alter table freed_place add column from_moment timestamptz(3);
alter table freed_place add column tables bigint[];
alter table freed_place add column starts_at timestamptz(3);
alter table freed_place add column ends_at timestamptz(3);
alter table freed_place add column service_minute integer;
alter table freed_place add column covers integer;
