-- What a party on the waitlist has besides, all of it private: until when its table is held, whether staff typed its quote
-- (which others then go by), that it is on its way, and what belongs to the private link by which a guest sees its place.
alter table waitlist_entry add column offered_until timestamptz(3);
alter table waitlist_entry add column quoted_by_hand boolean not null default false;
alter table waitlist_entry add column coming_at timestamptz(3);
alter table waitlist_entry add column language text;
-- Which link leads here; staff end one by making the next.
alter table waitlist_entry add column link_issue integer not null default 0;
-- The form it was made by: sent twice, it makes one entry.
alter table waitlist_entry add column form_token uuid;

create unique index waitlist_of_form on waitlist_entry (venue_id, form_token) where form_token is not null;
create index waitlist_seated on waitlist_entry (venue_id, seated_at) where seated_at is not null;
