-- How a venue sends texts: its account at the provider. The token is sealed (kernel/secrets.ts).
create table text_sender (
  venue_id bigint not null,
  account text not null,
  token_sealed text not null,
  from_number text not null,
  version integer not null default 1,
  primary key (venue_id)
);

-- Texts of the service to guests, at most once: a worker marks one as being sent, commits, and only then hands it over.
-- What a crash leaves is never sent again; after a while it is known to be unknown. Like mails to guests a row names a
-- record and a kind and nobody's number: that is read when it is sent.
create table guest_text (
  venue_id bigint not null,
  id bigint not null generated always as identity,
  kind text not null,
  record_id bigint not null,
  state text not null default 'waiting'
    check (state in ('waiting', 'sending', 'sent', 'delivered', 'failed', 'unknown')),
  made_at timestamptz(3) not null,
  -- Pointless from here on.
  until timestamptz(3) not null,
  taken_at timestamptz(3),
  ended_at timestamptz(3),
  provider_id text,
  -- Why it failed, without numbers.
  answer text,
  segments integer,
  primary key (venue_id, id)
);

create index guest_text_to_send on guest_text (made_at) where state in ('waiting', 'sending');
create index guest_text_of_record on guest_text (venue_id, kind, record_id, id);
create index guest_text_by_provider_id on guest_text (venue_id, provider_id) where provider_id is not null;

-- Numbers that asked for no more texts of this venue, as fingerprints: kept when a person is erased. They say nothing
-- about mail.
create table text_stop (
  venue_id bigint not null,
  number_key text not null,
  stopped_at timestamptz(3) not null,
  primary key (venue_id, number_key)
);

-- What a party answered. Gone with the party's other words.
create table text_reply (
  venue_id bigint not null,
  id bigint not null generated always as identity,
  entry_id bigint not null,
  provider_id text not null,
  body text not null,
  at timestamptz(3) not null,
  primary key (venue_id, id)
);

create unique index text_reply_once on text_reply (venue_id, provider_id);
create index text_reply_of_entry on text_reply (venue_id, entry_id, id);
