-- Requests for a table that a booking rule refused, and days shown without an open time. Numbers alone: who asked is kept nowhere.
create table refused_request (
  venue_id bigint not null,
  service_date date not null,
  -- -1: no time of the day.
  service_minute smallint not null,
  size text not null,
  reason text not null,
  door text not null,
  n bigint not null,
  primary key (venue_id, service_date, service_minute, size, reason, door)
);
create index refused_request_by_age on refused_request (service_date);

-- Pages of the guest doors that were shown, by day: no visitor, no visit.
create table visit_day (
  venue_id bigint not null,
  day date not null,
  door text not null,
  step text not null,
  dimension text not null,
  value text not null,
  n bigint not null,
  primary key (venue_id, day, door, step, dimension, value)
);
create index visit_day_by_age on visit_day (day);
