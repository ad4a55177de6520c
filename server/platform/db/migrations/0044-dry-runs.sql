-- Dry runs of a key have a minute of their own: they take the locks of what they try.
alter table key_window add column dry_runs_opened_at timestamptz(3);
alter table key_window add column dry_runs integer not null default 0;
