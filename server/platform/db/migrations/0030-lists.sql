-- What lists find the person of an entry and of a lead by, as guests and reservations have it. The worker fills it for
-- the rows of before (worker/fill-contact-keys.ts): only its own code says what of a number counts.
alter table waitlist_entry add column email_key text;
alter table waitlist_entry add column phone_key text;
alter table waitlist_entry add column phone_international boolean not null default false;
alter table waitlist_entry add constraint waitlist_phone_key_digits check (phone_key ~ '^[0-9]{7,20}$');
alter table lead add column email_key text;
alter table lead add column phone_key text;
alter table lead add column phone_international boolean not null default false;
alter table lead add constraint lead_phone_key_digits check (phone_key ~ '^[0-9]{7,20}$');

create index waitlist_by_email on waitlist_entry (venue_id, email_key) where email_key is not null;
create index waitlist_by_phone on waitlist_entry (venue_id, phone_key) where phone_key is not null;
create index waitlist_by_phone_suffix on waitlist_entry (venue_id, reverse(phone_key) text_pattern_ops) where phone_key is not null;
create index lead_by_email on lead (venue_id, email_key) where email_key is not null;
create index lead_by_phone on lead (venue_id, phone_key) where phone_key is not null;
create index lead_by_phone_suffix on lead (venue_id, reverse(phone_key) text_pattern_ops) where phone_key is not null;

-- The orders and filters of lists. A booking or task without a date comes last.
create index reservation_by_date on reservation (venue_id, coalesce(date, 'infinity'::date), coalesce(time, '00:00'::time), id);
create index reservation_by_status on reservation (venue_id, status, created_at desc, id desc);
create index task_newest on task (venue_id, created_at desc, id desc);
create index task_by_date on task (venue_id, coalesce(due, 'infinity'::date), id);
create index lead_by_priority on lead (venue_id, priority, created_at desc, id desc);
