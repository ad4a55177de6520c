-- What staff typed for a party, as it goes out; the service's own texts have none, and are written when they are sent.
alter table guest_text add column body text;

-- An answer is about a party in line or about a booking.
alter table text_reply add column reservation_id bigint;
alter table text_reply alter column entry_id drop not null;
alter table text_reply add foreign key (venue_id, reservation_id)
  references reservation (venue_id, id) on delete cascade;
alter table text_reply add check ((entry_id is null) <> (reservation_id is null));
create index text_reply_of_booking on text_reply (venue_id, reservation_id, id) where reservation_id is not null;
