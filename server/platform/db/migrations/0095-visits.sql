-- Since when the feed of a venue's changes has a visit for every reservation: until then it knows none.
alter table change_head add column visits_filled_at timestamptz(3);
