-- The key that last set the address of an endpoint, with its scopes as those of the key that made it; null: that one.
alter table webhook_endpoint add column address_key_id bigint;
alter table webhook_endpoint add column address_key_scopes text[];
alter table webhook_endpoint add constraint webhook_endpoint_address_key_check
  check ((address_key_id is null) = (address_key_scopes is null));
-- That key was revoked or has expired, and nobody has looked at the address since.
alter table webhook_endpoint add column address_in_doubt boolean not null default false;
