-- The venue's rooms and tables, and who holds which. Nothing of it counts until the venue turns tables on.
create table room (
  venue_id bigint not null,
  id bigint generated always as identity,
  name text not null,
  place integer not null,
  is_on boolean not null default true,
  primary key (venue_id, id)
);

create table dining_table (
  venue_id bigint not null,
  id bigint generated always as identity,
  room_id bigint not null,
  label text not null check (char_length(label) between 1 and 6),
  least integer not null check (least >= 1),
  most integer not null check (most >= least),
  shape text not null default 'square',
  x integer not null default 0,
  y integer not null default 0,
  -- Given to bookings online too; otherwise by staff only.
  online boolean not null default true,
  -- Those with a lower number are given first.
  priority integer not null default 0,
  features text[] not null default '{}',
  -- One that had bookings is not deleted: history names it.
  removed_at timestamptz(3),
  primary key (venue_id, id),
  foreign key (venue_id, room_id) references room (venue_id, id)
);

create unique index dining_table_label on dining_table (venue_id, lower(label)) where removed_at is null;
create index dining_table_of_room on dining_table (venue_id, room_id);

-- Tables that may be joined for one party, which then holds every one of them.
create table table_combination (
  venue_id bigint not null,
  id bigint generated always as identity,
  least integer not null check (least >= 1),
  most integer not null check (most >= least),
  primary key (venue_id, id)
);

create table combination_table (
  venue_id bigint not null,
  combination_id bigint not null,
  table_id bigint not null,
  primary key (venue_id, combination_id, table_id),
  foreign key (venue_id, combination_id) references table_combination (venue_id, id) on delete cascade,
  foreign key (venue_id, table_id) references dining_table (venue_id, id) on delete cascade
);

create index combination_table_by_table on combination_table (venue_id, table_id);

-- Out of order for a while, in the venue's wall time.
create table table_outage (
  venue_id bigint not null,
  id bigint generated always as identity,
  table_id bigint not null,
  from_date date not null,
  from_minute integer not null check (from_minute between 0 and 1439),
  until_date date not null,
  until_minute integer not null check (until_minute between 0 and 1439),
  why text,
  primary key (venue_id, id),
  foreign key (venue_id, table_id) references dining_table (venue_id, id) on delete cascade
);

create index table_outage_of_table on table_outage (venue_id, table_id);
create index table_outage_by_end on table_outage (venue_id, until_date);

-- A room or a table that takes nobody on some weekdays, dates or services.
create table table_plan (
  venue_id bigint not null,
  id bigint generated always as identity,
  room_id bigint,
  table_id bigint,
  -- ISO weekdays of the service date; empty: every one.
  weekdays integer[] not null default '{}',
  from_date date,
  to_date date,
  -- The service's name; null: the whole service date.
  service text,
  primary key (venue_id, id),
  check ((room_id is null) <> (table_id is null)),
  foreign key (venue_id, room_id) references room (venue_id, id) on delete cascade,
  foreign key (venue_id, table_id) references dining_table (venue_id, id) on delete cascade
);

create index table_plan_of_room on table_plan (venue_id, room_id) where room_id is not null;
create index table_plan_of_table on table_plan (venue_id, table_id) where table_id is not null;

-- Which tables a booking holds; from when to when follows from the booking.
create table reservation_table (
  venue_id bigint not null,
  reservation_id bigint not null,
  table_id bigint not null,
  -- Staff chose it: no machine moves it.
  pinned boolean not null default false,
  primary key (venue_id, reservation_id, table_id),
  foreign key (venue_id, reservation_id) references reservation (venue_id, id) on delete cascade,
  foreign key (venue_id, table_id) references dining_table (venue_id, id)
);

create index reservation_table_by_table on reservation_table (venue_id, table_id);

-- The tables that a party on the waitlist was paged for, until its offer ends, by the clock of whoever reads.
create table table_hold (
  venue_id bigint not null,
  waitlist_entry_id bigint not null,
  table_id bigint not null,
  from_moment timestamptz(3) not null,
  until_moment timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  primary key (venue_id, waitlist_entry_id, table_id),
  foreign key (venue_id, waitlist_entry_id) references waitlist_entry (venue_id, id) on delete cascade,
  foreign key (venue_id, table_id) references dining_table (venue_id, id) on delete cascade
);

create index table_hold_by_table on table_hold (venue_id, table_id);
create index table_hold_by_end on table_hold (venue_id, expires_at);

-- Whether tables decide about bookings, and how long a table rests between two parties. After they were turned on, a job
-- gives tables to the bookings of these service dates, one after the other; null when it is done.
alter table booking_settings add column table_mode text not null default 'off';
alter table booking_settings add constraint booking_settings_table_mode check (table_mode in ('off', 'on'));
alter table booking_settings add column turnover_minutes integer not null default 0;
alter table booking_settings add constraint booking_settings_turnover_minutes check (turnover_minutes between 0 and 240);
alter table booking_settings add column tables_next_day date;
alter table booking_settings add column tables_last_day date;
