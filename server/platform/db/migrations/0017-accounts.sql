-- A link by which somebody chooses a new password: the newest of an account, gone once it was used. Local, like staff.
create table password_link (
  staff_id bigint primary key references staff (id) on delete cascade,
  token_hash bytea not null unique,
  made_by text not null,
  made_at timestamptz(3) not null,
  expires_at timestamptz(3) not null
);

-- Invitations are listed and revoked, by a number that is no secret; of one address the newest counts.
alter table invitation add column id bigint generated always as identity;
alter table invitation add column email_key text;

update invitation set email_key = lower(email);

delete from invitation i
 where used_at is null
   and exists (
     select from invitation n
      where n.venue_id = i.venue_id and n.email_key = i.email_key and n.used_at is null
        and (n.created_at, n.id) > (i.created_at, i.id));

alter table invitation alter column email_key set not null;

create unique index invitation_by_id on invitation (id);
create unique index invitation_open on invitation (venue_id, email_key) where used_at is null;
