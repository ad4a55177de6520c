-- An owner removes an account that took payments before another took its place. `remove_at`: when a worker is to go on with that; null
-- where nobody asked for it. `removed_at`: since when its key and what its calls were signed with are gone. The row stays, as payments,
-- refunds and cards name it.
alter table processor_account add column remove_at timestamptz(3);
alter table processor_account add column removed_at timestamptz(3);
alter table processor_account add constraint processor_account_forgotten
  check (removed_at is null or (key_sealed = '' and signing_sealed is null and earlier_signing_sealed is null));
create index processor_account_to_remove on processor_account (remove_at) where remove_at is not null;
