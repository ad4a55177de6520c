-- Marketing mail: what is written, who it goes to, what became of each copy, and what guests say about mail.

create table campaign (
  venue_id bigint not null,
  id bigint not null generated always as identity,
  name text not null,
  subject text not null,
  preheader text not null default '',
  body_html text not null default '',
  body_text text not null default '',
  body_format text not null default 'guided' check (body_format in ('guided', 'html')),
  segment jsonb not null default '{"type":"all"}',
  -- What the list was built with: a call may name another segment than the campaign's own. Null: no list yet.
  list_segment jsonb,
  status text not null default 'draft' check (status in ('draft', 'scheduled', 'sending', 'sent', 'cancelled')),
  event_id bigint,
  series_key text not null default '',
  series_step integer,
  series_total integer,
  -- The staff account, or null for the API. It never leaves.
  created_by bigint,
  scheduled_at timestamptz(3),
  send_hold_until timestamptz(3),
  test_sent_at timestamptz(3),
  composed_at timestamptz(3),
  reliable boolean not null default true,
  holdout_pct integer not null default 0 check (holdout_pct between 0 and 50),
  started_at timestamptz(3),
  finished_at timestamptz(3),
  last_error text not null default '',
  -- Tallies of its recipients, changed by the statement that changes those.
  row_count integer not null default 0,
  held_count integer not null default 0,
  sent_count integer not null default 0,
  failed_count integer not null default 0,
  skipped_count integer not null default 0,
  -- Of the people to be mailed, how many have no first name; counted with the list.
  nameless_count integer not null default 0,
  version integer not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (venue_id, id),
  foreign key (venue_id, event_id) references ticketed_event (venue_id, id),
  check ((series_key = '') = (series_step is null) and (series_key = '') = (series_total is null)),
  check (series_step between 1 and series_total),
  check ((status in ('sent', 'cancelled')) = (finished_at is not null)),
  check (held_count + sent_count + failed_count + skipped_count <= row_count)
) with (fillfactor = 70);

create index campaign_newest on campaign (venue_id, created_at desc, id desc);

create index campaign_to_send on campaign (scheduled_at) where status in ('scheduled', 'sending');

-- One copy for one person. An address is on a list once because a person is: it belongs to one subscriber of a venue
-- (subscriber_by_email) and never changes; an index of its own would cost half of building a list of a million, and so
-- would one by person. No key to the campaign: its check would cost more than building a list of a million, and
-- no campaign is ever deleted.
create table recipient (
  venue_id bigint not null,
  campaign_id bigint not null,
  subscriber_id bigint not null,
  email_key text not null,
  state text not null check (state in ('waiting', 'claimed', 'wire', 'sent', 'failed', 'skipped', 'held')),
  -- failed: permanent, used-up, unknown. skipped: cancelled, unsubscribed, suppressed, deleted, ticket-holder, paused, no-match.
  why text,
  due_at timestamptz(3) not null,
  tries integer not null default 0,
  first_tried_at timestamptz(3),
  claim uuid,
  lease_until timestamptz(3),
  message_id text,
  -- The relay's last answer, without addresses.
  answer text,
  ended_at timestamptz(3),
  -- They left the list by a link in this very copy.
  left_at timestamptz(3),
  primary key (venue_id, campaign_id, subscriber_id),
  check ((state in ('claimed', 'wire')) = (claim is not null and lease_until is not null)),
  check ((state in ('failed', 'skipped')) = (why is not null))
  -- Each copy changes three times within seconds; what that leaves in the indexes must go soon.
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02);

create index recipient_waiting on recipient (venue_id, campaign_id, due_at) where state = 'waiting';

create index recipient_taken on recipient (venue_id, campaign_id, lease_until) where state in ('claimed', 'wire');

-- A venue's settings of mail, and the row a send holds while it counts the month's allowance.
create table mail_settings (
  venue_id bigint not null,
  holdout_pct integer not null default 0 check (holdout_pct between 0 and 50),
  version integer not null default 1,
  primary key (venue_id)
);

-- What guests choose on their preferences page. A topic is a tag the venue shows there.
alter table subscriber add column mail_paused_until timestamptz(3);

alter table subscriber add column birthday_mails boolean not null default true;

alter table tag add column topic boolean not null default false;

create table topic_off (
  venue_id bigint not null,
  subscriber_id bigint not null,
  tag_id bigint not null,
  primary key (venue_id, subscriber_id, tag_id),
  foreign key (venue_id, subscriber_id) references subscriber (venue_id, id) on delete cascade,
  foreign key (venue_id, tag_id) references tag (venue_id, id) on delete cascade
);

-- Mail that came back, and complaints. The same report may come twice and counts once.
create table mail_bounce (
  venue_id bigint not null,
  id bigint not null generated always as identity,
  email_key text not null,
  kind text not null check (kind in ('hard', 'soft', 'complaint')),
  source text not null check (source in ('relay', 'dsn', 'ses', 'postmark', 'sendgrid')),
  status_code text,
  campaign_id bigint,
  subscriber_id bigint,
  report_key text not null,
  at timestamptz(3) not null,
  primary key (venue_id, id)
);

create unique index mail_bounce_by_report on mail_bounce (venue_id, report_key);

create index mail_bounce_by_address on mail_bounce (venue_id, email_key, at desc);

create index mail_bounce_by_age on mail_bounce (venue_id, at);
