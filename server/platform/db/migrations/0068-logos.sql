-- What stands beside a venue's name on its pages for guests: a picture that was read and written anew, and nothing beside it.
create table venue_logo (
  venue_id bigint not null,
  -- Names its content, in its address.
  tag text not null,
  type text not null check (type in ('png', 'jpg', 'svg')),
  width integer not null,
  height integer not null,
  bytes bytea not null check (octet_length(bytes) <= 524288),
  primary key (venue_id)
);
