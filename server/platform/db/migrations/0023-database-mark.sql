-- Where this database belongs, and since when sending is on hold. One row, made at the first start (db/database-mark.ts).
-- A copy that was restored or moved carries a mark that does not fit the place it runs in. Local.
create table database_mark (
  single boolean primary key default true check (single),
  mark text not null,
  made_at timestamptz(3) not null,
  held_since timestamptz(3)
);
