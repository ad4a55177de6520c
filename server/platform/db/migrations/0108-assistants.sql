-- Assistants reach a venue through an MCP server, with tokens of their own. Local, as all of apps is.
alter table app alter column secret_fingerprint drop not null;
alter table app add column resource text;
create unique index app_by_resource on app (resource) where resource is not null and removed_at is null;
alter table app_code add column resource_app bigint;
create table app_token (
  refresh_hash bytea primary key,
  access_hash bytea not null unique,
  app_id bigint not null references app (id),
  resource_app bigint not null references app (id),
  key_id bigint not null,
  created_at timestamptz(3) not null,
  access_until timestamptz(3) not null,
  lasts_until timestamptz(3),
  spent_at timestamptz(3)
);
create index app_token_by_age on app_token (created_at);
create index app_token_by_key on app_token (key_id);
alter table api_key add column traded_until timestamptz(3);
