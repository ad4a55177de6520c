-- A file that the owner brought. Its bytes lie in parts until it was imported or given up; what stays is the count and
-- the refused rows by line, without their values. `rows_done` moves with each batch, in the batch's transaction, so a
-- crash repeats nothing; `next_at` is when a worker may take it up: in the future while one has it.
create table data_import (
  venue_id bigint not null,
  id bigint generated always as identity,
  kind text not null check (kind in ('guests', 'subscribers', 'reservations')),
  state text not null check (state in ('ready', 'running', 'done', 'failed', 'cancelled')),
  file_name text not null,
  file_bytes bigint not null,
  row_count integer not null,
  separator text not null,
  upload_id uuid not null,
  plan jsonb not null,
  made_by text not null,
  made_at timestamptz(3) not null,
  started_at timestamptz(3),
  ended_at timestamptz(3),
  next_at timestamptz(3),
  rows_done integer not null default 0,
  made integer not null default 0,
  known integer not null default 0,
  refused integer not null default 0,
  told integer not null default 0,
  problem text,
  primary key (venue_id, id),
  check ((state = 'running') = (next_at is not null))
);

create index data_import_to_run on data_import (next_at) where state = 'running';

create table data_import_part (
  venue_id bigint not null,
  upload_id uuid not null,
  number integer not null,
  bytes bytea not null,
  received_at timestamptz(3) not null,
  primary key (venue_id, upload_id, number)
);

create index data_import_part_by_age on data_import_part (received_at);

create table data_import_refusal (
  venue_id bigint not null,
  import_id bigint not null,
  line integer not null,
  sentence text not null,
  primary key (venue_id, import_id, line),
  foreign key (venue_id, import_id) references data_import (venue_id, id) on delete cascade
);

-- What tells an imported booking from all others: its number in the old system, or a fingerprint of the row.
alter table reservation add column import_key text;

create unique index reservation_by_import_key on reservation (venue_id, import_key) where import_key is not null;
