-- Who signs in at the office: a local table. An address has one account and an account one venue; the
-- service's own reviewers belong to none.
create table staff (
  id bigint generated always as identity primary key,
  venue_id bigint references venue (id),
  email text not null,
  email_key text not null unique,
  role text not null check (role in ('host', 'manager', 'owner', 'reviewer')),
  password_hash text not null,
  created_at timestamptz(3) not null,
  check ((role = 'reviewer') = (venue_id is null))
);

create index staff_by_venue on staff (venue_id, id);
