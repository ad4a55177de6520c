-- What an account did since the backup that a copy is from, by `look_from`, is looked at when `look_at` has come, until a look that
-- began after `look_until` was answered: the pages of the service of before are over by then, and a key that is not taken is
-- replaced some day.
alter table processor_account add column look_from timestamptz(3);
alter table processor_account add column look_until timestamptz(3);
alter table processor_account add column look_at timestamptz(3);
create index processor_account_to_look on processor_account (look_at) where look_at is not null;
