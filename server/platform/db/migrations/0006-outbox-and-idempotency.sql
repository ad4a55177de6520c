-- The outbox. Written in the transaction of the change it tells of; `data` is the record's bytes as they were then.
create table event (
  venue_id bigint not null,
  id bigint generated always as identity,
  name text not null,
  data text not null,
  occurred_at timestamptz(3) not null,
  primary key (venue_id, id)
);

create index event_by_moment on event (venue_id, occurred_at, id);

-- A claim is a row without an answer. The kept answer is written by the transaction that did the work.
create table idempotency (
  venue_id bigint not null,
  endpoint text not null,
  key text not null,
  body_hash bytea not null,
  token uuid not null,
  claimed_at timestamptz(3) not null,
  answered_at timestamptz(3),
  status integer,
  body text,
  record_id bigint,
  primary key (venue_id, endpoint, key),
  check ((answered_at is null) = (body is null))
);

create index idempotency_by_age on idempotency (claimed_at);
