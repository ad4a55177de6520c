create table subscriber (
  venue_id bigint not null,
  id bigint generated always as identity,
  email text not null,
  email_key text not null,
  first_name text,
  status text not null check (status in ('subscribed', 'pending', 'unsubscribed')),
  source text not null,
  birth_month integer check (birth_month between 1 and 12),
  birth_day integer check (birth_day between 1 and 31),
  consent_at timestamptz(3),
  confirmed_at timestamptz(3),
  unsubscribed_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (venue_id, id)
);

create unique index subscriber_by_email on subscriber (venue_id, email_key);
create index subscriber_newest on subscriber (venue_id, created_at desc, id desc);

-- The venue's proof: every agreement as it was given. Rows are only ever added.
create table consent (
  venue_id bigint not null,
  id bigint generated always as identity,
  subscriber_id bigint not null,
  source text not null,
  statement text,
  page_url text,
  agreed_at timestamptz(3) not null,
  recorded_at timestamptz(3) not null,
  recorded_via text not null,
  primary key (venue_id, id),
  foreign key (venue_id, subscriber_id) references subscriber (venue_id, id) on delete cascade
);

create index consent_by_subscriber on consent (venue_id, subscriber_id);

create table tag (
  venue_id bigint not null,
  id bigint generated always as identity,
  name text not null,
  name_key text not null,
  primary key (venue_id, id)
);

create unique index tag_by_name on tag (venue_id, name_key);

create table subscriber_tag (
  venue_id bigint not null,
  subscriber_id bigint not null,
  tag_id bigint not null,
  primary key (venue_id, subscriber_id, tag_id),
  foreign key (venue_id, subscriber_id) references subscriber (venue_id, id) on delete cascade,
  foreign key (venue_id, tag_id) references tag (venue_id, id) on delete cascade
);

create index subscriber_tag_by_tag on subscriber_tag (venue_id, tag_id);

-- The do-not-email list. It holds addresses, not people: an address may be on it that never subscribed.
create table suppression (
  venue_id bigint not null,
  email_key text not null,
  reason text not null check (reason in ('bounced', 'spam_report', 'staff_removal')),
  created_at timestamptz(3) not null,
  primary key (venue_id, email_key)
);
