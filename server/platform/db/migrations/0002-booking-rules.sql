-- The venue's booking rules. Minutes are counted from 00:00 of the service date and run past 1,440 after midnight.

create table booking_settings (
  venue_id bigint primary key,
  min_party integer not null default 1 check (min_party >= 1),
  max_party integer check (max_party >= min_party),
  min_notice_minutes integer not null default 0 check (min_notice_minutes >= 0),
  max_days_ahead integer check (max_days_ahead >= 0),
  same_day_cutoff_minute integer check (same_day_cutoff_minute between 0 and 1439),
  pacing_interval_minutes integer not null default 15 check (pacing_interval_minutes between 1 and 1440),
  pacing_max_covers integer check (pacing_max_covers >= 0),
  pacing_max_parties integer check (pacing_max_parties >= 0),
  slot_step_minutes integer not null default 15 check (slot_step_minutes between 1 and 1440),
  online_paused boolean not null default false,
  turn_times jsonb not null default '[]'
);

create table service_period (
  venue_id bigint not null,
  id bigint generated always as identity,
  weekday integer check (weekday between 1 and 7),
  special_date date,
  name text,
  start_minute integer not null check (start_minute between 0 and 1439),
  end_minute integer not null,
  last_arrival_minute integer,
  seating_minutes integer[] not null default '{}',
  same_day_cutoff_minute integer check (same_day_cutoff_minute between 0 and 1439),
  min_party integer,
  max_party integer,
  pacing_interval_minutes integer check (pacing_interval_minutes between 1 and 1440),
  pacing_max_covers integer,
  pacing_max_parties integer,
  primary key (venue_id, id),
  check (end_minute > start_minute and end_minute <= start_minute + 1440),
  check ((weekday is null) <> (special_date is null))
);

create table special_day (
  venue_id bigint not null,
  date date not null,
  name text,
  primary key (venue_id, date)
);

create table closure (
  venue_id bigint not null,
  id bigint generated always as identity,
  from_date date not null,
  to_date date not null check (to_date >= from_date),
  name text not null,
  primary key (venue_id, id)
);

create table block (
  venue_id bigint not null,
  id bigint generated always as identity,
  service_date date not null,
  from_minute integer not null,
  to_minute integer not null check (to_minute > from_minute),
  scope text not null check (scope in ('online', 'all')),
  public_note text,
  staff_note text,
  primary key (venue_id, id)
);

create index block_by_day on block (venue_id, service_date);

-- Who adds to a service date's load holds this row. Made on first use, never deleted.
create table booking_day (
  venue_id bigint not null,
  service_date date not null,
  primary key (venue_id, service_date)
);
