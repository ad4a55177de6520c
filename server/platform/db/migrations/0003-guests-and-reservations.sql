-- Who matches or makes a guest holds this row: a suffix match cannot be a unique index. Made on first use.
create table guest_book (
  venue_id bigint primary key
);

create table guest (
  venue_id bigint not null,
  id bigint generated always as identity,
  name text,
  email text,
  email_key text,
  phone text,
  phone_key text check (phone_key ~ '^[0-9]{7,20}$'),
  phone_international boolean not null default false,
  seating_preference text,
  referral_source text,
  staff_notes text not null default '',
  visit_count integer not null default 0,
  no_show_count integer not null default 0,
  cancellation_count integer not null default 0,
  last_visit_date date,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (venue_id, id)
);

create unique index guest_by_email on guest (venue_id, email_key);
create index guest_by_phone on guest (venue_id, phone_key);
create index guest_by_phone_suffix on guest (venue_id, reverse(phone_key) text_pattern_ops);
create index guest_newest on guest (venue_id, created_at desc, id desc);

create table reservation (
  venue_id bigint not null,
  id bigint generated always as identity,
  guest_id bigint,
  guest_name text,
  email text,
  email_key text,
  phone text,
  phone_key text check (phone_key ~ '^[0-9]{7,20}$'),
  phone_international boolean not null default false,
  party_size integer check (party_size >= 1),
  date date,
  time time(0),
  service_date date,
  service_minute integer,
  starts_at timestamptz(3),
  duration_minutes integer,
  status text not null check (status in ('Requested', 'Confirmed', 'Seated', 'Completed', 'Cancelled', 'No-show')),
  source text not null,
  booking_type text,
  notes text,
  floor_stage text,
  created_at timestamptz(3) not null,
  checked_in_at timestamptz(3),
  seated_at timestamptz(3),
  completed_at timestamptz(3),
  no_show_at timestamptz(3),
  cancelled_at timestamptz(3),
  cancelled_by text check (cancelled_by in ('guest', 'staff')),
  updated_at timestamptz(3) not null,
  primary key (venue_id, id),
  foreign key (venue_id, guest_id) references guest (venue_id, id)
);

create index reservation_newest on reservation (venue_id, created_at desc, id desc);
create index reservation_by_service on reservation (venue_id, service_date, service_minute);
create index reservation_by_email on reservation (venue_id, email_key) where email_key is not null;
create index reservation_by_phone on reservation (venue_id, phone_key) where phone_key is not null;
create index reservation_by_phone_suffix on reservation (venue_id, reverse(phone_key) text_pattern_ops)
  where phone_key is not null;
create index reservation_by_guest on reservation (venue_id, guest_id) where guest_id is not null;
