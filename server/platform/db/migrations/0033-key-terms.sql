-- What a key's owner settles besides what it may do. `rotated_from`: the key that this one replaced, whose family it is in.
-- `expiry_told`: of which of the days before its end the owner was told; 0: it is over, and its endpoints are off.
alter table api_key
  add column expires_at timestamptz(3),
  add column expiry_told integer,
  add column allowed_addresses cidr[],
  add column may_rotate boolean not null default false,
  add column rotated_from bigint,
  add column rotation_told boolean not null default false,
  add column rate_per_minute integer;
create index api_key_by_predecessor on api_key (rotated_from) where rotated_from is not null;
create index api_key_by_expiry on api_key (expires_at) where expires_at is not null and revoked_at is null;
