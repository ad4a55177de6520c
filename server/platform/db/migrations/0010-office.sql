alter table staff add column name text;
alter table staff add column disabled_at timestamptz(3);
-- Sealed with the key ring; set together when the second factor is switched on.
alter table staff add column totp_secret_sealed text;
-- The last time step whose code was taken: a code works once.
alter table staff add column totp_last_step bigint;

-- Only a fingerprint of the token in the cookie is kept. Local, like staff.
create table session (
  token_hash bytea primary key,
  staff_id bigint not null references staff (id) on delete cascade,
  created_at timestamptz(3) not null,
  last_seen_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  -- When a password or a code was last checked: making a key asks for a fresh one.
  checked_at timestamptz(3) not null,
  -- One sentence for the next page, such as what a form has done.
  notice text
);

create index session_by_staff on session (staff_id);
create index session_by_expiry on session (expires_at);

create table invitation (
  token_hash bytea primary key,
  venue_id bigint not null references venue (id) on delete cascade,
  email text not null,
  role text not null check (role in ('host', 'manager', 'owner')),
  invited_by text not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  used_at timestamptz(3)
);

create index invitation_by_venue on invitation (venue_id, created_at desc);

-- Tries to sign in, counted by address and by person. A window lost in a crash is a quarter of an hour lost.
create unlogged table sign_in_window (
  key text primary key,
  opened_at timestamptz(3) not null,
  used integer not null
) with (fillfactor = 50);
