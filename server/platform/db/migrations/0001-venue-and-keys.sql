-- Local tables: one row or a few for each venue, read by every request. They never join a sharded table.

create table venue (
  id bigint generated always as identity primary key,
  slug text not null unique check (slug ~ '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$'),
  name text not null,
  timezone text not null,
  plan text not null check (plan in ('free', 'starter', 'pro', 'group', 'legacy')),
  paused boolean not null default false,
  country text not null default 'US' check (country ~ '^[A-Z]{2}$'),
  phone text,
  postal_address text,
  mail_from text,
  test_addresses text[] not null default '{}',
  monthly_emails integer not null default 10000 check (monthly_emails >= 0),
  access text not null default 'none' check (access in ('none', 'requested', 'approved', 'declined', 'withdrawn')),
  access_description text,
  access_answer text,
  access_changed_at timestamptz(3),
  created_at timestamptz(3) not null
);

create table api_key (
  id bigint generated always as identity primary key,
  venue_id bigint not null,
  kind text not null check (kind in ('api', 'automation')),
  scope text not null check (scope in ('read', 'read_write')),
  name text not null,
  fingerprint bytea not null unique,
  last_four text not null,
  created_by text not null,
  created_at timestamptz(3) not null,
  last_used_at timestamptz(3),
  revoked_at timestamptz(3),
  revoked_why text
);

create index api_key_by_venue on api_key (venue_id, id);

-- Rate windows may be lost in a crash of the database: a window is a minute long. Unlogged, they cost no flush.
create unlogged table key_window (
  key_id bigint primary key,
  opened_at timestamptz(3) not null,
  used integer not null
) with (fillfactor = 50);
