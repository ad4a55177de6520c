-- Sums of past days for the figures of reports; a day without a row is counted from its bookings.
create table report_day (
  venue_id bigint not null,
  service_date date not null,
  made_at timestamptz(3) not null,
  -- How often the day was made: who read it before somebody else made it writes nothing.
  times integer not null,
  rules text not null,
  body jsonb not null,
  primary key (venue_id, service_date)
);

-- Days whose sums no longer hold. Rows are only inserted, and deleted by their ids.
create table report_mark (
  venue_id bigint not null,
  id bigint not null generated always as identity,
  service_date date not null,
  primary key (venue_id, id)
);
create index report_mark_of_day on report_mark (venue_id, service_date);

-- Bookings that no figure counts are few, and counted with every report.
create index reservation_without_service on reservation (venue_id, coalesce(date, 'infinity'::date))
  where service_date is null or service_minute is null;
