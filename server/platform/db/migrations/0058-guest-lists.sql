-- The regulars of each venue, by their visits and by when they last came. A table of its own: an index of these columns on
-- the guests would take every visit that is counted to all indexes of a guest (no HOT update); here only the visits of
-- regulars write a row. Written where a guest's counters are (guests/regular-writes.ts).
create table guest_regular (
  venue_id bigint not null,
  id bigint not null,
  visit_count integer not null,
  -- 0001-01-01: nobody knows when.
  last_visit_date date not null,
  primary key (venue_id, id),
  foreign key (venue_id, id) references guest (venue_id, id) on delete cascade
);

insert into guest_regular (venue_id, id, visit_count, last_visit_date)
select venue_id, id, visit_count, coalesce(last_visit_date, '0001-01-01') from guest where visit_count >= 5;

create index guest_regular_by_visits on guest_regular (venue_id, visit_count, id);
create index guest_regular_by_last_visit on guest_regular (venue_id, last_visit_date, id);

-- A guest without allergies is not in it, so making one pays nothing.
create index guest_with_allergies on guest (venue_id, id) where allergies is not null;
