-- Software that many venues connect with their owner's consent. All of it is local: it spans venues, and there is little.
create table app (
  id bigint generated always as identity primary key,
  client_id text not null unique,
  secret_fingerprint bytea not null,
  name text not null,
  home text not null,
  privacy text not null,
  redirects text[] not null,
  scopes_needed text[] not null,
  scopes_optional text[] not null,
  created_at timestamptz(3) not null,
  removed_at timestamptz(3)
);
create table app_install (
  id bigint generated always as identity primary key,
  app_id bigint not null references app (id),
  venue_id bigint not null,
  created_at timestamptz(3) not null
);
create index app_install_by_app on app_install (app_id, id);
create index app_install_by_venue on app_install (venue_id, app_id);
create table app_code (
  code_hash bytea primary key,
  app_id bigint not null references app (id),
  venue_id bigint not null,
  staff_id bigint not null,
  redirect text not null,
  challenge text not null,
  scopes text[] not null,
  key_expires_at timestamptz(3),
  created_at timestamptz(3) not null,
  key_id bigint
);
create index app_code_by_age on app_code (created_at);
alter table api_key add column install_id bigint;
create index api_key_by_install on api_key (install_id) where install_id is not null;
