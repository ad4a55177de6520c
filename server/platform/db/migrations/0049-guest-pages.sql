-- What a venue sets of its pages for guests; what the document does not say has its default. A venue of before has no
-- row, and so no door is on.
create table guest_pages (
  venue_id bigint not null,
  settings jsonb not null,
  version integer not null,
  primary key (venue_id)
);
