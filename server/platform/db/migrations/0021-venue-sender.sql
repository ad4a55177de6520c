-- Who proved that a venue may send from its own address: somebody by a link that was mailed there, or the operator, who
-- set it. Counts for this address alone. Local, like venue.
create table venue_sender (
  venue_id bigint primary key references venue (id) on delete cascade,
  address text not null,
  verified_at timestamptz(3),
  verified_by text check (verified_by in ('link', 'operator')),
  -- The newest link; only a hash of its token is kept.
  token_hash bytea unique,
  sent_at timestamptz(3),
  expires_at timestamptz(3),
  -- Links since then, so that no mailbox can be filled with them.
  links integer not null default 0,
  links_since timestamptz(3),
  check ((verified_at is null) = (verified_by is null))
);
