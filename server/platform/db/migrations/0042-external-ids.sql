-- The ids that records have in the software of whoever made them: as given, not unique, and nothing is matched by them.
alter table reservation add column external_id text;
alter table guest add column external_id text;
alter table lead add column external_id text;
alter table task add column external_id text;
alter table waitlist_entry add column external_id text;

create index reservation_by_external_id on reservation (venue_id, external_id) where external_id is not null;
create index guest_by_external_id on guest (venue_id, external_id) where external_id is not null;
create index lead_by_external_id on lead (venue_id, external_id) where external_id is not null;
create index task_by_external_id on task (venue_id, external_id) where external_id is not null;
create index waitlist_by_external_id on waitlist_entry (venue_id, external_id) where external_id is not null;
