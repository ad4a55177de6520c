-- What one slot of one service takes instead of what its hours say: "six more at 20:00 tonight". Null: as the hours say.
create table pacing_exception (
  venue_id bigint not null,
  service_date date not null,
  from_minute integer not null check (from_minute between 0 and 2879),
  covers integer check (covers >= 0),
  parties integer check (parties >= 0),
  primary key (venue_id, service_date, from_minute)
);
