-- Who serves: the people on the floor, the sections of its tables, and who has which section in a service. For staff only.
create table server (
  venue_id bigint not null,
  id bigint generated always as identity,
  name text not null,
  initials text not null,
  color text not null,
  -- The number of an account of the office, where they have one.
  account bigint,
  -- One with past shifts is not deleted: history names it.
  is_on boolean not null default true,
  version integer not null default 1,
  primary key (venue_id, id),
  constraint server_initials_check check (char_length(initials) between 1 and 3)
);

create table section_plan (
  venue_id bigint not null,
  id bigint generated always as identity,
  name text not null,
  is_on boolean not null default true,
  version integer not null default 1,
  primary key (venue_id, id)
);

create table section_table (
  venue_id bigint not null,
  plan_id bigint not null,
  table_id bigint not null,
  section integer not null,
  primary key (venue_id, plan_id, table_id),
  foreign key (venue_id, plan_id) references section_plan (venue_id, id) on delete cascade,
  foreign key (venue_id, table_id) references dining_table (venue_id, id) on delete cascade
);

create index section_table_by_table on section_table (venue_id, table_id);

-- One service of one service date, by the minutes it was planned for when its line-up was made.
create table shift (
  venue_id bigint not null,
  id bigint generated always as identity,
  service_date date not null,
  from_minute integer not null,
  to_minute integer not null,
  plan_id bigint not null,
  version integer not null default 1,
  primary key (venue_id, id),
  foreign key (venue_id, plan_id) references section_plan (venue_id, id)
);

create unique index shift_of_service on shift (venue_id, service_date, from_minute);
create index shift_by_plan on shift (venue_id, plan_id);

create table shift_server (
  venue_id bigint not null,
  shift_id bigint not null,
  server_id bigint not null,
  -- The order of the line-up.
  place integer not null,
  from_minute integer not null,
  until_minute integer not null,
  -- Passed over once: last in turn until somebody else was given a party.
  skipped_at timestamptz(3),
  -- Takes no new parties from then on.
  cut_at timestamptz(3),
  primary key (venue_id, shift_id, server_id),
  foreign key (venue_id, shift_id) references shift (venue_id, id) on delete cascade,
  foreign key (venue_id, server_id) references server (venue_id, id)
);

create index shift_server_by_server on shift_server (venue_id, server_id);

create table shift_section (
  venue_id bigint not null,
  shift_id bigint not null,
  section integer not null,
  server_id bigint not null,
  primary key (venue_id, shift_id, section),
  foreign key (venue_id, shift_id) references shift (venue_id, id) on delete cascade,
  foreign key (venue_id, server_id) references server (venue_id, id)
);

create index shift_section_by_server on shift_section (venue_id, server_id);

-- Who serves, or served, a party; written when it sits down.
create table reservation_server (
  venue_id bigint not null,
  reservation_id bigint not null,
  server_id bigint not null,
  primary key (venue_id, reservation_id),
  foreign key (venue_id, reservation_id) references reservation (venue_id, id) on delete cascade,
  foreign key (venue_id, server_id) references server (venue_id, id)
);

create index reservation_server_by_server on reservation_server (venue_id, server_id);
