-- The picture of an event's page: read and written again as a logo is. It goes with its event.
create table event_picture (
  venue_id bigint not null,
  event_id bigint not null,
  -- Names its content, in its address.
  tag text not null,
  type text not null,
  width integer not null,
  height integer not null,
  bytes bytea not null,
  primary key (venue_id, event_id),
  constraint event_picture_event foreign key (venue_id, event_id) references ticketed_event (venue_id, id) on delete cascade,
  constraint event_picture_type check (type in ('png', 'jpg')),
  constraint event_picture_size check (octet_length(bytes) <= 524288)
);

create index event_picture_tag on event_picture (venue_id, tag);
