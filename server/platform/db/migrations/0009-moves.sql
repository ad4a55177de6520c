-- What the moves of staff and guests need to know to be undone exactly. `version` counts every change of a row, so
-- that a page can tell that what it shows is old.
alter table reservation
  add column version integer not null default 1,
  add column cancelled_from text,
  add column arrived_by_seating boolean not null default false,
  add column stage_before_seating text,
  add column kept_open boolean not null default false;

alter table reservation add constraint reservation_cancelled_from
  check (cancelled_from in ('Requested', 'Confirmed'));

-- The parties at table, for the floor and for the end of a service.
create index reservation_at_table on reservation (venue_id, service_date) where status = 'Seated';

alter table waitlist_entry
  add column version integer not null default 1,
  add column service_date date,
  add column booked_as text,
  add column rejoined_at timestamptz(3);

alter table waitlist_entry add constraint waitlist_entry_booked_as check (booked_as in ('seated', 'later'));

create index waitlist_by_reservation on waitlist_entry (venue_id, reservation_id) where reservation_id is not null;
create index waitlist_in_line on waitlist_entry (venue_id, created_at) where status in ('waiting', 'offered');

-- What a guest brought along from another system. The guest's own counters include it.
alter table guest
  add column imported_visit_count integer not null default 0,
  add column imported_no_show_count integer not null default 0,
  add column imported_cancellation_count integer not null default 0,
  add column imported_last_visit_date date;

-- The private trail: who changed what, and when. Rows are only ever added, and no part of the API reads them.
create table activity (
  venue_id bigint not null,
  id bigint generated always as identity,
  at timestamptz(3) not null,
  actor_kind text not null check (actor_kind in ('staff', 'guest', 'key', 'service')),
  actor_id bigint,
  actor_name text,
  action text not null,
  record_kind text not null,
  record_id bigint not null,
  before jsonb,
  after jsonb,
  primary key (venue_id, id)
);

create index activity_of_record on activity (venue_id, record_kind, record_id, id);
