-- Another time, date or size of a confirmed booking that the venue is asked for. While it is pending and not expired it
-- counts in its slot; the booking keeps its own place meanwhile.
create table reservation_change (
  venue_id bigint not null,
  id bigint generated always as identity,
  reservation_id bigint not null,
  date date not null,
  time time(0) not null,
  service_date date not null,
  service_minute integer not null,
  starts_at timestamptz(3) not null,
  party_size integer not null check (party_size >= 1),
  status text not null check (status in ('pending', 'accepted', 'declined', 'withdrawn', 'lapsed')),
  asked_by_key bigint,
  asked_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  answered_at timestamptz(3),
  primary key (venue_id, id),
  foreign key (venue_id, reservation_id) references reservation (venue_id, id) on delete cascade
);

create unique index reservation_change_pending on reservation_change (venue_id, reservation_id) where status = 'pending';
create index reservation_change_by_service on reservation_change (venue_id, service_date, service_minute)
  where status = 'pending';
create index reservation_change_of_reservation on reservation_change (venue_id, reservation_id);

-- Whether changes of confirmed bookings by API wait for an answer, or apply where every rule allows them.
alter table booking_settings add column api_changes text not null default 'ask';
alter table booking_settings add constraint booking_settings_api_changes check (api_changes in ('ask', 'direct'));

-- A word to the staff of whoever cancelled.
alter table reservation add column cancel_message text;
