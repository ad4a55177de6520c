-- Which networks bookings of the guest pages came from, as keyed hashes of a day, each with the state it was made in: while
-- it has that, it counts among what the network took of an evening without anybody having answered for it. Forgotten after
-- two days, when no hash is read anymore.
create table booking_network (
  venue_id bigint not null,
  network text not null,
  reservation_id bigint not null,
  status text not null,
  made_at timestamptz(3) not null,
  primary key (venue_id, network, reservation_id),
  foreign key (venue_id, reservation_id) references reservation (venue_id, id) on delete cascade
);
create index booking_network_by_age on booking_network (made_at);
create index booking_network_of_reservation on booking_network (venue_id, reservation_id);

-- A booking that is made when its guest presses a button behind a link in a mail: what the form said, for a quarter of an hour.
create table unmade_booking (
  venue_id bigint not null,
  id bigint not null generated always as identity,
  form_token uuid not null,
  email_key text not null,
  asked jsonb not null,
  language text not null,
  expires_at timestamptz(3) not null,
  primary key (venue_id, id)
);
create unique index unmade_booking_of_form on unmade_booking (venue_id, form_token);
create index unmade_booking_by_end on unmade_booking (expires_at);
