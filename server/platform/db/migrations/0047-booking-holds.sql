-- Places that somebody is about to book: while a guest fills in the form, or while a party on the waitlist has an offer.
-- Whoever sums a slot counts those that have not expired by the clock; the sweep only tidies. No person is in it.
create table booking_hold (
  venue_id bigint not null,
  -- 128 random bits: whoever knows it may use it.
  id text not null check (char_length(id) = 22),
  service_date date not null,
  service_minute integer not null,
  starts_at timestamptz(3) not null,
  party_size integer not null check (party_size >= 1),
  expires_at timestamptz(3) not null,
  -- It may be held longer once.
  extended boolean not null default false,
  -- A key, or a hash of an address, and which of its few places this is; null where the venue itself holds it.
  holder text check (char_length(holder) <= 64),
  place integer check (place >= 1),
  waitlist_entry_id bigint,
  primary key (venue_id, id),
  check ((holder is null) = (place is null)),
  foreign key (venue_id, waitlist_entry_id) references waitlist_entry (venue_id, id) on delete cascade
);

create index booking_hold_by_service on booking_hold (venue_id, service_date, service_minute);
create unique index booking_hold_of_holder on booking_hold (venue_id, holder, place);
create unique index booking_hold_of_entry on booking_hold (venue_id, waitlist_entry_id) where waitlist_entry_id is not null;
create index booking_hold_by_end on booking_hold (expires_at);
