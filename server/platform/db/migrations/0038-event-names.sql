-- One change is one event, under all the names that fit it, the most telling first; `name` is the one of them that version
-- 1 began with, if there is one: what a process of the release before tells. An event of such a process has none of these.
alter table event
  add column names text[],
  add column record_kind text,
  add column record_id bigint,
  add column revision integer,
  -- The fields that changed, and what they were: JSON text, forgotten with the bytes.
  add column changed text[],
  add column previous text,
  add column public_id uuid,
  -- Its place among the events of its venue, given by who reads them.
  add column seq bigint,
  -- Whether what waits of it may be replaced by the next such event of its record.
  add column gathered boolean not null default false,
  -- Whether it left under a late name alone, as the pace counts it.
  add column left_late boolean not null default false;

create index event_by_record on event (venue_id, record_kind, record_id, id) where record_kind is not null;

-- The name it goes under, and whether that is a late one: one that version 1 did not begin with.
alter table delivery
  add column name text,
  add column late boolean not null default false;

-- Three lines for each endpoint: late names do not stand in the way of the others, and retries in nobody's.
drop index delivery_first_tries;
create index delivery_first_tries on delivery (venue_id, endpoint_id, late, due_at) where done_at is null and tries = 0;

-- Whether the venue's other endpoints were told that it is switched off.
alter table webhook_endpoint add column off_told boolean not null default false;
update webhook_endpoint set off_told = true where status = 'disabled';

-- When the venue's doorbells rang last, and up to which of its changes.
create table doorbell (
  venue_id bigint primary key,
  seq bigint not null,
  rung_at timestamptz(3) not null default '-infinity'
) with (fillfactor = 50);

create index webhook_endpoint_doorbells on webhook_endpoint (venue_id)
  where events && array['changes.available', 'changes.*'] and status = 'active';
