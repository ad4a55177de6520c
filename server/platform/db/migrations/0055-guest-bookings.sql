-- What a booking has besides for the guest who made it, or was sent a link to it: all of it private. Gone with the booking,
-- and when the person is erased: then the link leads nowhere.
create table guest_booking (
  venue_id bigint not null,
  reservation_id bigint not null,
  -- The form it was made by: sent twice, it makes one booking.
  form_token uuid,
  language text,
  -- Which link leads here; staff end one by making the next.
  link_issue integer not null default 0,
  occasion text,
  seating text,
  -- The venue's own questions that were answered with yes, as they were asked.
  answers text[] not null default '{}',
  -- When the guest said that they are coming.
  coming_at timestamptz(3),
  -- When the mail about it was last asked for again.
  resent_at timestamptz(3),
  primary key (venue_id, reservation_id),
  foreign key (venue_id, reservation_id) references reservation (venue_id, id) on delete cascade
);

create unique index guest_booking_of_form on guest_booking (venue_id, form_token);
