-- What staff edit by a form counts its changes: a page that shows an old `version` is told so and overwrites nothing.
alter table guest
  add column version integer not null default 1,
  add column allergies text;

alter table lead add column version integer not null default 1;

alter table task
  add column version integer not null default 1,
  add column done_at timestamptz(3);

update task set done_at = updated_at where done;

alter table ticketed_event add column version integer not null default 1;

alter table occurrence add column version integer not null default 1;

-- Staff search by what they hear: the beginning of a name, of what follows the first word, or of the last word.
-- The range operators of text_pattern_ops keep the index under any collation.
create index guest_by_name on guest (venue_id, lower(name) text_pattern_ops);
create index guest_by_later_names on guest (venue_id, lower(substr(name, strpos(name, ' ') + 1)) text_pattern_ops);
create index guest_by_last_name on guest (venue_id, lower(substring(name from '[^ ]+$')) text_pattern_ops);
create index guest_by_email_start on guest (venue_id, email_key text_pattern_ops);

-- A merge of two guests, with all that its undo needs. The one who is gone is a row here and nowhere else.
create table guest_merge (
  venue_id bigint not null,
  id bigint generated always as identity,
  kept_id bigint not null,
  gone_id bigint not null,
  record jsonb not null,
  merged_at timestamptz(3) not null,
  undone_at timestamptz(3),
  primary key (venue_id, id)
);

create index guest_merge_by_kept on guest_merge (venue_id, kept_id, id);

create index subscriber_by_status on subscriber (venue_id, status, created_at desc, id desc);
create index suppression_newest on suppression (venue_id, created_at desc, email_key);

create index lead_by_stage on lead (venue_id, stage, created_at desc, id desc);

-- The stages of a venue's pipeline, in order; a venue without a row has the usual ones.
create table lead_pipeline (
  venue_id bigint not null,
  stages text[] not null,
  version integer not null default 1,
  primary key (venue_id)
);

-- Notes of staff about an enquiry and drafts of answers to it. No part of the API reads this table.
create table lead_note (
  venue_id bigint not null,
  id bigint generated always as identity,
  lead_id bigint not null,
  kind text not null check (kind in ('note', 'draft')),
  text text not null,
  written_by text,
  version integer not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (venue_id, id),
  foreign key (venue_id, lead_id) references lead (venue_id, id) on delete cascade
);

create index lead_note_by_lead on lead_note (venue_id, lead_id, id);

create index task_by_due on task (venue_id, done, coalesce(due, 'infinity'::date), id);
create index task_done on task (venue_id, done_at desc, id desc) where done;

create index occurrence_by_date on occurrence (venue_id, date, id);

-- One row for a venue that takes a fee or tax on tickets. The rate is in thousandths of a percent: 8,875 is 8.875 %.
create table ticket_settings (
  venue_id bigint not null,
  fee_per_seat_cents integer not null default 0 check (fee_per_seat_cents >= 0),
  fee_at_box_office boolean not null default false,
  tax_rate integer not null default 0 check (tax_rate between 0 and 100000),
  version integer not null default 1,
  primary key (venue_id)
);

create table promo_code (
  venue_id bigint not null,
  id bigint generated always as identity,
  code text not null,
  percent integer check (percent between 1 and 100),
  amount_cents integer check (amount_cents > 0),
  event_id bigint,
  uses_most integer check (uses_most > 0),
  valid_from date,
  valid_to date,
  switched_off boolean not null default false,
  version integer not null default 1,
  created_at timestamptz(3) not null,
  primary key (venue_id, id),
  foreign key (venue_id, event_id) references ticketed_event (venue_id, id),
  check ((percent is null) <> (amount_cents is null)),
  check (valid_to >= valid_from)
);

create unique index promo_code_by_code on promo_code (venue_id, code);

-- `promo_code_id` has no foreign key: codes are switched off, never removed. `form_token` is the one-time token of the
-- form that sold the order, so that a form sent twice sells once.
alter table ticket_order
  add column version integer not null default 1,
  add column promo_code_id bigint,
  add column form_token uuid,
  add column seats_returned integer not null default 0;

alter table ticket_order add constraint ticket_order_seats_returned check (seats_returned between 0 and seats);

create unique index ticket_order_by_form on ticket_order (venue_id, form_token) where form_token is not null;
create index ticket_order_by_promo_code on ticket_order (venue_id, promo_code_id) where promo_code_id is not null;
create index ticket_order_by_status on ticket_order (venue_id, status, created_at desc, id desc);
create index ticket_order_by_buyer on ticket_order (venue_id, buyer_email_key) where buyer_email_key is not null;

-- Every attempt to give money back, with what came of it. `seats` go back on sale when it succeeds.
create table refund (
  venue_id bigint not null,
  id bigint generated always as identity,
  order_id bigint not null,
  amount_cents integer not null check (amount_cents > 0),
  seats integer not null default 0 check (seats >= 0),
  via text not null check (via in ('processor', 'cash', 'external')),
  state text not null check (state in ('pending', 'succeeded', 'failed', 'superseded', 'dismissed')),
  answer text,
  retry_of bigint,
  made_at timestamptz(3) not null,
  settled_at timestamptz(3),
  primary key (venue_id, id),
  foreign key (venue_id, order_id) references ticket_order (venue_id, id),
  check ((state = 'pending') = (settled_at is null))
);

create index refund_by_order on refund (venue_id, order_id, id);
