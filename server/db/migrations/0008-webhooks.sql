-- Where events go. A `webhook` is an endpoint of the venue's own software; a `hook` belongs to the automation platform.
create table webhook_endpoint (
  venue_id bigint not null,
  id uuid not null,
  kind text not null check (kind in ('webhook', 'hook')),
  url text not null,
  -- The one spelling of the address, so that two spellings of it are one endpoint.
  address text not null,
  events text[] not null,
  -- Sealed with the key ring; hooks carry no signature.
  secret_sealed text,
  status text not null check (status in ('active', 'disabled')),
  disabled_reason text check (disabled_reason in ('too-many-failures', 'gone', 'key-revoked', 'access-withdrawn')),
  -- The current run of failed tries, and of those that got no answer at all.
  failure_count integer not null default 0,
  unanswered_count integer not null default 0,
  last_delivery_at timestamptz(3),
  last_delivery_status text,
  key_id bigint not null,
  created_at timestamptz(3) not null,
  primary key (venue_id, id),
  check ((kind = 'webhook') = (secret_sealed is not null)),
  check ((status = 'disabled') = (disabled_reason is not null))
);

create unique index webhook_endpoint_by_address on webhook_endpoint (venue_id, address) where kind = 'webhook';
create index webhook_endpoint_newest on webhook_endpoint (venue_id, created_at desc, id);

-- When the event's first try left; the venue's pace counts these.
alter table event add column left_at timestamptz(3);

create index event_by_leaving on event (venue_id, left_at) where left_at is not null;

-- One per endpoint and event. `id` is the body's id and the same on every try. The row is the truth about what is to be sent.
create table delivery (
  venue_id bigint not null,
  id uuid not null,
  event_id bigint not null,
  endpoint_id uuid not null,
  occurred_at timestamptz(3) not null,
  due_at timestamptz(3) not null,
  tries integer not null default 0,
  -- Leases that ran out without a result: crashes, which do not use up a try.
  takeovers integer not null default 0,
  lease_until timestamptz(3),
  lease_token uuid,
  done_at timestamptz(3),
  outcome text check (outcome in ('delivered', 'failed', 'dropped')),
  primary key (venue_id, id),
  foreign key (venue_id, event_id) references event (venue_id, id) on delete cascade,
  foreign key (venue_id, endpoint_id) references webhook_endpoint (venue_id, id) on delete cascade,
  check ((done_at is null) = (outcome is null))
);

create index delivery_due on delivery (venue_id, due_at) where done_at is null;
create index delivery_by_endpoint on delivery (venue_id, endpoint_id, occurred_at);
create index delivery_by_event on delivery (venue_id, event_id);
create index delivery_done on delivery (done_at) where done_at is not null;

-- Every try, for the owner's log; kept thirty days, never changed.
create table attempt (
  venue_id bigint not null,
  id bigint generated always as identity,
  delivery_id uuid not null,
  endpoint_id uuid not null,
  started_at timestamptz(3) not null,
  duration_ms integer not null,
  -- 0 when there was no answer; `result` then says why.
  status_code integer not null,
  result text not null,
  -- The first kilobyte of the answer, as bytes.
  answer bytea,
  primary key (venue_id, id),
  foreign key (venue_id, endpoint_id) references webhook_endpoint (venue_id, id) on delete cascade
);

create index attempt_by_endpoint on attempt (venue_id, endpoint_id, started_at desc);
create index attempt_by_age on attempt (started_at);

-- Local, a hint: which venue may have something to send, and from when. A sweep makes good what a crash loses.
create table lane (
  venue_id bigint primary key,
  due_at timestamptz(3) not null
);

create index lane_due on lane (due_at);
