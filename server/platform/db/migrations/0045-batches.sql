-- Records of one kind that software sent in one request. A worker writes them some at a time, and keeps what came of each
-- in the transaction that writes it, so a crash repeats nothing. `next_at` is when a worker may take a batch up: in the
-- future while one has it.
create table batch (
  venue_id bigint not null,
  id uuid not null,
  key_id bigint not null,
  kind text not null check (kind in ('guest', 'subscriber', 'lead', 'task')),
  mode text not null check (mode in ('check', 'write')),
  status text not null check (status in ('waiting', 'running', 'done', 'cancelled')),
  total integer not null,
  done integer not null default 0,
  made integer not null default 0,
  matched integer not null default 0,
  refused integer not null default 0,
  -- Events that it has brought about: they are sent one after the other.
  told integer not null default 0,
  sent_at timestamptz(3) not null,
  started_at timestamptz(3),
  ended_at timestamptz(3),
  next_at timestamptz(3),
  primary key (venue_id, id),
  check ((status in ('waiting', 'running')) = (next_at is not null))
);

-- A venue has one under way.
create unique index batch_under_way on batch (venue_id) where next_at is not null;
create index batch_to_run on batch (next_at) where next_at is not null;
create index batch_by_end on batch (ended_at) where ended_at is not null;
create index batch_by_sending on batch (venue_id, sent_at);

create table batch_item (
  venue_id bigint not null,
  id bigint not null generated always as identity,
  batch_id uuid not null,
  ref text not null,
  -- Null once it is done: only what came of it is kept.
  body jsonb,
  status text check (status in ('made', 'matched', 'refused')),
  record_id bigint,
  reason text,
  error text,
  -- What a single POST answers besides: {"conflicting": ["phone"]}, without values.
  besides jsonb,
  primary key (venue_id, id),
  foreign key (venue_id, batch_id) references batch (venue_id, id) on delete cascade
);

create index batch_item_of_batch on batch_item (venue_id, batch_id, id);
