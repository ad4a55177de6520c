-- What somebody of the venue has to look at: a dispute, and money at the processor that does not fit what is written here.
-- Each once, until somebody says that it is done.
create table money_matter (
  venue_id bigint not null,
  id bigint not null generated always as identity,
  kind text not null,
  -- Its name at the processor, or ours.
  subject text not null,
  order_id bigint,
  reservation_id bigint,
  amount_cents integer not null,
  currency text not null,
  -- How a dispute stands, and why it was made, in the processor's words.
  state text,
  reason text,
  due_at timestamptz(3),
  made_at timestamptz(3) not null,
  done_at timestamptz(3),
  primary key (venue_id, id),
  foreign key (venue_id, order_id) references ticket_order (venue_id, id),
  foreign key (venue_id, reservation_id) references reservation (venue_id, id) on delete cascade,
  constraint money_matter_kind check (kind in ('dispute', 'payment-differs', 'refund-above', 'not-here'))
);

create unique index money_matter_subject on money_matter (venue_id, kind, subject);
create index money_matter_open on money_matter (venue_id, made_at, id) where done_at is null;
create index money_matter_booking on money_matter (venue_id, reservation_id) where reservation_id is not null;
create index money_matter_order on money_matter (venue_id, order_id) where order_id is not null;

-- What was called about and could not be looked at is looked at again then.
alter table processor_event add column look_at timestamptz(3);
