-- Hours of the clock on which the office writes times; null: as the venue's country does.
alter table venue add column clock_hours integer check (clock_hours in (12, 24));
