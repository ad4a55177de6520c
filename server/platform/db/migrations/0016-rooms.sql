-- The venue's rooms and brands, in the owner's order and words: what the lead form offers for `lead.concept`, which stays
-- free text. A venue that has never listed any keeps the empty list; the settings page names those its leads mention.
alter table venue add column rooms text[] not null default '{}';
