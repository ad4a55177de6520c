-- What everybody on the floor has to know of an evening: what is out, who comes, who leaves early. For staff only.
create table shift_note (
  venue_id bigint not null,
  id bigint not null generated always as identity,
  service_date date not null,
  text text not null,
  version integer not null default 1,
  primary key (venue_id, id)
);

create unique index shift_note_of_evening on shift_note (venue_id, service_date);
