-- Who was erased, by the ids of their records and nothing else of them, so that software with copies can follow.
create table erasure (
  venue_id bigint not null,
  id bigint not null generated always as identity,
  at timestamptz(3) not null,
  -- By kind: {"guests": [3107], "reservations": [], …}.
  ids jsonb not null,
  primary key (venue_id, id)
);

-- What a key says: the copies that its software had are gone.
create table erasure_confirmation (
  venue_id bigint not null,
  erasure_id bigint not null,
  key_id bigint not null,
  at timestamptz(3) not null,
  note text,
  primary key (venue_id, erasure_id, key_id),
  foreign key (venue_id, erasure_id) references erasure (venue_id, id)
);
