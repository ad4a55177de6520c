-- Events are numbered by who reads them, as changes are, and counted in the same row: how far, and the highest number of
-- an event that is no longer kept. What is forgotten before anybody read it counts as well.
alter table change_head
  add column event_seq bigint not null default 0,
  add column event_gone_seq bigint not null default 0;

create unique index event_in_order on event (venue_id, seq) where seq is not null;
create index event_unnumbered on event (venue_id, id) where seq is null;
