-- Waits for a table on another day, or was full when it asked: what comes free is offered to it. Nobody of before is.
alter table waitlist_entry add column for_later boolean not null default false;

create index waitlist_for_later on waitlist_entry (venue_id, service_date, created_at, id) where for_later and status = 'waiting';

-- Service dates on which places may have come free. Whoever frees some leaves a row in its own transaction; the job that offers
-- them takes it away. Rows rather than one per date, so that those who cancel do not wait for each other.
create table freed_place (
  venue_id bigint not null,
  id bigint not null generated always as identity,
  service_date date not null,
  primary key (venue_id, id)
);
