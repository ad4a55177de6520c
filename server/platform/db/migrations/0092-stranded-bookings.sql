-- Bookings that a change of the rules left without a service, a row for each booking and change: once a message to the guest
-- is queued its moment is here, whoever presses. A booking that is for another time by now was moved.
create table stranded_booking (
  venue_id bigint not null,
  reservation_id bigint not null,
  change_id bigint not null,
  date date not null,
  time time not null,
  written_at timestamptz(3),
  message text,
  spoken_at timestamptz(3),
  primary key (venue_id, reservation_id, change_id),
  foreign key (venue_id, reservation_id) references reservation (venue_id, id) on delete cascade
);
