-- Mails of the service about what a guest did by themselves: ids and a kind, written in the transaction of the change and
-- rendered when they are sent. A worker takes one by moving `due_at` ahead, so that what a crash leaves is sent again,
-- with the same Message-ID. Null in `due_at`: it is over.
create table guest_mail (
  venue_id bigint not null,
  id bigint not null generated always as identity,
  kind text not null,
  record_id bigint not null,
  message_id uuid not null,
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'failed', 'dropped')),
  made_at timestamptz(3) not null,
  due_at timestamptz(3),
  -- Not tried any more from here on.
  until timestamptz(3) not null,
  tries integer not null default 0,
  -- What the relay said last, without addresses; or why it was dropped.
  answer text,
  ended_at timestamptz(3),
  primary key (venue_id, id),
  check ((state = 'waiting') = (due_at is not null))
);

create index guest_mail_due on guest_mail (due_at) where due_at is not null;
create index guest_mail_of_record on guest_mail (venue_id, kind, record_id, id);
create index guest_mail_by_end on guest_mail (ended_at) where ended_at is not null;

-- A sign-up that waits for its confirmation: when its last mail was made, whether that was the reminder, and since when
-- the person had been unsubscribed before they signed up again. All null again once it is over.
alter table subscriber add column language text;
alter table subscriber add column confirm_mailed_at timestamptz(3);
alter table subscriber add column confirm_reminded boolean not null default false;
alter table subscriber add column left_before timestamptz(3);

create index subscriber_to_confirm on subscriber (confirm_mailed_at) where confirm_mailed_at is not null;
