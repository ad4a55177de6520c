-- Sites whose frames asked for a venue's pages for guests: when they last did, and whether the venue had listed them then.
create table frame_site (
  venue_id bigint not null,
  site text not null check (char_length(site) <= 200),
  listed boolean not null,
  seen_at timestamptz(3) not null,
  primary key (venue_id, site)
);

create index frame_site_by_age on frame_site (seen_at);
