-- What the key of an endpoint may do, copied when either is made or changed: keys are elsewhere on a cluster. Null: an
-- endpoint of a key from before there were scopes.
alter table webhook_endpoint add column key_scopes text[];
alter table webhook_endpoint drop constraint webhook_endpoint_disabled_reason_check;
alter table webhook_endpoint add constraint webhook_endpoint_disabled_reason_check
  check (disabled_reason in ('too-many-failures', 'gone', 'key-revoked', 'key-expired', 'access-withdrawn'));
