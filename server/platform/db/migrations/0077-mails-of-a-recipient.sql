-- The mails that one address got from a venue within the hour, each in a place of its own: an address has three. Addresses
-- are keyed hashes; a row is worth nothing after an hour and goes then.
create table recipient_place (
  venue_id bigint not null,
  recipient text not null,
  place integer not null,
  used_at timestamptz(3) not null,
  primary key (venue_id, recipient, place)
);
create index recipient_place_by_use on recipient_place (used_at);
