-- How often forms of a venue's guest pages were sent from one network (a hash of it) within ten minutes.
create table guest_window (
  venue_id bigint not null,
  network text not null check (char_length(network) <= 64),
  opened_at timestamptz(3) not null,
  used integer not null,
  primary key (venue_id, network)
);

create index guest_window_by_age on guest_window (opened_at);
