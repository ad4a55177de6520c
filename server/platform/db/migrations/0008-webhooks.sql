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

-- When the latest first try of the event left: the venue's pace counts these. The bytes go some days after the end.
alter table event add column left_at timestamptz(3);
alter table event alter column data drop not null;

create index event_by_leaving on event (venue_id, left_at) where left_at is not null;
create index event_with_data on event (occurred_at) where data is not null;

-- One per endpoint and event. `id` is the body's id and the same on every try. The row is the truth about what is to be sent.
-- No foreign key to the endpoint: removing one must not wait for its history, and an event that is being recorded
-- must not fail because its endpoint goes. What is left without an endpoint is never sent; a sweep closes it.
create table delivery (
  venue_id bigint not null,
  id uuid not null,
  event_id bigint not null,
  endpoint_id uuid not null,
  occurred_at timestamptz(3) not null,
  -- From when a worker may take it: the next try or, while it is leased, the end of the lease.
  due_at timestamptz(3) not null,
  -- Tries that have ended.
  tries integer not null default 0,
  -- Leases that ran out without a result: crashes, of which the first three do not use up a try.
  takeovers integer not null default 0,
  -- Who has it now. Only the holder of the token may write what came of the try.
  lease_token uuid,
  done_at timestamptz(3),
  outcome text check (outcome in ('delivered', 'failed', 'dropped')),
  primary key (venue_id, id),
  foreign key (venue_id, event_id) references event (venue_id, id) on delete cascade,
  check ((done_at is null) = (outcome is null))
);

-- Two lines for each endpoint, so that neither waits behind the other.
create index delivery_first_tries on delivery (venue_id, endpoint_id, due_at) where done_at is null and tries = 0;
create index delivery_retries on delivery (venue_id, endpoint_id, due_at) where done_at is null and tries > 0;
create index delivery_in_flight on delivery (venue_id, endpoint_id) where done_at is null and lease_token is not null;
create index delivery_by_endpoint on delivery (venue_id, endpoint_id, occurred_at);
create index delivery_by_event on delivery (venue_id, event_id);
create index delivery_done on delivery (done_at) where done_at is not null;

-- Every try, for the owner's log; kept thirty days, never changed. A lease makes one try at most, so its token names it.
create table attempt (
  venue_id bigint not null,
  delivery_id uuid not null,
  token uuid not null,
  endpoint_id uuid not null,
  started_at timestamptz(3) not null,
  duration_ms integer not null,
  -- 0 when there was no answer; `result` then says why.
  status_code integer not null,
  result text not null,
  -- The first kilobyte of the answer, as bytes.
  answer bytea,
  primary key (venue_id, delivery_id, token)
);

create index attempt_by_endpoint on attempt (venue_id, endpoint_id, started_at desc);
create index attempt_by_age on attempt (started_at);

-- How often the venue's deliveries were taken. Whoever takes some names the number they saw: of two workers that
-- looked at the same facts only one may act on them, so the pace and the limits hold over all processes.
create table delivery_turn (
  venue_id bigint primary key,
  number bigint not null
) with (fillfactor = 50);

-- Local, a hint: which venue may have something to send, and from when. A sweep makes good what a crash loses.
create table lane (
  venue_id bigint primary key,
  due_at timestamptz(3) not null,
  -- A venue over its pace has no first try before this; a new event does not call a worker to it earlier.
  paced_until timestamptz(3) not null default '-infinity'
);

create index lane_due on lane (due_at);
